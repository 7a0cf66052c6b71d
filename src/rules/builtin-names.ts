/** Names that are noise in nearly every project. */
import type { Bytes } from '../workspace/bytes.ts';
import { everywhere, hiddenBy, type Rule, type Verdict } from './rule.ts';
import { RuleFilter } from './rule-filter.ts';

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
const filter = new RuleFilter(false);
for (const name of BUILTIN_NAMES) filter.addName(name, false);

export const builtinNames: Rule = everywhere('builtin names', (entries, at) =>
  filter.mayMatch(entries, at) ? (verdicts.get(entries.nameAt(at)) ?? null) : null,
);
