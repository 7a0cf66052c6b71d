/** Rules as data, as a query states them. */
import { builtinNames, dotfiles, gitDirectory } from './builtin.ts';
import type { IgnoreFileChoice } from './ignore-files.ts';
import type { Rule } from './rule.ts';

export type RuleSpec =
  | { readonly kind: 'dotfiles' }
  | { readonly kind: 'builtin-names' }
  /** fnmatch patterns, matched against names and paths. */
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] }
  /** Globs with braces, matched against names. */
  | { readonly kind: 'name-patterns'; readonly patterns: readonly string[] }
  | ({ readonly kind: 'ignore-files' } & IgnoreFileChoice)
  /** Hides only `.git`. */
  | { readonly kind: 'git-directory' };

export function rulesFor(specs: readonly RuleSpec[]): Promise<Rule[]> {
  return Promise.all(specs.map(ruleFor));
}

async function ruleFor(spec: RuleSpec): Promise<Rule> {
  switch (spec.kind) {
    case 'dotfiles':
      return dotfiles;
    case 'builtin-names':
      return builtinNames;
    case 'patterns':
      // Perf: these three are imported on demand, because a plain call needs none of them.
      return (await import('./ignore-argument.ts')).ignorePatterns(spec.patterns);
    case 'name-patterns':
      return (await import('./ignore-argument.ts')).ignoreNames(spec.patterns);
    case 'ignore-files':
      return (await import('./ignore-files.ts')).ignoreFiles(spec);
    case 'git-directory':
      return gitDirectory;
  }
}
