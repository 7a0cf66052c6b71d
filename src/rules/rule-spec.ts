/** Rules as data: what a query says, and what a second thread can be told. */
import { builtinNames, dotfiles } from './builtin.ts';
import { ignoreNames, ignorePatterns } from './ignore-argument.ts';
import { ignoreFiles } from './ignore-files.ts';
import type { Rule } from './rule.ts';

export type RuleSpec =
  | { readonly kind: 'dotfiles' }
  | { readonly kind: 'builtin-names' }
  /** fnmatch, on names and paths. */
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] }
  /** Globs with braces, on names. */
  | { readonly kind: 'name-patterns'; readonly patterns: readonly string[] }
  | { readonly kind: 'ignore-files'; readonly git: boolean; readonly gemini: boolean };

export function ruleFor(spec: RuleSpec): Rule {
  switch (spec.kind) {
    case 'dotfiles':
      return dotfiles;
    case 'builtin-names':
      return builtinNames;
    case 'patterns':
      return ignorePatterns(spec.patterns);
    case 'name-patterns':
      return ignoreNames(spec.patterns);
    case 'ignore-files':
      return ignoreFiles(spec);
  }
}
