/** A walk through part of a tree, as one thread asks another for it. */
import { planFor } from '../../listing/list.ts';
import { Patience } from '../../listing/patience.ts';
import type { Query } from '../../listing/query.ts';
import { type WalkHelper, type WalkPart, walk } from '../../listing/walk.ts';
import { type InnerPlace, scopeOf } from '../../rules/rule.ts';
import { ruleFor } from '../../rules/rule-spec.ts';
import { PathLines } from '../../text/path-lines.ts';
import { splitPath } from '../../workspace/argument.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import type { Visit, Workspace } from '../../workspace/workspace.ts';

/** Prints what is below a directory, path by path, as it is found. */
export async function walkLines(
  query: Query,
  workspace: Workspace,
  write: (bytes: Uint8Array) => Promise<void>,
  helper: WalkHelper | null,
) {
  const patience = new Patience({ timeLimit: Number.POSITIVE_INFINITY });
  const directory = workspace.enter(query.path);
  const effort = { steps: 0 };
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
    const scope = scopeOf(query.rules.map(ruleFor), directory, effort);
    const result = await walk(directory, scope, await planFor(query, effort), sink, effort, patience, helper);
    await flush();
    return result;
  } finally {
    directory.leave();
  }
}

/** The part of such a walk that is below `start`, a path from the listed directory. */
export async function walkPart(query: Query, workspace: Workspace, start: Bytes, depth: number): Promise<WalkPart> {
  const patience = new Patience({ timeLimit: Number.POSITIVE_INFINITY });
  const effort = { steps: 0 };
  const lines = new PathLines();
  const listed = workspace.enter(query.path);
  let directory: Visit = listed;
  try {
    let scope = scopeOf(query.rules.map(ruleFor), listed, effort);
    for (const name of splitPath(start).names) {
      const inner: Visit | null = directory.descend(name);
      if (directory !== listed) directory.leave();
      if (inner === null) throw new Error('it is gone');
      directory = inner;
      scope = scope.enter(name, unread(inner));
    }
    const plan = { ...(await planFor(query, effort)), start, depth };
    // Not `isFull`: all of it is sent at once.
    const sink = { take: lines.take.bind(lines) };
    const result = await walk(directory, scope, plan, sink, effort, patience);
    return { ...result, output: joined(lines.output()) };
  } finally {
    if (directory !== listed) directory.leave();
    listed.leave();
  }
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

/** A directory of which nothing is known yet: any file may be in it. */
function unread(directory: Visit): InnerPlace {
  return {
    path: directory.path,
    rootPath: directory.rootPath,
    readFile: (name) => directory.readFile(name),
    mayHave: () => true,
  };
}
