/** Rules without patterns: dotfiles, and names that are noise in nearly every project. */
import { type Bytes, DOT } from '../names/bytes.ts';
import { everywhere, hiddenBy, hidesNothing, type Judge, type Rule, type Scope } from './rule.ts';
import { filterOf, RuleFilter } from './rule-filter.ts';

const DOTFILE = hiddenBy('dotfile', '.*' as Bytes);

/** `.git`, which no rule in a file hides, where nothing shows it. */
export const DOT_GIT = hiddenBy('builtin', '.git' as Bytes);

const hidesDotfiles: Judge = ({ bytes, starts }, at) => (bytes[starts[at] as number] === DOT ? DOTFILE : null);

/** Returns true if a rule hides only dotfiles in all directories below, false if it hides nothing, null otherwise. */
export function onlyHidesDotfiles({ judge, isUniform }: Scope): boolean | null {
  if (!isUniform) return null;
  return judge === hidesNothing ? false : judge === hidesDotfiles ? true : null;
}

const beginsWithDot = new RuleFilter(false);
beginsWithDot.addPattern('.', '', false);

export const dotfiles: Rule = everywhere('dotfiles', hidesDotfiles, beginsWithDot);

/** Hidden regardless of type, but only in this exact case: `Build` is shown, a file `dist` is not. */
const BUILTIN_NAMES =
  '.git .hg .svn __pycache__ node_modules target build dist .idea .vscode .DS_Store venv .venv'.split(' ');

export const builtinNames: Rule = hidingNames('builtin names', BUILTIN_NAMES);

/** Git's own directory is hidden even when ignored files are shown. */
export const gitDirectory: Rule = hidingNames('.git', ['.git']);

function hidingNames(key: string, names: readonly string[]): Rule {
  const verdicts = new Map(names.map((name) => [name, hiddenBy('builtin', name as Bytes)]));
  const filter = filterOf(names);
  // Perf: few other names pass the filter.
  const judge: Judge = (entries, at) =>
    filter.mayMatch(entries, at) ? (verdicts.get(entries.nameAt(at)) ?? null) : null;
  return everywhere(key, judge, filter);
}
