/** Rules without patterns: dotfiles, and names that are noise in nearly every project. */
import type { Bytes } from '../workspace/bytes.ts';
import { everywhere, hiddenBy, type Rule, type Verdict } from './rule.ts';

const DOTFILE = hiddenBy('dotfile', '.*' as Bytes);

/** Git itself hides `.git`, not a rule in a file. */
export const DOT_GIT = hiddenBy('git', '.git' as Bytes);

export const dotfiles: Rule = everywhere('dotfiles', (name) => (name.charCodeAt(0) === 0x2e ? DOTFILE : null));

/** Hidden whatever their type, in exactly this case: `Build` is shown, a file `dist` is not. */
const BUILTIN_NAMES: readonly string[] = [
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
const LONGEST_BUILTIN = Math.max(...BUILTIN_NAMES.map((name) => name.length));

// Perf: most names are longer than any of these; testing the length first avoids hashing them.
export const builtinNames: Rule = everywhere('builtin names', (name) =>
  name.length > LONGEST_BUILTIN ? null : (verdicts.get(name) ?? null),
);

/** Git's own directory is hidden even when ignored files are shown. */
export const gitDirectory: Rule = everywhere('.git', (name) => (name === '.git' ? DOT_GIT : null));
