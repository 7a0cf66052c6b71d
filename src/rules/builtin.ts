/** Rules that need no pattern: dotfiles, and the names that are noise in nearly every project. */
import type { Bytes } from '../workspace/bytes.ts';
import { everywhere, hiddenBy, type Rule, type Verdict } from './rule.ts';

const DOTFILE = hiddenBy('dotfile', '.*' as Bytes);

/** `.git` is hidden by git itself, not by a rule that stands anywhere. */
export const DOT_GIT = hiddenBy('git', '.git' as Bytes);

export const dotfiles: Rule = everywhere('dotfiles', (name) => (name.charCodeAt(0) === 0x2e ? DOTFILE : null));

/** Whatever their type, in exactly this case: `Build` is shown, a file `dist` is not. */
export const BUILTIN_NAMES: readonly string[] = [
  '.git',
  '.hg',
  '.svn',
  '__pycache__',
  'node_modules',
  'target',
  'build',
  'dist',
  '.idea',
  '.vscode',
  '.DS_Store',
  'venv',
  '.venv',
];

const verdicts = new Map<string, Verdict>(BUILTIN_NAMES.map((name) => [name, hiddenBy('builtin', name as Bytes)]));
const LONGEST = Math.max(...BUILTIN_NAMES.map((name) => name.length));

// Perf: most names are longer than any of these; asking for the length first spares hashing them.
export const builtinNames: Rule = everywhere('builtin names', (name) =>
  name.length > LONGEST ? null : (verdicts.get(name) ?? null),
);

/** Git's own directory, which nobody means who wants to see what git ignores. */
export const gitDirectory: Rule = everywhere('.git', (name) => (name === '.git' ? DOT_GIT : null));
