/** The gemini dialect: `list_directory` of Gemini CLI. */
import { isAbsolute } from 'node:path';
import { listDirectory } from '../listing/list.ts';
import { type Entry, type Listing, PLAIN, type Query } from '../listing/query.ts';
import { bytesOfShown, escaped, shown, shownAsGiven, shownUnlike } from '../names/quote.ts';
import { type Fields, isFields } from '../protocol/plain.ts';
import { now } from '../workspace/clock.ts';
import { type FailureKind, ListingError } from '../workspace/listing-error.ts';
import { joined, type Steps } from '../workspace/steps.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Call, ListingRequest, ToolDefinition, ToolReply } from './dialect.ts';
import { defineDialect, defineTool, LISTING_KEYWORDS, ParameterError, STOP_REASONS } from './dialect.ts';
import { ConfigError, DEFAULT_FILTERING, type FileFiltering, projectFiltering } from './gemini-config.ts';
import { stringIn, valueFor } from './parameters.ts';

/** A text for the model, and a line for the person beside it. */
export interface ListDirectoryResult {
  readonly llmContent: string;
  readonly returnDisplay: string;
  /** Only with `debug: true`. */
  readonly debug?: ListDirectoryDebug;
}

/** The counts and timings of `list_directory`. */
export interface ListDirectoryDebug {
  /** Entries of the directory, hidden ones included. */
  readonly totalFiles: number;
  readonly visibleFiles: number;
  readonly gitIgnored: number;
  readonly geminiIgnored: number;
  /** Hidden by `ignore`, or by the project's `defaultIgnorePatterns`. */
  readonly globIgnored: number;
  /** True if the directory was not read, because it is known not to have changed. */
  readonly fromCache: boolean;
  /** In milliseconds. */
  readonly timings: { readonly listing: number; readonly total: number };
  /** Notes on rules that could not be used, with the reason. */
  readonly notes?: readonly string[];
}

interface ListDirectoryRequest extends ListingRequest {
  readonly wantsDebug: boolean;
  /** Reasons why the project's `.geminiconfig` cannot be used, if any: clauses without a full stop. */
  readonly notes: readonly string[];
}

export const geminiProperties = {
  path: { type: 'string', description: 'Absolute path of the directory to list.' },
  ignore: {
    type: 'array',
    items: { type: 'string' },
    description: 'Glob patterns of names to leave out, such as "*.log" or "*.{tmp,bak}".',
  },
  file_filtering_options: {
    type: 'object',
    description: 'Whether ignore files count.',
    properties: {
      respect_git_ignore: { type: 'boolean', description: 'Hide what git ignores.', default: true },
      respect_gemini_ignore: { type: 'boolean', description: 'Hide what .geminiignore names.', default: true },
    },
  },
} as const;

/** `defaults` apply where neither the call nor `.geminiconfig` sets an option. `arranged` returns what is shown. */
export function listDirectoryWith(
  defaults: Partial<FileFiltering> = {},
  metadata: Query['metadata'] = 'none',
  arranged = async (listing: Listing) => listing,
): ToolDefinition<ListDirectoryRequest, Listing, ListDirectoryResult> {
  return {
    tool: {
      name: 'list_directory',
      title: 'ReadFolder',
      description:
        'Lists the names of files and subdirectories directly within a specified directory path. ' +
        'Can optionally ignore entries matching provided glob patterns.',
      parameters: { type: 'object', properties: geminiProperties, required: ['path'] },
      use: 'Use list_directory to list the files and subdirectories of one directory, by its absolute path.',
      keywords: LISTING_KEYWORDS,
    },
    pathOf: (params) => stringIn(params, 'path'),
    parse: (params, workspace) => parse(params, workspace, defaults),
    read: async ({ query }, workspace, options) =>
      arranged(await listDirectory({ ...query, metadata }, workspace, options)),
    answer,
    fail,
  };
}

const definition = listDirectoryWith();

export const gemini = defineDialect(defineTool(definition), (ignore, workspace) => {
  const { query, notes } = definition.parse({ path: workspace.realPath, ignore }, workspace);
  return { rules: query.rules, notes };
});

/** The call's options override the project's, which override the program's. */
function parse(params: unknown, workspace: Workspace, defaults: Partial<FileFiltering>): ListDirectoryRequest {
  const wishes = checkedWishes(params);
  const project = projectOrNote(workspace);
  const filtering = { ...DEFAULT_FILTERING, ...defaults, ...project.filtering };
  const patterns = [...filtering.defaultIgnorePatterns, ...wishes.ignore];
  return {
    query: {
      ...PLAIN,
      path: wishes.path,
      rules: [
        ...(patterns.length === 0 ? [] : [{ kind: 'name-patterns', patterns } as const]),
        {
          kind: 'ignore-files',
          git: wishes.respectGitIgnore ?? filtering.respectGitIgnore,
          gemini: wishes.respectGeminiIgnore ?? filtering.respectGeminiIgnore,
          hidesTracked: true,
        },
      ],
      order: 'english',
      page: { offset: 0, limit: Number.POSITIVE_INFINITY },
    },
    wantsDebug: wishes.debug === true,
    notes: project.notes,
  };
}

/** "A rule file that cannot be used does not stop the call: a note says which and why." */
function projectOrNote(workspace: Workspace): { filtering: Partial<FileFiltering>; notes: string[] } {
  try {
    return { filtering: projectFiltering(workspace), notes: [] };
  } catch (error) {
    if (error instanceof ConfigError) return { filtering: {}, notes: [error.message] };
    // If the root is gone, the listing itself fails and says so.
    if (error instanceof ListingError && error.kind === 'missing') return { filtering: {}, notes: [] };
    throw error;
  }
}

/** Words its errors as the original's schema validator does. */
function checkedWishes(params: unknown) {
  if (!isFields(params)) throw new ParameterError('params must be object');
  const path = valueFor(params, 'path');
  if (path === undefined) throw new ParameterError("params must have required property 'path'");
  if (typeof path !== 'string') throw new ParameterError('params/path must be string');
  const ignore = valueFor(params, 'ignore') ?? [];
  if (!Array.isArray(ignore)) throw new ParameterError('params/ignore must be array');
  const wrong = ignore.findIndex((pattern) => typeof pattern !== 'string');
  if (wrong >= 0) throw new ParameterError(`params/ignore/${wrong} must be string`);
  const options = valueFor(params, 'file_filtering_options') ?? {};
  if (!isFields(options)) throw new ParameterError('params/file_filtering_options must be object');
  const respectGitIgnore = flagFor(options, 'respect_git_ignore', 'params/file_filtering_options');
  const respectGeminiIgnore = flagFor(options, 'respect_gemini_ignore', 'params/file_filtering_options');
  const debug = flagFor(params, 'debug', 'params');
  const bytes = bytesOfShown(path);
  if (bytes === null)
    throw new ParameterError('path is a malformed quoted string; send the name as it was listed, with its quotes');
  if (!isAbsolute(bytes)) throw new ParameterError(`Path must be absolute: ${shownAsGiven(path)}`);
  return { path, ignore: ignore as string[], respectGitIgnore, respectGeminiIgnore, debug };
}

function flagFor(options: Fields, name: string, where: string): boolean | undefined {
  const value = valueFor(options, name);
  if (value === undefined || typeof value === 'boolean') return value;
  throw new ParameterError(`${where}/${name} must be boolean`);
}

function* answer(listing: Listing, request: ListDirectoryRequest, call: Call): Steps<ToolReply<ListDirectoryResult>> {
  const listed = now();
  const { entries, hidden } = listing;
  const notes = [...request.notes, ...listing.notes];
  const isEmpty = entries.length === 0 && hidden.size === 0 && notes.length === 0;
  const result = isEmpty
    ? { llmContent: `Directory ${shownAsGiven(call.path)} is empty.`, returnDisplay: 'Directory is empty.' }
    : { llmContent: yield* entriesText(listing, notes), returnDisplay: `Listed ${entries.length} items` };
  const debug = request.wantsDebug ? { debug: debugOf(listing, notes, call, listed) } : {};
  return { answer: { ...result, ...debug }, text: result.llmContent, isError: false };
}

function* entriesText({ entries, hidden, stopped }: Listing, notes: readonly string[]): Steps<string> {
  const counts = [
    ...(hidden.has('git') ? [`${hidden.get('git')} git-ignored`] : []),
    ...(hidden.has('gemini') ? [`${hidden.get('gemini')} gemini-ignored`] : []),
  ];
  const summary = counts.length === 0 ? '' : `\n(${counts.join(', ')} items hidden)`;
  // This line and the notes end like the summary, so that no name can forge them either.
  const incomplete =
    stopped === null ? '' : `\n(incomplete, because ${STOP_REASONS[stopped]}: an unknown number of items hidden)`;
  const noted = notes.map((note) => `\n(${escaped(note)}: there may be fewer items hidden)`);
  return (yield* joined(entries, nameLine, '\n')) + summary + incomplete + noted.join('');
}

/** Writes one line of the text: the name, marked if it leads to a directory. */
export function nameLine({ name, leadsToDirectory }: Entry): string {
  return (leadsToDirectory ? '[DIR] ' : '') + shownName(name);
}

/** A directory, the summary, and what a text may be instead of a list. */
const shownName = shownUnlike(
  /^(?:\[DIR\] |\(.* items hidden\)$|Directory .* is empty\.$|Error: |Error accessing directory: )/,
);

function debugOf(listing: Listing, notes: readonly string[], { started }: Call, listed: number): ListDirectoryDebug {
  const { entries, hidden, isFromCache } = listing;
  const rounded = (milliseconds: number) => Math.round(1000 * milliseconds) / 1000;
  const gitIgnored = hidden.get('git') ?? 0;
  const geminiIgnored = hidden.get('gemini') ?? 0;
  const globIgnored = hidden.get('argument') ?? 0;
  return {
    totalFiles: entries.length + gitIgnored + geminiIgnored + globIgnored,
    visibleFiles: entries.length,
    gitIgnored,
    geminiIgnored,
    globIgnored,
    fromCache: isFromCache,
    timings: { listing: rounded(listed - started), total: rounded(now() - started) },
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function fail(error: ParameterError | ListingError, call: Call): ToolReply<ListDirectoryResult> {
  if (error instanceof ParameterError) return invalid(error.message);
  const { kind, message } = error;
  if (kind === 'outside') return invalid(outsideReason(call));
  const fault = FAULTS[kind];
  if (fault !== undefined) return failedWith(`Error: ${fault}: ${shownAsGiven(call.path)}`, `${fault}.`);
  const isStopped = kind === 'timeout' || kind === 'aborted';
  const reason = isStopped ? `${STOP_REASONS[kind]} before anything was read` : message;
  return failedWith(`Error accessing directory: ${reason}`, 'Failed to access directory.');
}

const FAULTS: Readonly<Partial<Record<FailureKind, string>>> = {
  missing: 'Directory not found or inaccessible',
  'not-a-directory': 'Path is not a directory',
  denied: 'Permission denied accessing directory',
};

export function outsideReason({ path, workspace }: Pick<Call, 'path' | 'workspace'>): string {
  return `Path must be within the root directory (${shown(workspace.givenPath)}): ${shownAsGiven(path)}`;
}

function invalid(reason: string): ToolReply<ListDirectoryResult> {
  return failedWith(`Error: Invalid parameters provided. Reason: ${reason}`, 'Failed to execute tool.');
}

function failedWith(llmContent: string, display: string): ToolReply<ListDirectoryResult> {
  return { answer: { llmContent, returnDisplay: `Error: ${display}` }, text: llmContent, isError: true };
}
