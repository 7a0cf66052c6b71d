/** Directories as Explore shows them: all entries, each with the rule that decides about it. */
import { dialects } from '../../dialects/index.ts';
import { DIALECT_NAMES } from '../../dialects/table.ts';
import { totalOf } from '../../listing/entry.ts';
import type { Page } from '../../listing/query.ts';
import { type Bytes, textOf } from '../../names/bytes.ts';
import { AT_ROOT, asGiven, inAbsolute, type RootPath } from '../../names/paths.ts';
import { bytesOfShown, inJson, shownAsGiven } from '../../names/quote.ts';
import { Budget } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { retrying } from '../../workspace/retrying.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type ExplainOptions, type Explanation, explain } from '../library/explain.ts';
import { list } from '../library/list.ts';
import type { Explained, HiddenBy, Level, Rule, RuleLines } from './api.ts';

export async function levelOf(
  workspace: Workspace,
  path: string,
  tool: ExplainOptions,
  page: Page,
  signal: AbortSignal,
): Promise<Level> {
  const listing = await list({ path, ...page, absolute: true }, workspace, { signal });
  const { entries, totals, notes = [], failures = [] } = listing;
  const verdicts = await explain(
    entries.map((entry) => entry.path),
    workspace,
    tool,
  );
  return {
    entries: entries.map(({ name, path, type }, at) => {
      const verdict = verdicts[at] as Explanation;
      return { label: shownAsGiven(name), path, type, hidden: verdict.hidden, rule: ruleOf(verdict) };
    }),
    total: totalOf(totals),
    notes: [...notes, ...failures.map(({ path, reason }) => `${shownAsGiven(path)}: ${reason}`)],
  };
}

export async function explainedIn(workspace: Workspace, path: string): Promise<Explained> {
  const verdicts = await Promise.all(
    DIALECT_NAMES.flatMap((dialect) =>
      dialects[dialect].tools.map(async ({ tool: { name: tool } }) => {
        const [verdict] = (await explain([path], workspace, { dialect, tool })) as [Explanation];
        return { dialect, tool, hidden: verdict.hidden, rule: ruleOf(verdict) };
      }),
    ),
  );
  return { label: shownAsGiven(path), verdicts };
}

/** The maximum number of entries examined in a directory, and of example names per rule. */
const MAX_JUDGED = 1000;
const EXAMPLES = 5;

/** Returns the rules that hide entries of a directory, those that hide most first. */
export async function hiddenIn(
  workspace: Workspace,
  path: string,
  tool: ExplainOptions,
  signal: AbortSignal,
): Promise<{ rules: HiddenBy[] }> {
  const { entries } = await list({ path, limit: MAX_JUDGED, absolute: true }, workspace, { signal });
  const paths = entries.map((entry) => entry.path);
  const verdicts = await explain(paths, workspace, tool);
  const found = new Map<string, { rule: Rule; names: string[] }>();
  for (const [at, verdict] of verdicts.entries()) {
    const rule = ruleOf(verdict);
    if (!verdict.hidden || rule === null) continue;
    const key = JSON.stringify(rule);
    const group = found.get(key) ?? { rule, names: [] };
    group.names.push(shownAsGiven((entries[at] as { name: string }).name));
    found.set(key, group);
  }
  const rules = [...found.values()].map(({ rule, names }) => ({
    rule,
    count: names.length,
    examples: names.slice(0, EXAMPLES),
  }));
  return { rules: rules.sort((a, b) => b.count - a.count) };
}

function ruleOf({ by, pattern, source, line }: Explanation): Rule | null {
  if (by === null || pattern === null) return null;
  return { by, pattern: shownAsGiven(pattern), source, line };
}

/** Only rule files are shown. The page reads the contents of no other file. */
const RULE_FILES = /(?:^|\/)(?:\.gitignore|\.geminiignore|\.git\/info\/exclude)$/;

/** Resolves the path of a rule file, as for any call. Returns null if it is outside, or another kind of file. */
async function ruleFileAt(workspace: Workspace, source: string, budget: Budget): Promise<RootPath | null> {
  const path = bytesOfShown(source);
  // A rule names its file by a path relative to the root, or by an absolute one if it is not part of the project.
  if (path === null || path.startsWith('/')) return null;
  const argument = asGiven(inJson(inAbsolute(workspace.givenPath, path)));
  try {
    const { path: place } = await budget.run(workspace.locating(argument));
    return RULE_FILES.test(place) ? place : null;
  } catch (error) {
    if (error instanceof ListingError) return null;
    throw error;
  }
}

/** The number of lines shown before and after the rule. */
const AROUND = 6;

/** The maximum number of characters shown per line. */
const LONGEST = 500;

export async function linesAround(workspace: Workspace, source: string, line: number): Promise<RuleLines> {
  const budget = new Budget();
  const place = await ruleFileAt(workspace, source, budget);
  if (place === null)
    return { lines: [], problem: 'The file does not belong to the project, so its lines are not shown here.' };
  const root = await budget.run(workspace.enteringAt(AT_ROOT, budget));
  try {
    const content = await retrying(() => root.fileAt(place), budget);
    if (typeof content !== 'string') return { lines: [], problem: 'The file cannot be read.' };
    const all = content.replace(/\n$/, '').split('\n');
    const first = Math.max(0, line - 1 - AROUND);
    const lines = all.slice(first, line + AROUND).map((bytes, at) => ({
      number: first + at + 1,
      text: shownAsGiven((textOf(bytes as Bytes) ?? bytes).slice(0, LONGEST)),
    }));
    return { lines, problem: null };
  } finally {
    root.leave();
  }
}
