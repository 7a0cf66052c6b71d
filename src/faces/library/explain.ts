import { isListOfStrings } from '../../dialects/parameters.ts';
import { type DialectName, loadDialect } from '../../dialects/table.ts';
import { explainPath } from '../../listing/explain.ts';
import { textOf } from '../../names/bytes.ts';
import { inJson, quoted } from '../../names/quote.ts';
import { tooLarge } from '../../protocol/size.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import type { Origin, Rule } from '../../rules/rule.ts';
import { rulesFor } from '../../rules/rule-spec.ts';
import { Budget, retrying, yieldIfBusy } from '../../workspace/budget.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect, withUsageErrors } from './misuse.ts';
import { inWorkspace, type Place } from './open-workspace.ts';

/** The options of `explain`. */
export interface ExplainOptions {
  /**
   * The dialect whose rules are explained: each hides what its listings leave out.
   * @default 'gemini'
   */
  readonly dialect?: DialectName;
  /**
   * The tool of the dialect whose rules are explained.
   * @default the one that lists a directory
   */
  readonly tool?: string;
  /**
   * Patterns to apply as if a call had sent them in its `ignore`.
   * @default []
   */
  readonly ignore?: readonly string[];
}

/** The rule that hides a path, or shows it (`!keep.log`). `by` and the next three are null if no rule matches. */
export interface Explanation {
  /** The path as the caller passed it. */
  readonly path: string;
  readonly hidden: boolean;
  readonly by: Origin | null;
  /** The file that contains the rule: relative to the root, or absolute if it is not part of the project. */
  readonly source: string | null;
  readonly line: number | null;
  readonly pattern: string | null;
  /** Set if the rule would hide it, but git tracks it, or something below it. */
  readonly tracked?: true;
  /** Rules and indexes that could not be used, with the reason; absent if there are none. */
  readonly notes?: readonly string[];
}

/**
 * Reports for each path whether listings hide it, and by which rule of which file. A path need not exist. Throws a
 * ListingError for a path outside the workspace.
 *
 * @example const [verdict] = await explain(['dist/app.js'], '/abs/project')
 */
export async function explain(
  paths: readonly string[],
  place: Place,
  options: ExplainOptions = {},
): Promise<Explanation[]> {
  if (!isListOfStrings(paths)) throw new UsageError('explain needs a list of paths.');
  checkOptions('explain', options, ['dialect', 'tool', 'ignore']);
  return inWorkspace('explain', place, async (workspace) => {
    const { rules, notes: ofDialect } = await rulesToExplain(options, workspace);
    const explanations: Explanation[] = [];
    for (const path of paths) {
      const budget = new Budget({});
      const explanation = await explained(path, rules, workspace, budget);
      const notes = [...ofDialect, ...budget.notes];
      explanations.push(notes.length === 0 ? explanation : { ...explanation, notes });
      await yieldIfBusy();
    }
    return explanations;
  });
}

/** Returns the rules that apply to a call in the dialect, and notes about those that cannot be used. */
export async function rulesToExplain({ dialect = 'gemini', tool, ignore = [] }: ExplainOptions, workspace: Workspace) {
  if (!isListOfStrings(ignore)) throw new UsageError('ignore must be a list of glob patterns.');
  const chosen = await loadDialect(checkedDialect(dialect));
  const explainRules = () => withUsageErrors(() => chosen.explainRules(ignore, workspace, tool));
  const { rules, notes } = await retrying(explainRules, new Budget());
  return { rules: await rulesFor(rules), notes };
}

export async function explained(path: string, rules: readonly Rule[], workspace: Workspace, budget: Budget) {
  const reason = tooLarge(path, 'A path holds');
  if (reason !== null) throw new UsageError(reason);
  const verdict = await explainPath(rules, path, workspace, budget);
  if (verdict === null) return { path, hidden: false, by: null, source: null, line: null, pattern: null };
  const { hidden, by, source, line, pattern, isTracked } = verdict;
  return {
    path,
    hidden,
    by,
    source: source === null ? null : inJson(source),
    line,
    pattern: textOf(pattern) ?? quoted(pattern),
    ...(isTracked && { tracked: true as const }),
  };
}
