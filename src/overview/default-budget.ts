/**
 * What a map may cost if the caller sets no budget: as much as it is worth. Whatever is shown saves the call that would
 * open it, so all worth together is priced like a few calls. These values did best in sessions on real repositories, see
 * `bench/README.md`.
 */
import type { Folder } from './folder.ts';

/** A map of less is filled up to this size, and what fits into it is shown whole. */
export const MIN_DEFAULT = 150;
export const MAX_DEFAULT = 1200;

/** The worth of all in tokens, and the most tokens. Below the root, the reader knows what to look for. */
const OF_ROOT = { worth: 850, most: 500 };
const OF_PART = { worth: 500, most: 350 };

/** All directories of the listed one should be named, and its files as far as they are worth it. */
const OF_DIRECTORY = 6;
const OF_FILE = 3;

/** `isRoot` is false for a part of the root, too. */
export function defaultBudget({ folders, files }: Folder, isRoot: boolean) {
  const { worth, most } = isRoot ? OF_ROOT : OF_PART;
  return { worth, most: Math.max(most, Math.min(OF_DIRECTORY * folders.length + OF_FILE * files, MAX_DEFAULT)) };
}
