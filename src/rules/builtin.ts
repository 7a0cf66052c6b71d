/** Rules without patterns: dotfiles, and git's own directory. */
import type { Bytes } from '../workspace/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { everywhere, hiddenBy, type Rule } from './rule.ts';

const DOTFILE = hiddenBy('dotfile', '.*' as Bytes);

/** Git itself hides `.git`, not a rule in a file. */
export const DOT_GIT = hiddenBy('git', '.git' as Bytes);

export const dotfiles: Rule = everywhere('dotfiles', ({ bytes, starts }, at) =>
  bytes[starts[at] as number] === 0x2e ? DOTFILE : null,
);

/** Git's own directory is hidden even when ignored files are shown. */
export const gitDirectory: Rule = everywhere('.git', (entries, at) => (isDotGit(entries, at) ? DOT_GIT : null));

const DOT_GIT_WORD = 0x2e676974;

/** Perf: without a text for each name. */
export function isDotGit(entries: EntryBuffer, at: number): boolean {
  const start = entries.starts[at] as number;
  return entries.ends[at] === start + 4 && entries.wordAt(start) === DOT_GIT_WORD;
}
