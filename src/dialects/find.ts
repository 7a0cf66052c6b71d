/** The standard dialect's third tool: `Find`, the files that somebody means, best first. */
import type { FindQuery } from '../find/project-files.ts';
import type { CallOptions } from '../listing/query.ts';
import { below } from '../names/bytes.ts';
import type { ToolResponse } from '../protocol/envelope.ts';
import { ListingError } from '../workspace/listing-error.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { type Call, defineTool, ParameterError, type ToolReply } from './dialect.ts';
import { ParameterReader, stringIn } from './parameters.ts';
import { enveloped, envelopedFailure, projectResponse, rootRelative } from './standard-envelope.ts';
import { projectRules } from './tree.ts';

/** A file that was found, or a directory whose name is the query. */
export type FindEntry = { path: string; type: 'file' | 'link' | 'dir' };

/** The content of an answer of `Find`, as data. */
export type FindData = {
  /** Best first. */
  entries: FindEntry[];
  truncated: boolean;
  /** Notes on ignore rules that could not be used, with the reason; absent if there are none. */
  notes?: string[];
};
/** The answer of `Find`. */
export type FindResponse = ToolResponse<FindData>;

type FindRequest = { readonly query: FindQuery };

/** What was found, and how the model reads it. */
type Written = Awaited<ReturnType<typeof read>>;

const DEFAULT_LIMIT = 20;
export const MAX_LIMIT = 200;
const LIMITS = `1 to ${MAX_LIMIT}, default ${DEFAULT_LIMIT}.`;

/** Characters. A longer query is not a question. */
const LONGEST_QUERY = 2000;

export const findProperties = {
  query: { type: 'string', description: 'Words ("http retry"), end of a path, or glob ("src/**/*.ts").' },
  path: { type: 'string', description: 'Directory to search (default ".").' },
  limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: LIMITS },
  ignore: { type: 'array', items: { type: 'string' }, description: 'Globs to hide.' },
  respect_git_ignore: { type: 'boolean', description: 'Default true.' },
} as const;

const ADVICE = {
  name: 'Find',
  takes:
    `Find takes query (words, the end of a path or a glob), path, limit (1 to ${MAX_LIMIT}), ignore (a list) and ` +
    'respect_git_ignore (true or false).',
};

export const find = defineTool<FindRequest, Written, FindResponse, CallOptions>({
  tool: {
    name: 'Find',
    title: 'Find files',
    description:
      'Find files by words, part of a path or glob, best first; not every word must match. ' +
      'Goes by names and past commits ("^": commits alone), not contents. "src/ a.ts b.ts" is src/a.ts and src/b.ts.',
    parameters: { type: 'object', properties: findProperties, required: ['query'], additionalProperties: false },
    use: 'Use Find to search files by name, topic or glob, anywhere in the project.',
    keywords:
      'find file, search files by name, glob, find files by pattern, locate file, fuzzy file search, which file, ' +
      'where is, grep file names',
  },
  pathOf: (params) => stringIn(params, 'path'),
  parse,
  read,
  answer,
  fail,
  suggests: true,
});

function parse(params: unknown): FindRequest {
  const given = new ParameterReader(params);
  const query = given.value('query');
  if (typeof query !== 'string' || query.trim() === '')
    throw new ParameterError('query must be a text: words, the end of a path, or a glob.');
  if (query.length > LONGEST_QUERY) {
    throw new ParameterError(
      `query must be at most ${LONGEST_QUERY} characters long.`,
      'Send a few words that the name, the directories or the topic of the file may have.',
    );
  }
  const path = given.path();
  const limit = given.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
  const rules = projectRules(given);
  given.allowOnly(findProperties);
  return { query: { query, path, limit, rules } };
}

async function read({ query }: FindRequest, workspace: Workspace, options: CallOptions) {
  // Perf: a server should not load the code that searches just to declare its tools.
  const [{ findFiles }, { textOfFound }, { countTokens }] = await Promise.all([
    import('../find/find.ts'),
    import('../find/text.ts'),
    import('../overview/token-count.ts'),
  ]);
  const found = await findFiles(query, workspace, options);
  const text = textOfFound(found);
  return { ...found, text, count: () => countTokens(text) };
}

function* answer(found: Written, _: FindRequest, call: Call): Steps<ToolReply<FindResponse>> {
  const { path, files, matched, stopped } = found;
  const entries = yield* mapped(files, (file) => ({ path: rootRelative(below(path, file.path)), type: file.type }));
  const truncated = stopped !== null || matched > files.filter(({ type }) => type !== 'dir').length;
  const hidden = found.hidden.reduce((sum, { count }) => sum + count, found.inside);
  const counts = { matched, returned: entries.length, hidden, tokens: yield* found.count() };
  return enveloped(yield* projectResponse<FindData>(found, { entries, truncated }, counts, call));
}

function fail(error: ParameterError | ListingError, call: Call): ToolReply<FindResponse> {
  const isPattern = error instanceof ListingError && error.kind === 'bad-pattern';
  return envelopedFailure(isPattern ? new ParameterError(`query: ${error.message}`) : error, call, ADVICE);
}
