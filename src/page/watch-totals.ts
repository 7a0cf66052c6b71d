/** Sums up the watched calls, and arranges them. */
import type { Replayed, Root, TreemapNode, WatchedCall } from '../faces/view/api.ts';
import { grouped } from './hooks.ts';

export function totalsOf(calls: readonly WatchedCall[]) {
  const known = new Set<string>();
  /** The ids of calls that had already been made with the same parameters. */
  const repeated = new Set<number>();
  /** Absolute paths of the directories that calls have looked at. */
  const looked = new Set<string>();
  /** The numbers of the sessions, from 1, in the order of their first calls. */
  const sessions = new Map<string, number>();
  const tools: Record<string, string> = { '': 'any' };
  let [tokens, mostTokens, ms, errors, repeatedTokens] = [0, 1, 0, 0, 0];
  for (const call of calls) {
    const { session, dialect, tool, root, params } = call;
    const key = JSON.stringify([session, dialect, tool, root, params]);
    if (known.has(key)) {
      repeated.add(call.id);
      repeatedTokens += call.tokens;
    }
    known.add(key);
    tools[tool] = tool;
    tokens += call.tokens;
    mostTokens = Math.max(mostTokens, call.tokens);
    ms += call.ms;
    if (call.isError) errors++;
    for (const path of call.looked) looked.add(path);
    if (!sessions.has(session)) sessions.set(session, sessions.size + 1);
  }
  return { calls: calls.length, tokens, mostTokens, ms, errors, repeated, repeatedTokens, looked, sessions, tools };
}

/** Returns the totals of what was replayed, as facts; none if nothing was. */
export function replayTotals(replays: readonly Replayed[]): [string, string][] {
  if (replays.length === 0) return [];
  const count = (outcome: Replayed['outcome']) => replays.filter((one) => one.outcome === outcome).length;
  const compared = replays.filter((one) => one.outcome !== 'skipped');
  const tokens = (when: 'before' | 'after') => grouped(compared.reduce((sum, one) => sum + one.tokens[when], 0));
  const skipped = count('skipped') === 0 ? '' : `, ${count('skipped')} not run`;
  const outcomes = `${count('same')} the same, ${count('changed')} changed${skipped}`;
  return [['Replayed', `${outcomes}, ${tokens('before')} → ${tokens('after')} tokens`]];
}

/** Returns the calls of each session below its heading; without headings if there is only one session. */
export function rowsOf(calls: readonly WatchedCall[], sessions: ReadonlyMap<string, number>) {
  if (sessions.size < 2) return calls;
  const groups = new Map<string, WatchedCall[]>();
  for (const call of calls) {
    const group = groups.get(call.session) ?? [];
    group.push(call);
    groups.set(call.session, group);
  }
  return [...groups].flatMap(([session, group]) => {
    const tokens = group.reduce((sum, call) => sum + call.tokens, 0);
    return [{ number: sessions.get(session) ?? 0, at: group[0]?.at ?? '', calls: group.length, tokens }, ...group];
  });
}

/** Splits lines into words and spaces, and marks the words that the other lines lack, or have less often. */
export function markedWords(lines: readonly string[], others: readonly string[]) {
  const split = (some: readonly string[]) => some.join('\n').match(/\s+|\S+/g) ?? [];
  const left = new Map<string, number>();
  for (const word of split(others)) left.set(word, (left.get(word) ?? 0) + 1);
  return split(lines).map((text) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return { text, isMarked: count <= 0 && /\S/.test(text) };
  });
}

/** Returns the directories in which nothing was looked at, largest first. Of nested ones, only the outermost is returned. */
export function neverLookedAt(
  directories: readonly TreemapNode[],
  looked: ReadonlySet<string>,
  { path: rootPath, realPath }: Pick<Root, 'path' | 'realPath'>,
) {
  const onTheWay = new Set<string>();
  for (const real of looked) {
    // The root may be shown by the path of a link to it.
    const path = realPath !== null && real.startsWith(realPath) ? `${rootPath}${real.slice(realPath.length)}` : real;
    for (let at = path; at.length > 1 && !onTheWay.has(at); at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
      onTheWay.add(at);
    }
  }
  const unseenIn = (nodes: readonly TreemapNode[], prefix: string): { label: string; path: string; files: number }[] =>
    nodes.flatMap(({ label, path, files, children }) => {
      if (path === null) return [];
      if (onTheWay.has(path)) return unseenIn(children, `${prefix}${label}/`);
      return { label: `${prefix}${label}`, path, files };
    });
  return unseenIn(directories, '').sort((a, b) => b.files - a.files);
}
