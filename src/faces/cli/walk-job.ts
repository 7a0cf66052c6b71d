/** The parts of a listing that one thread may ask another for. */
import type { Entry, Query } from '../../listing/query.ts';
import { type Reading, withReading } from '../../listing/reading.ts';
import { walk } from '../../listing/walk.ts';
import { planFor } from '../../listing/walk-listing.ts';
import type { WalkHelper, WalkPart } from '../../listing/walk-plan.ts';
import { innerPlaceOf } from '../../rules/rule.ts';
import type { PathForm } from '../../text/lines.ts';
import { LongLines, type LongOptions } from '../../text/long-lines.ts';
import { PathLines } from '../../text/path-lines.ts';
import { splitPath } from '../../workspace/argument.ts';
import { Budget } from '../../workspace/budget.ts';
import { type Bytes, below } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { readOwners } from '../../workspace/owners.ts';
import { asGiven } from '../../workspace/paths.ts';
import { shownBesideArrow, withArrow } from '../../workspace/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** How entries are written for a program. */
export interface ListFormat extends PathForm {
  readonly long: LongOptions;
}

/** Prints what is below a directory, path by path, as it is found. */
export async function walkLines(
  query: Query,
  workspace: Workspace,
  write: (bytes: Uint8Array) => Promise<void>,
  helper: WalkHelper | null,
  form: PathForm,
) {
  const lines = new PathLines(form);
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
  return withReading(query, workspace, Budget.unlimited(), async (reading) => {
    const plan = { ...(await planFor(query, reading.budget)), mayBlock: true };
    const result = await walk(reading, plan, sink, helper);
    await flush();
    return { ...result, notes: reading.budget.notes };
  });
}

/** The part of such a walk that is below `start`, a path from the listed directory. */
export function walkPart(
  query: Query,
  workspace: Workspace,
  start: Bytes,
  depth: number,
  form: PathForm,
): Promise<WalkPart> {
  return withReading(query, workspace, Budget.unlimited(), async (listed) => {
    const reading = await descended(listed, splitPath(start).names);
    try {
      const lines = new PathLines(form);
      const plan = { ...(await planFor(query, reading.budget)), start, depth, mayBlock: true };
      // Not `isFull`: all of it is sent at once, in memory of its own, so that it can be handed over.
      const result = await walk(reading, plan, { take: lines.take.bind(lines) });
      return { ...result, output: new Uint8Array(Buffer.concat(lines.output())) };
    } finally {
      reading.directory.leave();
    }
  });
}

async function descended({ directory, scope, budget }: Reading, [name, ...rest]: readonly Bytes[]): Promise<Reading> {
  if (name === undefined) return { directory, scope, budget };
  const inner = directory.descend(name);
  if (inner === null) throw new Error('it is gone');
  try {
    const entered = await scope.enter(
      name,
      innerPlaceOf(inner, () => true),
    );
    return await descended({ directory: inner, scope: entered, budget }, rest);
  } finally {
    if (rest.length > 0) inner.leave();
  }
}

/** The long lines of entries of the listed directory. */
export async function describePart(
  query: Query,
  workspace: Workspace,
  names: readonly Bytes[],
  format: ListFormat,
): Promise<Uint8Array> {
  const lines = longLines(format);
  const directory = workspace.enter(asGiven(query.path));
  try {
    const entries = names.flatMap((name): Entry[] => {
      const metadata = directory.metadata(name);
      if (metadata === null) return [];
      // Its type was told when it was read, and only to the first thread.
      if (metadata === 'refused') throw new ListingError('denied', 'permission denied');
      const { type } = metadata;
      return [{ name, parent: '' as Bytes, type, leadsToDirectory: type === 'dir', metadata }];
    });
    return new Uint8Array(Buffer.from(lines.of(entries)));
  } finally {
    directory.leave();
  }
}

/** Columns that take more than a look at each entry. */
export interface ExtraColumns {
  readonly totals: ReadonlyMap<Entry, number> | null;
  readonly statusOf: ((entry: Entry) => string) | null;
}

const NO_EXTRAS: ExtraColumns = { totals: null, statusOf: null };

/** Makes long lines of entries, for programs; the header, if there is one, is asked for after the first of them. */
export function longLines({ long, prefix }: ListFormat, extras: ExtraColumns = NO_EXTRAS) {
  const lines = new LongLines({
    ...{ owners: readOwners(), sizes: 'bytes', paint: (text) => text, columns: long, ...extras },
  });
  return {
    of: (entries: readonly Entry[]) =>
      lines
        .of(entries, (entry) => longLabel(entry, prefix))
        .map((line) => `${line}\n`)
        .join(''),
    header: () => (long.header ? `${lines.header}\n` : ''),
  };
}

/** A link's target says that it is one. */
function longLabel({ name, parent, type, metadata }: Entry, prefix: Bytes): string {
  const inner = below(parent, name);
  const path = shownBesideArrow(prefix === '' ? inner : (`${prefix}${inner}` as Bytes));
  if (type === 'dir') return `${path}/`;
  const target = metadata?.target ?? null;
  return target === null ? path : withArrow(path, target);
}
