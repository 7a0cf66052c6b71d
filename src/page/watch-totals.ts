/** Sums up the watched calls. */
import type { DirectorySize, WatchedCall } from '../faces/view/api.ts';

interface Totals {
  readonly calls: number;
  readonly tokens: number;
  readonly ms: number;
  readonly errors: number;
  /** The ids of calls that had already been made with the same parameters. */
  readonly repeated: ReadonlySet<number>;
  /** Absolute paths of the directories that calls have looked at. */
  readonly looked: ReadonlySet<string>;
}

export function totalsOf(calls: readonly WatchedCall[]): Totals {
  const known = new Set<string>();
  const repeated = new Set<number>();
  const looked = new Set<string>();
  let [tokens, ms, errors] = [0, 0, 0];
  for (const call of calls) {
    const { session, dialect, tool, root, params } = call;
    const key = JSON.stringify([session, dialect, tool, root, params]);
    if (known.has(key)) repeated.add(call.id);
    known.add(key);
    tokens += call.tokens;
    ms += call.ms;
    if (call.isError) errors++;
    for (const path of call.looked) looked.add(path);
  }
  return { calls: calls.length, tokens, ms, errors, repeated, looked };
}

/** Returns the directories in which nothing was looked at. Of nested ones, only the outermost is returned. */
export function neverLookedAt(directories: readonly DirectorySize[], looked: ReadonlySet<string>): DirectorySize[] {
  const onTheWay = new Set<string>();
  for (const path of looked) {
    for (let at = path; at.length > 1 && !onTheWay.has(at); at = at.slice(0, Math.max(at.lastIndexOf('/'), 0))) {
      onTheWay.add(at);
    }
  }
  const unseen = directories.filter(({ path }) => !onTheWay.has(path));
  const paths = new Set(unseen.map(({ path }) => path));
  return unseen.filter(({ path }) => !paths.has(path.slice(0, path.lastIndexOf('/'))));
}
