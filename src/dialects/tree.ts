/** The standard dialect's second tool: `Tree`, a map of everything below a directory within a token budget. */

import { foldAt, withoutCount } from '../overview/dense-name.ts';
import type { MapOptions, MapQuery, ProjectMap } from '../overview/draw.ts';
import type { TreeEntry, TreeFold } from '../overview/entries.ts';
import type { Steps } from '../overview/steps.ts';
import { partial, success, type ToolResponse } from '../protocol/envelope.ts';
import type { RuleSpec } from '../rules/rule-spec.ts';
import { Budget } from '../workspace/budget.ts';
import { below } from '../workspace/bytes.ts';
import { ListingError } from '../workspace/listing-error.ts';
import { unquoted } from '../workspace/quote.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { answered, type Call, type DialectTool, ParameterError } from './dialect.ts';
import { isInteger, isListOfStrings, parametersOf, refuseUnknown, valueFor } from './parameters.ts';
import { contextOf, failed, pathOf, timed, toldPath } from './standard.ts';

export type TreeData = {
  entries: TreeEntry[];
  folds: TreeFold[];
  truncated: boolean;
  /** Which ignore rules could not be used, and why; where there are any. */
  notes?: string[];
};
export type TreeResponse = ToolResponse<TreeData>;

const DEFAULT_BUDGET = 1000;
const MIN_BUDGET = 100;
const MAX_BUDGET = 20_000;

const properties = {
  path: { type: 'string', description: 'Directory, or a fold that a map showed.', default: '.' },
  budget: {
    type: 'integer',
    minimum: MIN_BUDGET,
    maximum: MAX_BUDGET,
    description: 'Tokens; 100 to find one file.',
    default: DEFAULT_BUDGET,
  },
  match: { type: 'string', description: 'Only this word or glob: "auth", "src/**/*.ts".' },
  ignore: { type: 'array', items: { type: 'string' }, description: 'Globs to leave out.' },
  respect_git_ignore: { type: 'boolean', default: true },
} as const;

const PARAMETERS = Object.keys(properties);

const TAKES =
  `Tree takes path, budget (${MIN_BUDGET} to ${MAX_BUDGET} tokens), match (a word or glob), ignore (a list) and ` +
  'respect_git_ignore (true or false).';

export const tree: DialectTool<TreeResponse> = {
  tool: {
    name: 'Tree',
    title: 'Map of a directory tree',
    description:
      'Map of everything below a directory, within a token budget. A line is a directory, then what is in it. ' +
      '"docs/+90" is a closed directory with 90 files, "test_*+30" stands for 30 files: send its path to open it.',
    parameters: { type: 'object', properties, additionalProperties: false },
  },
  call: callTree,
  fail,
  text: (response) => response.text,
  isError: (response) => response.status === 'error',
};

export async function callTree(params: unknown, workspace: Workspace, options: MapOptions): Promise<TreeResponse> {
  return answered(params, workspace, fail, async (naming) => {
    const query = queryOf(params);
    const call = naming(query.path);
    // Perf: a server that is asked for its tools should not load what draws maps.
    const [{ drawMap }, { dataOf }] = await Promise.all([
      import('../overview/draw.ts'),
      import('../overview/entries.ts'),
    ]);
    const map = await drawMap(query, workspace, options);
    const budget = new Budget({});
    const data = await budget.finish(dataOf(map.root, map.path));
    return answer(map, data, await budget.finish(failedItemsOf(map)), call);
  });
}

function queryOf(params: unknown): MapQuery {
  const given = parametersOf(params);
  const asked = pathOf(given, (quoted) => isComplete(quoted) || isComplete(withoutCount(quoted) ?? ''));
  // Behind a quoted form a count is no part of a name.
  const path = asked.startsWith('"') && !isComplete(asked) ? (withoutCount(asked) ?? asked) : asked;
  const budget = valueFor(given, 'budget') ?? DEFAULT_BUDGET;
  if (!isInteger(budget) || budget < MIN_BUDGET || budget > MAX_BUDGET) {
    throw new ParameterError(`budget must be an integer between ${MIN_BUDGET} and ${MAX_BUDGET}.`);
  }
  const match = valueFor(given, 'match') ?? '';
  if (typeof match !== 'string') throw new ParameterError('match must be a string.');
  const ignore = valueFor(given, 'ignore') ?? [];
  if (!isListOfStrings(ignore)) throw new ParameterError('ignore must be a list of glob patterns.');
  const respectGit = valueFor(given, 'respect_git_ignore') ?? true;
  if (typeof respectGit !== 'boolean') throw new ParameterError('respect_git_ignore must be a boolean.');
  refuseUnknown(given, PARAMETERS);
  return { path, budget, match: match === '' ? null : match, rules: rulesFor(respectGit, ignore) };
}

function isComplete(quoted: string): boolean {
  return unquoted(quoted) !== null || foldAt(quoted) !== null;
}

/** `.git` is never in a map, unless it is what is listed. */
function rulesFor(respectGit: boolean, ignore: readonly string[]): RuleSpec[] {
  const git: RuleSpec = respectGit
    ? { kind: 'ignore-files', git: true, gemini: false, showsListed: true }
    : { kind: 'git-directory' };
  return ignore.length === 0 ? [git] : [{ kind: 'patterns', patterns: ignore }, git];
}

type FailedItem = { path: string; error: string };

/** There can be as many as there are directories, so that others have a turn in between. */
function* failedItemsOf({ path, unreadable }: ProjectMap): Steps<FailedItem[]> {
  const items: FailedItem[] = [];
  for (const directory of unreadable) {
    const error = `This directory could not be read: ${directory.reason}.`;
    items.push({ path: toldPath(below(path, directory.path)), error });
    if (items.length % 256 === 0) yield;
  }
  return items;
}

function answer(
  map: ProjectMap,
  { entries, folds }: Pick<TreeData, 'entries' | 'folds'>,
  unreadable: FailedItem[],
  call: Call,
): TreeResponse {
  const { files, directories, shown, tokens } = map;
  const hidden = [...map.hidden.values()].reduce((sum, count) => sum + count, 0);
  const reply = {
    text: map.text,
    stats: { ...timed(call), files, directories, shown, hidden, tokens },
    context: { ...contextOf(call), path_resolved: toldPath(map.path) },
  };
  const truncated = !map.isWhole || map.stopped !== null;
  const notes = map.notes.length === 0 ? {} : { notes: [...map.notes] };
  if (!truncated && unreadable.length === 0) {
    return mapFirst(success({ ...reply, data: { entries, folds, truncated, ...notes } }));
  }
  const failedItems = unreadable.length === 0 ? {} : { failed_items: unreadable };
  return mapFirst(partial({ ...reply, data: { entries, folds, truncated, ...notes, ...failedItems } }));
}

/** Where an answer is cut because of its length, the map is what should be left, and not a part of its data. */
function mapFirst({ status, text, ...rest }: TreeResponse): TreeResponse {
  return { status, text, ...rest } as TreeResponse;
}

function fail(error: ParameterError | ListingError, call: Call): TreeResponse {
  const isPattern = error instanceof ListingError && error.kind === 'bad-pattern';
  return failed(isPattern ? new ParameterError(`match: ${error.message}`) : error, call, 'Tree', TAKES);
}
