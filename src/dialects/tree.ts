/** The standard dialect's second tool: `Tree`, a map of everything below a directory within a token budget. */
import { unquoted } from '../names/quote.ts';
import { MAX_DEFAULT, MIN_DEFAULT } from '../overview/default-budget.ts';
import { foldAt, withoutCount } from '../overview/dense-name.ts';
import type { TreeEntry, TreeFold } from '../overview/entries.ts';
import type { MapOptions, MapQuery, ProjectMap } from '../overview/project-map.ts';
import type { ToolResponse } from '../protocol/envelope.ts';
import type { RuleSpec } from '../rules/rule-spec.ts';
import type { Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Call, defineTool, hiddenIn, type ToolReply } from './dialect.ts';
import { ParameterReader, stringIn } from './parameters.ts';
import { enveloped, envelopedFailure, projectResponse } from './standard-envelope.ts';

/** The content of a map, as data. */
export type TreeData = {
  entries: TreeEntry[];
  folds: TreeFold[];
  truncated: boolean;
  /** Notes on ignore rules that could not be used, with the reason; absent if there are none. */
  notes?: string[];
};
/** The answer of `Tree`. */
export type TreeResponse = ToolResponse<TreeData>;

type TreeRequest = { readonly query: MapQuery };

export const MIN_BUDGET = 100;
export const MAX_BUDGET = 20_000;

export const treeProperties = {
  path: { type: 'string', description: 'Directory (default ".") or a fold of a map.' },
  budget: {
    type: 'integer',
    minimum: MIN_BUDGET,
    maximum: MAX_BUDGET,
    description: `${MIN_BUDGET} to ${MAX_BUDGET} tokens, default ${MIN_DEFAULT} to ${MAX_DEFAULT}.`,
  },
  ignore: { type: 'array', items: { type: 'string' }, description: 'Globs to hide.' },
  respect_git_ignore: { type: 'boolean', description: 'Default true.' },
} as const;

const ADVICE = {
  name: 'Tree',
  takes:
    `Tree takes path, budget (${MIN_BUDGET} to ${MAX_BUDGET} tokens), ignore (a list) and respect_git_ignore ` +
    '(true or false).',
};

export const tree = defineTool<TreeRequest, ProjectMap, TreeResponse, MapOptions>({
  tool: {
    name: 'Tree',
    title: 'Explore project structure',
    description:
      'Map of the project structure: all files below a directory, within a token budget. ' +
      '"docs/+90 a.md" has 90 files more, "test_*+30" are 30 files: send the path to open it. ' +
      '"*.ts: a b" is a.ts b.ts; all in "out/-" is hidden.',
    parameters: { type: 'object', properties: treeProperties, additionalProperties: false },
    use: 'Use Tree first, to explore the structure of a project or any directory tree at once.',
    keywords:
      'explore project structure, directory tree, codebase overview, repository map, ' +
      'list all files in a directory recursively',
  },
  pathOf,
  parse: parseTree,
  read,
  answer,
  fail: (error, call) => envelopedFailure(error, call, ADVICE),
  suggests: true,
});

/** Returns the directory of the call. For a fold, that is the directory that contains it. */
function pathOf(params: unknown): string | null {
  const path = stringIn(params, 'path');
  if (path === null) return null;
  const asked = withoutCount(path) ?? path;
  return foldAt(asked)?.directory ?? asked;
}

export function parseTree(params: unknown): TreeRequest {
  const given = new ParameterReader(params);
  const asked = given.path((quoted) => isComplete(quoted) || isComplete(withoutCount(quoted) ?? ''));
  // A count after a quoted string is not part of the name.
  const path = asked.startsWith('"') && !isComplete(asked) ? (withoutCount(asked) ?? asked) : asked;
  const isBound = given.value('budget') !== undefined;
  const budget = isBound ? given.integer('budget', MIN_BUDGET, MIN_BUDGET, MAX_BUDGET) : null;
  const rules = projectRules(given);
  given.allowOnly(treeProperties);
  return { query: { path, budget, rules } };
}

/** The rules of a call that sees a whole project, by its parameters `ignore` and `respect_git_ignore`. */
export function projectRules(given: ParameterReader): readonly RuleSpec[] {
  const ignore = given.patterns('ignore');
  // It never shows `.git`, unless that is the listed directory.
  const git = given.boolean('respect_git_ignore', true)
    ? ({ kind: 'ignore-files', git: true, gemini: false, showsListed: true } as const)
    : ({ kind: 'git-directory' } as const);
  return ignore.length === 0 ? [git] : [{ kind: 'patterns', patterns: ignore } as const, git];
}

function isComplete(quoted: string): boolean {
  return unquoted(quoted) !== null || foldAt(quoted) !== null;
}

async function read({ query }: TreeRequest, workspace: Workspace, options: MapOptions): Promise<ProjectMap> {
  // Perf: a server should not load the code that draws maps just to declare its tools.
  const { drawMap } = await import('../overview/draw.ts');
  return drawMap(query, workspace, options);
}

function* answer(map: ProjectMap, _: TreeRequest, call: Call): Steps<ToolReply<TreeResponse>> {
  const { files, directories, shown, tokens } = map;
  const data = { ...map.data, truncated: !map.isWhole || map.stopped !== null };
  const counts = { files, directories, shown, hidden: hiddenIn(map), tokens };
  const { status, text, ...rest } = yield* projectResponse<TreeData>(map, data, counts, call);
  // The text comes first: if a client cuts a long answer, it should keep the map, not a part of the data.
  return enveloped({ status, text, ...rest } as TreeResponse);
}
