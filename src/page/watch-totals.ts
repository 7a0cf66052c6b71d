/** Sums up the watched calls. */
import type { TreemapNode, WatchedCall } from '../faces/view/api.ts';

interface Totals {
  readonly calls: number;
  readonly tokens: number;
  readonly ms: number;
  readonly errors: number;
  /** The ids of calls that had already been made with the same parameters. */
  readonly repeated: ReadonlySet<number>;
  readonly repeatedTokens: number;
  /** Absolute paths of the directories that calls have looked at. */
  readonly looked: ReadonlySet<string>;
}

export function totalsOf(calls: readonly WatchedCall[]): Totals {
  const known = new Set<string>();
  const repeated = new Set<number>();
  const looked = new Set<string>();
  let [tokens, ms, errors, repeatedTokens] = [0, 0, 0, 0];
  for (const call of calls) {
    const { session, dialect, tool, root, params } = call;
    const key = JSON.stringify([session, dialect, tool, root, params]);
    if (known.has(key)) {
      repeated.add(call.id);
      repeatedTokens += call.tokens;
    }
    known.add(key);
    tokens += call.tokens;
    ms += call.ms;
    if (call.isError) errors++;
    for (const path of call.looked) looked.add(path);
  }
  return { calls: calls.length, tokens, ms, errors, repeated, repeatedTokens, looked };
}

/** Returns the directories in which nothing was looked at, largest first. Of nested ones, only the outermost is returned. */
export function neverLookedAt(directories: readonly TreemapNode[], looked: ReadonlySet<string>) {
  const onTheWay = new Set<string>();
  for (const path of looked) {
    for (let at = path; at.length > 1 && !onTheWay.has(at); at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
      onTheWay.add(at);
    }
  }
  const unseenIn = (nodes: readonly TreemapNode[], prefix: string): { label: string; path: string; files: number }[] =>
    nodes.flatMap(({ label, path, files, children }) => {
      if (path === null) return [];
      return onTheWay.has(path)
        ? unseenIn(children, `${prefix}${label}/`)
        : { label: `${prefix}${label}`, path, files };
    });
  return unseenIn(directories, '').sort((a, b) => b.files - a.files);
}
