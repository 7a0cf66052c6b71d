/** Directories as Explore shows them: all entries, each with the rule that decides about it. */
import { dialects } from '../../dialects/index.ts';
import { DIALECT_NAMES } from '../../dialects/table.ts';
import { totalOf } from '../../listing/entry.ts';
import type { Page } from '../../listing/query.ts';
import { type Bytes, below, textOf } from '../../names/bytes.ts';
import { AT_ROOT, asGiven, inAbsolute, namesOn, type RootPath } from '../../names/paths.ts';
import { bytesOfShown, inJson, shownAsGiven } from '../../names/quote.ts';
import { Budget, retrying } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type ExplainOptions, type Explanation, explain } from '../library/explain.ts';
import { absoluteAt, list } from '../library/list.ts';
import type { Explained, Place, Rule, RuleLines } from './api.ts';

export async function levelOf(workspace: Workspace, path: string, as: ExplainOptions, page: Page, signal: AbortSignal) {
  const listing = await list({ path, ...page, absolute: true }, workspace, { signal });
  const { entries, totals, notes = [], failures = [] } = listing;
  const paths = entries.map((entry) => entry.path);
  const verdicts = await explain(paths, workspace, as);
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
  const tools = DIALECT_NAMES.flatMap((dialect) =>
    dialects[dialect].tools.map(({ tool }) => ({ dialect, tool: tool.name })),
  );
  const verdicts = tools.map(async (as) => {
    const [verdict] = (await explain([path], workspace, as)) as [Explanation];
    return { ...as, hidden: verdict.hidden, rule: ruleOf(verdict) };
  });
  return { label: shownAsGiven(path), verdicts: await Promise.all(verdicts) };
}

/** The maximum number of entries of a directory among which the position of one is sought. */
const MAX_SOUGHT = 100_000;

/** Returns where entries are among all that Explore shows. */
export async function placesOf(workspace: Workspace, paths: readonly string[], signal: AbortSignal): Promise<Place[]> {
  const absolute = (path: RootPath) => inJson(absoluteAt(path, workspace));
  const levels = new Map<RootPath, ReturnType<typeof list>>();
  const levelAt = (path: RootPath) => {
    const known = levels.get(path) ?? list({ path: absolute(path), limit: MAX_SOUGHT }, workspace, { signal });
    levels.set(path, known);
    return known;
  };
  const places = paths.map(async (given) => {
    const { path, type } = await new Budget().run(workspace.locating(asGiven(given)));
    const names = type === null ? [] : namesOn(path);
    const steps: { path: string; position: number; total: number }[] = [];
    let here = AT_ROOT;
    for (const name of names) {
      const { entries, totals } = await levelAt(here);
      const position = entries.findIndex((entry) => entry.name === inJson(name));
      steps.push({ path: absolute(here), position, total: totalOf(totals) });
      here = below(here, name);
    }
    const isKnown = type !== null && steps.every(({ position }) => position >= 0);
    const inside = type === 'dir' ? await levelAt(path).catch(() => null) : null;
    return {
      ...{ label: shownAsGiven(inJson(names.at(-1) ?? path)), path: type === null ? given : absolute(path), type },
      ...{ total: inside === null ? null : totalOf(inside.totals), steps: isKnown ? steps : null },
    };
  });
  return Promise.all(places);
}

function ruleOf({ by, pattern, source, line, tracked }: Explanation): Rule | null {
  if (by === null || pattern === null) return null;
  return { by, pattern: shownAsGiven(pattern), source, line, isTracked: tracked === true };
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
