/**
 * The token budget of a map when the caller sets none. These values did best in sessions on real repositories, see
 * `bench/README.md`. A reader who opens a directory knows what to look for, so its map costs more than a listing of its
 * names only if that listing would be long.
 */
import type { FoldName } from './dense-name.ts';
import type { Folder } from './folder.ts';

export const MAX_DEFAULT = 700;
export const MIN_DEFAULT = 120;

const OF_ROOT = 500;

/**
 * Below the root: a base, plus `OF_STEP` tokens for every `STEP` bytes of the directory's own names, which is about
 * what listing them would cost. It grows in steps, so that one more file rarely changes it.
 */
const OF_DIRECTORY = 60;
const OF_STEP = 60;
const STEP = 150;
/** More names do not raise the budget: it has its maximum already. */
const MAX_NAMES = (STEP * MAX_DEFAULT) / OF_STEP;
/** A fold is a part of a directory with many names. */
const OF_FOLD = 150;
const OF_STEP_IN_FOLD = 90;

/** Below the root, a map that shows everything may cost this much, because it saves another call. */
const WHOLE_DIRECTORY = 200;
const WHOLE_FOLD = 250;

interface DefaultBudget {
  readonly whole: number;
  readonly part: number;
}

/** `path` is that of the mapped directory; `fold` is null for a map of all that it contains. */
export function defaultBudget(root: Folder, path: string, fold: FoldName | null): DefaultBudget {
  // A reader who starts at the root knows nothing yet.
  if (path === '' && fold === null) return { whole: OF_ROOT, part: OF_ROOT };
  const [files, folders] = [(root.names ?? []).slice(0, MAX_NAMES), root.folders.slice(0, MAX_NAMES)];
  const bytes = [...files, ...folders.map(({ name }) => name)].reduce((sum, { length }) => sum + length, 0);
  const [least, step] = fold === null ? [MIN_DEFAULT, OF_STEP] : [OF_FOLD, OF_STEP_IN_FOLD];
  const part = Math.min(Math.max(OF_DIRECTORY + step * Math.ceil(bytes / STEP), least), MAX_DEFAULT);
  return { whole: Math.max(part, fold === null ? WHOLE_DIRECTORY : WHOLE_FOLD), part };
}
