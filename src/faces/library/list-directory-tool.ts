import { isAbsolute, relative, sep } from 'node:path';
import {
  callDialect,
  type Dialect,
  ParameterError,
  refuseTooLarge,
  type ToolDeclaration,
} from '../../dialects/dialect.ts';
import { gemini, type ListDirectoryResult, outsideReason, queryWith } from '../../dialects/gemini.ts';
import { type FileFiltering, filteringIn } from '../../dialects/gemini-config.ts';
import { type FileEntry, fileEntries } from '../../dialects/gemini-entries.ts';
import { listDirectory } from '../../listing/list.ts';
import type { CallOptions, Entry, Listing, Query } from '../../listing/query.ts';
import { tooLarge } from '../../protocol/size.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { shortPath } from '../../text/short-path.ts';
import { type Bytes, bytesOf } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { shown, shownAsGiven, unquoted } from '../../workspace/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkCall, withUsageErrors } from './misuse.ts';

export interface ListDirectoryToolOptions {
  /** What is filtered where neither a call nor the project's `.geminiconfig` says so. */
  readonly fileFiltering?: Partial<FileFiltering>;
  /** An order of one's own, in place of directories first and then by name. */
  readonly sort?: (a: FileEntry, b: FileEntry) => number;
  /**
   * Whether what was read may be used again, as long as it has provably not changed.
   * @default true
   */
  readonly cache?: boolean;
}

/** `list_directory` with the methods that Gemini CLI's own tool has, and its entries as data. */
export interface ListDirectoryTool {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly schema: ToolDeclaration['parameters'];
  /** Why the parameters are refused; null when they are not. */
  validateToolParams(params: unknown): string | null;
  /** A call in a few words: the directory, relative to the root and shortened. */
  getDescription(params: unknown): string;
  execute(params: unknown, signal?: AbortSignal): Promise<ListDirectoryResult>;
  /** What `execute` lists, as data. Throws a ListingError, or a UsageError for parameters that are refused. */
  entries(params: unknown, signal?: AbortSignal): Promise<FileEntry[]>;
}

/**
 * The tool of the gemini dialect, to be put where Gemini CLI's own stands.
 *
 * @example await listDirectoryTool(workspace, { sort: (a, b) => b.size - a.size }).execute({ path: '/abs/project' })
 */
export function listDirectoryTool(workspace: Workspace, options: ListDirectoryToolOptions = {}): ListDirectoryTool {
  checkOptions('listDirectoryTool', options, ['fileFiltering', 'sort', 'cache']);
  const { fileFiltering = {}, sort, cache = true } = options;
  checkCall('listDirectoryTool', workspace, { cache });
  checkOptions('fileFiltering', fileFiltering, ['defaultIgnorePatterns', 'respectGitIgnore', 'respectGeminiIgnore']);
  if (sort !== undefined && typeof sort !== 'function') throw new UsageError('sort must be a function.');
  const defaults = filteringIn({ ...fileFiltering }, (reason) => new UsageError(`${reason}.`));
  const { name, title, description, parameters } = gemini.tool;

  const queryFor = (params: unknown, metadata: Query['metadata']): Query => {
    refuseTooLarge(params);
    return { ...queryWith(params, workspace, defaults), metadata };
  };
  const speaker: Dialect<ListDirectoryResult> = {
    ...gemini,
    query: (params) => queryFor(params, sort === undefined ? 'none' : 'page'),
    answer: (listing, call) =>
      gemini.answer(sort === undefined ? listing : sorted(listing, workspace, sort).listing, call),
  };
  const callOptions = (signal: AbortSignal | undefined): CallOptions => ({ signal, cache });

  return {
    name,
    displayName: title,
    description,
    schema: parameters,
    validateToolParams: (params) => refusal(params, workspace),
    getDescription: (params) => describe(params, workspace),
    execute: (params, signal) => callDialect(speaker, params, workspace, callOptions(signal)),
    entries: async (params, signal) => {
      const query = withUsageErrors(() => queryFor(params, 'page'));
      const listing = await listDirectory(query, workspace, callOptions(signal));
      return sorted(listing, workspace, sort).files;
    },
  };
}

/** The listing in an order of one's own, and its entries as data. */
function sorted(
  listing: Listing,
  workspace: Workspace,
  sort: ListDirectoryToolOptions['sort'],
): { listing: Listing; files: FileEntry[] } {
  const entries = new Map<FileEntry, Entry>();
  const files = fileEntries(listing, workspace.realPath);
  for (const [i, file] of files.entries()) entries.set(file, listing.entries[i] as Entry);
  if (sort !== undefined) files.sort(sort);
  return { listing: { ...listing, entries: files.map((file) => entries.get(file) as Entry) }, files };
}

function refusal(params: unknown, workspace: Workspace): string | null {
  try {
    refuseTooLarge(params);
    const { path } = gemini.query(params, workspace);
    workspace.enter(path).leave();
    return null;
  } catch (error) {
    if (error instanceof ParameterError) return error.message;
    // That it is not there, or no directory, is no fault of the parameters.
    const isOutside = error instanceof ListingError && error.kind === 'outside';
    return isOutside ? outsideReason({ path: (params as { path: string }).path, workspace }) : null;
  }
}

/** What was sent may be anything, and is described all the same. */
function describe(params: unknown, workspace: Workspace): string {
  const path = typeof params === 'object' && params !== null && 'path' in params ? params.path : undefined;
  if (typeof path !== 'string' || tooLarge(path, '') !== null) return '';
  const bytes = path.startsWith('"') ? unquoted(path) : bytesOf(path);
  if (bytes === null || !isAbsolute(bytes)) return shortPath(shownAsGiven(path));
  return shortPath(shown(fromRoot(bytes, workspace)) || '.');
}

/** Relative to the root, by whichever of its paths the caller knows it. */
function fromRoot(path: Bytes, { realPath, givenPath }: Workspace): Bytes {
  const [first, second] = [relative(realPath, path), relative(givenPath, path)];
  return (isInside(second) && !isInside(first) ? second : first) as Bytes;
}

function isInside(way: string): boolean {
  return way.split(sep, 1)[0] !== '..';
}
