import { isAbsolute, relative, sep } from 'node:path';
import { defineTool, ParameterError, parseWithinLimits, type ToolDeclaration } from '../../dialects/dialect.ts';
import { gemini, type ListDirectoryResult, listDirectoryWith, outsideReason } from '../../dialects/gemini.ts';
import { type FileFiltering, filteringIn } from '../../dialects/gemini-config.ts';
import { listDirectory } from '../../listing/list.ts';
import type { CallOptions, Entry, Listing } from '../../listing/query.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { mimeType } from '../../text/mime-type.ts';
import { shortPath } from '../../text/short-path.ts';
import { Budget } from '../../workspace/budget.ts';
import { type Bytes, below, bytesOf } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { type Owners, readOwners } from '../../workspace/owners.ts';
import { asGiven } from '../../workspace/paths.ts';
import { inJson, shown, shownAsGiven, unquoted } from '../../workspace/quote.ts';
import { retrying } from '../../workspace/retrying.ts';
import type { Metadata } from '../../workspace/source.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { metadataOf } from './list.ts';
import { checkCall, withUsageErrors } from './misuse.ts';

/** Everything but `isDirectory` describes a link itself. */
export interface FileEntry {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  /** A directory, or a link to one inside the workspace. */
  readonly isDirectory: boolean;
  /** Bytes; 0 for a directory. */
  readonly size: number;
  readonly modifiedTime: Date;
  /** As `ls -l` writes them: `-rw-r--r--`. */
  readonly permissions: string;
  readonly owner: string;
  readonly group: string;
  /** MIME type, as the name suggests it. */
  readonly type: string;
  readonly isSymlink: boolean;
  /** A link's own text. */
  readonly linkTarget?: string;
}

export interface ListDirectoryToolOptions {
  /** Filters that apply where neither a call nor the project's `.geminiconfig` says otherwise. */
  readonly fileFiltering?: Partial<FileFiltering>;
  /** An order of one's own, in place of directories first and then by name. */
  readonly sort?: (a: FileEntry, b: FileEntry) => number;
  /**
   * Use again what was read, as long as it has provably not changed.
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
  /** Says why the parameters are refused; null when they are not. */
  validateToolParams(params: unknown): string | null;
  /** A call in a few words: the directory, relative to the root and shortened. */
  getDescription(params: unknown): string;
  execute(params: unknown, signal?: AbortSignal): Promise<ListDirectoryResult>;
  /** Lists the same as `execute`, as data. Throws a ListingError, or a UsageError for parameters that are refused. */
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
  const definition = listDirectoryWith(defaults, sort === undefined ? 'none' : 'page', (listing) =>
    sort === undefined ? listing : sorted(listing, workspace, sort).listing,
  );
  const tool = defineTool(definition);
  const callOptions = (signal: AbortSignal | undefined): CallOptions => ({ signal, cache });

  return {
    name,
    displayName: title,
    description,
    schema: parameters,
    validateToolParams: (params) => reasonToRefuse(definition, params, workspace),
    getDescription: (params) => describe(params, workspace),
    execute: async (params, signal) => (await tool.call(params, workspace, callOptions(signal))).answer,
    entries: async (params, signal) => {
      const parse = () => withUsageErrors(() => parseWithinLimits(definition, params, workspace));
      const { query } = await retrying(parse, new Budget({ signal }));
      const listing = await listDirectory({ ...query, metadata: 'page' }, workspace, callOptions(signal));
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
  const files = fileEntries(listing, workspace.givenPath);
  for (const [i, file] of files.entries()) entries.set(file, listing.entries[i] as Entry);
  if (sort !== undefined) files.sort(sort);
  return { listing: { ...listing, entries: files.map((file) => entries.get(file) as Entry) }, files };
}

/** Takes a listing that was asked for with metadata, made in the workspace whose real root is `rootPath`. */
function fileEntries(listing: Listing, rootPath: Bytes): FileEntry[] {
  const owners = readOwners();
  const directory = listing.path === '' ? rootPath : below(rootPath, listing.path);
  return listing.entries.map((entry) => ({
    name: inJson(entry.name),
    path: inJson(below(directory === '/' ? ('' as Bytes) : directory, entry.name)),
    isDirectory: entry.leadsToDirectory,
    type: mimeType(entry.name, entry.type),
    isSymlink: entry.type === 'link',
    ...(entry.metadata === null ? UNDESCRIBED : describedBy(entry.metadata, entry.leadsToDirectory, owners)),
  }));
}

type Described = Pick<FileEntry, 'size' | 'modifiedTime' | 'permissions' | 'owner' | 'group' | 'linkTarget'>;

/** Stands for an entry whose metadata the system refuses. */
const UNDESCRIBED: Described = {
  size: 0,
  modifiedTime: new Date(Number.NaN),
  permissions: '??????????',
  owner: '?',
  group: '?',
};

function describedBy(metadata: Metadata, leadsToDirectory: boolean, owners: Owners): Described {
  const { size, modified, permissions, owner, group, target } = metadataOf(metadata, owners);
  const linkTarget = target === undefined ? {} : { linkTarget: target };
  return { size: leadsToDirectory ? 0 : size, modifiedTime: modified, permissions, owner, group, ...linkTarget };
}

/** That there is nothing at the path, or that it is not a directory, is not the fault of the parameters. */
function reasonToRefuse(
  definition: ReturnType<typeof listDirectoryWith>,
  params: unknown,
  workspace: Workspace,
): string | null {
  let path = '';
  try {
    ({ path } = parseWithinLimits(definition, params, workspace).query);
    workspace.enter(asGiven(path)).leave();
    return null;
  } catch (error) {
    if (error instanceof ParameterError) return error.message;
    const isOutside = error instanceof ListingError && error.kind === 'outside';
    return isOutside ? outsideReason({ path, workspace }) : null;
  }
}

/** Anything may have been sent, and it is described all the same. */
function describe(params: unknown, workspace: Workspace): string {
  const path = gemini.pathOf(params);
  if (path === null) return '';
  const bytes = path.startsWith('"') ? unquoted(path) : bytesOf(path);
  if (bytes === null || !isAbsolute(bytes)) return shortPath(shownAsGiven(path));
  return shortPath(shown(fromRoot(bytes, workspace)) || '.');
}

/** Relative to the root, by whichever of its paths the caller knows it. */
function fromRoot(path: Bytes, { rootBytes, aliases }: Workspace): Bytes {
  const inside = aliases.map((alias) => relative(alias, path)).find(isInside);
  return (inside ?? relative(rootBytes, path)) as Bytes;
}

function isInside(way: string): boolean {
  return way.split(sep, 1)[0] !== '..';
}
