/**
 * The tokens of a map that nobody set a budget for: the best of several over sessions on real repositories, see
 * `bench/README.md`. A reader that opens a directory knows what it looks for, and wants more than a listing would show
 * only where a listing would be long.
 */
import type { FoldName } from './dense-name.ts';
import type { Folder } from './folder.ts';

export const MOST_DEFAULT = 300;
export const LEAST_DEFAULT = 120;

/** Of the root, if there are fewer files than that below it. */
const OF_SMALL_ROOT = 200;
const MANY_FILES = 2000;

/** Below the root: a beginning, and so much for each ten entries. In steps, so that one more file changes little. */
const OF_DIRECTORY = 60;
const OF_TEN_ENTRIES = 30;

/** Where there are folds, there is much: of one, at least that. */
const OF_FOLD = 250;

/** A map of everything may cost that much below the root: it saves another call. */
const WHOLE_DIRECTORY = 150;

export interface DefaultBudget {
  readonly whole: number;
  readonly part: number;
}

/** `path` is that of the mapped directory; `fold` and `match` are null for a map of all that it contains. */
export function defaultBudget(root: Folder, path: string, fold: FoldName | null, match: string | null): DefaultBudget {
  // What was looked for should be seen.
  if (match !== null) return { whole: MOST_DEFAULT, part: MOST_DEFAULT };
  if (path === '' && fold === null) {
    return { whole: MOST_DEFAULT, part: root.filesBelow < MANY_FILES ? OF_SMALL_ROOT : MOST_DEFAULT };
  }
  const part = OF_DIRECTORY + OF_TEN_ENTRIES * Math.ceil((root.files + root.folders.length) / 10);
  const within = Math.min(Math.max(part, fold === null ? LEAST_DEFAULT : OF_FOLD), MOST_DEFAULT);
  return { whole: Math.max(within, WHOLE_DIRECTORY), part: within };
}
