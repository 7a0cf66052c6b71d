/** Rules as data: what a query says, and what a second thread can be told. */
import { builtinNames, dotfiles, gitDirectory } from './builtin.ts';
import { ignoreNames, ignorePatterns } from './ignore-argument.ts';
import type { IgnoreFileChoice } from './ignore-files.ts';
import { HIDES_NOTHING, type Rule } from './rule.ts';

export type RuleSpec =
  | { readonly kind: 'dotfiles' }
  | { readonly kind: 'builtin-names' }
  /** fnmatch, on names and paths. */
  | { readonly kind: 'patterns'; readonly patterns: readonly string[] }
  /** Globs with braces, on names. */
  | { readonly kind: 'name-patterns'; readonly patterns: readonly string[] }
  | ({ readonly kind: 'ignore-files' } & IgnoreFileChoice)
  /** `.git` alone. */
  | { readonly kind: 'git-directory' }
  /** Hides nothing: says that a file which should have hidden something cannot be used. */
  | { readonly kind: 'note'; readonly note: string };

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
      return ignorePatterns(spec.patterns);
    case 'name-patterns':
      return ignoreNames(spec.patterns);
    case 'ignore-files':
      // Perf: they are most of the rules' code, and many calls do without.
      return (await import('./ignore-files.ts')).ignoreFiles(spec);
    case 'git-directory':
      return gitDirectory;
    case 'note':
      return async (_, call) => {
        call.note(spec.note);
        return HIDES_NOTHING;
      };
  }
}
