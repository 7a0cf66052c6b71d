/** The parts of a listing that one thread may ask another for. */

import type { Entry, Query } from '../../listing/query.ts';
import { type WalkHelper, type WalkPart, walk } from '../../listing/walk.ts';
import { planFor } from '../../listing/walk-listing.ts';
import { innerPlaceOf, scopeOf } from '../../rules/rule.ts';
import { rulesFor } from '../../rules/rule-spec.ts';
import { LongLines } from '../../text/long-lines.ts';
import { PathLines } from '../../text/path-lines.ts';
import { splitPath } from '../../workspace/argument.ts';
import { Budget } from '../../workspace/budget.ts';
import { type Bytes, below } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { readOwners } from '../../workspace/owners.ts';
import { shown } from '../../workspace/quote.ts';
import type { Visit } from '../../workspace/visit.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** Prints what is below a directory, path by path, as it is found. */
export async function walkLines(
  query: Query,
  workspace: Workspace,
  write: (bytes: Uint8Array) => Promise<void>,
  helper: WalkHelper | null,
) {
  const budget = new Budget({ timeLimit: Number.POSITIVE_INFINITY });
  const directory = workspace.enter(query.path);
  const lines = new PathLines();
  const flush = async () => {
    for (const bytes of lines.output()) await write(bytes);
  };
  const sink = {
    take: lines.take.bind(lines),
    splice: lines.splice.bind(lines),
    get isFull() {
      return lines.isFull;
    },
    settle: flush,
  };
  try {
    const scope = await scopeOf(await rulesFor(query.rules), directory, budget);
    const plan = { ...(await planFor(query, budget)), isAlone: true };
    const result = await walk(directory, scope, plan, sink, budget, helper);
    await flush();
    return { ...result, notes: budget.notes };
  } finally {
    directory.leave();
  }
}

/** The part of such a walk that is below `start`, a path from the listed directory. */
export async function walkPart(query: Query, workspace: Workspace, start: Bytes, depth: number): Promise<WalkPart> {
  const budget = new Budget({ timeLimit: Number.POSITIVE_INFINITY });
  const lines = new PathLines();
  const listed = workspace.enter(query.path);
  let directory: Visit = listed;
  try {
    let scope = await scopeOf(await rulesFor(query.rules), listed, budget);
    for (const name of splitPath(start).names) {
      const inner: Visit | null = directory.descend(name);
      if (directory !== listed) directory.leave();
      if (inner === null) throw new Error('it is gone');
      directory = inner;
      scope = await scope.enter(
        name,
        innerPlaceOf(inner, () => true),
      );
    }
    const plan = { ...(await planFor(query, budget)), start, depth, isAlone: true };
    // Not `isFull`: all of it is sent at once.
    const sink = { take: lines.take.bind(lines) };
    const result = await walk(directory, scope, plan, sink, budget);
    return { ...result, output: joined(lines.output()) };
  } finally {
    if (directory !== listed) directory.leave();
    listed.leave();
  }
}

/** The long lines of entries of the listed directory. */
export async function describePart(query: Query, workspace: Workspace, names: readonly Bytes[]): Promise<Uint8Array> {
  const lines = longLines();
  const directory = workspace.enter(query.path);
  try {
    const entries = names.flatMap((name): Entry[] => {
      const metadata = directory.metadata(name);
      if (metadata === null) return [];
      // Its type was told when it was read, and only to the first thread.
      if (metadata === 'refused') throw new ListingError('denied', 'permission denied');
      const { type } = metadata;
      return [{ name, parent: '' as Bytes, type, leadsToDirectory: type === 'dir', metadata }];
    });
    return new Uint8Array(Buffer.from(lines(entries)));
  } finally {
    directory.leave();
  }
}

/** Makes long lines of entries, for programs. */
export function longLines(): (entries: readonly Entry[]) => string {
  const lines = new LongLines({ owners: readOwners(), sizes: 'bytes', paint: (text) => text });
  return (entries) =>
    lines
      .of(entries, longLabel)
      .map((line) => `${line}\n`)
      .join('');
}

/** A link's target says that it is one. */
function longLabel({ name, parent, type, metadata }: Entry): string {
  const path = shown(below(parent, name));
  if (type === 'dir') return `${path}/`;
  const target = metadata?.target ?? null;
  return target === null ? path : `${path} -> ${shown(target)}`;
}

/** In memory of its own, so that it can be handed over. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
