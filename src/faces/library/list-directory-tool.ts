import { isAbsolute, relative, sep } from 'node:path';
import { defineTool, ParameterError, parseWithinLimits, type ToolDeclaration } from '../../dialects/dialect.ts';
import { gemini, type ListDirectoryResult, listDirectoryWith, outsideReason } from '../../dialects/gemini.ts';
import { type FileFiltering, filteringIn } from '../../dialects/gemini-config.ts';
import type { LSToolParams } from '../../dialects/params.ts';
import { readOwners } from '../../disk/owners.ts';
import { endsOfLinks } from '../../listing/link-ends.ts';
import { listDirectory } from '../../listing/list.ts';
import type { CallOptions, Entry, Listing } from '../../listing/query.ts';
import type { Bytes } from '../../names/bytes.ts';
import { asGiven, inAbsolute, withSlashes } from '../../names/paths.ts';
import { bytesOfShown, inJson, shown, shownAsGiven } from '../../names/quote.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { shortPath } from '../../text/lines.ts';
import { mimeType } from '../../text/mime-type.ts';
import { Budget, retrying } from '../../workspace/budget.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Metadata } from '../../workspace/source.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { withCallbacks } from './callbacks.ts';
import { absoluteAt, metadataOf } from './list.ts';
import { checkCallOptions, checkTypes, withUsageErrors } from './misuse.ts';
import { type Place, workspaceAt } from './open-workspace.ts';

/** An entry of a directory. A link inside the workspace has the size and time of its target; all else is its own. */
export interface FileEntry {
  readonly name: string;
  /** The absolute path, below the root as it was opened. */
  readonly path: string;
  /** True for a directory, and for a link to one inside the workspace. */
  readonly isDirectory: boolean;
  /** The size in bytes; 0 for a directory, and if the system refuses to describe the entry. */
  readonly size: number;
  /** Absent if the system refuses to describe the entry. */
  readonly modifiedTime?: Date;
  /** As `ls -l` writes them: `-rw-r--r--`. */
  readonly permissions: string;
  readonly owner: string;
  readonly group: string;
  /** The MIME type that the name suggests. */
  readonly type: string;
  readonly isSymlink: boolean;
  /** The path stored in a link, unresolved. */
  readonly linkTarget?: string;
}

/** The options of `listDirectoryTool`, by which it differs from Gemini CLI's own tool. */
export interface ListDirectoryToolOptions {
  /** Filters that apply unless a call or the project's `.geminiconfig` overrides them. */
  readonly fileFiltering?: Partial<FileFiltering>;
  /** A custom order, instead of directories first and then by name. If it throws, the call throws the same error. */
  readonly sort?: (a: FileEntry, b: FileEntry) => number;
  /**
   * Reuse what was read before, as long as it has provably not changed.
   * @default true
   */
  readonly cache?: boolean;
}

/** `list_directory` with the methods of Gemini CLI's own tool, and with its entries as data. */
export interface ListDirectoryTool {
  readonly name: string;
  readonly displayName: string;
  readonly description: string;
  /** JSON Schema of the parameters. */
  readonly schema: ToolDeclaration['parameters'];
  /** Returns why the parameters are refused, or null if they are valid. */
  validateToolParams(params: unknown): string | null;
  /** Describes a call in a few words: the directory, relative to the root and shortened. */
  getDescription(params: unknown): string;
  /** Runs a call. Parameters may be passed exactly as a model sent them. */
  execute(params: LSToolParams | Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<ListDirectoryResult>;
  /** Lists the same as `execute`, as data. Throws a ListingError, or a UsageError for parameters that are refused. */
  entries(params: LSToolParams | Readonly<Record<string, unknown>>, signal?: AbortSignal): Promise<FileEntry[]>;
}

/**
 * Creates the tool of the gemini dialect, which returns text and data. `agent-ls/gemini-cli` has it in the shape of
 * Gemini CLI's own.
 *
 * @example await listDirectoryTool('/abs/project', { sort: (a, b) => b.size - a.size }).execute({ path: '/abs/project' })
 */
export function listDirectoryTool(place: Place, options: ListDirectoryToolOptions = {}): ListDirectoryTool {
  const { name, title, description, parameters } = gemini.tool;
  const lister = directoryLister(workspaceAt('listDirectoryTool', place), options);
  return {
    name,
    displayName: title,
    description,
    schema: parameters,
    validateToolParams: (params) => lister.reasonToRefuse(params)?.reason ?? null,
    getDescription: (params) => describeCall(gemini.pathOf(params), lister.workspace),
    execute: lister.execute,
    entries: async (params, signal) => (await lister.list(params, signal)).files.map(({ file }) => file),
  };
}

/** The files that `list_directory` finds in a directory. */
export interface FoundFiles {
  readonly listing: Listing;
  readonly files: readonly FoundFile[];
  /** Explains why the project's `.geminiconfig` or any other rules cannot be used. */
  readonly notes: readonly string[];
}

interface FoundFile {
  readonly file: FileEntry;
  readonly entry: Entry;
  /** True if the size is that of a file, not of a broken link or one that leads outside. */
  readonly isSized: boolean;
}

/** Reorders entries, or removes some. */
type Arrange = (entries: FileEntry[]) => FileEntry[];

/** Creates the tool in one workspace, before it is given the shape of a framework. */
export function directoryLister(workspace: Workspace, options: ListDirectoryToolOptions, order?: Arrange) {
  checkOptions('listDirectoryTool', options, ['fileFiltering', 'sort', 'cache']);
  const { fileFiltering = {}, sort, cache = true } = options;
  checkCallOptions('listDirectoryTool', { cache });
  checkOptions('fileFiltering', fileFiltering, ['defaultIgnorePatterns', 'respectGitIgnore', 'respectGeminiIgnore']);
  checkTypes('function', { sort });
  const defaults = filteringIn({ ...fileFiltering }, (reason) => new UsageError(`${reason}.`));
  const arrange: Arrange | undefined = sort === undefined ? order : (entries) => entries.sort(sort);
  const definition = (arrange: Arrange | undefined) =>
    listDirectoryWith(defaults, arrange === undefined ? 'none' : 'page', async (listing) => {
      if (arrange === undefined) return listing;
      const files = await filesOf(listing, workspace, arrange);
      return { ...listing, entries: files.map(({ entry }) => entry) };
    });
  const plain = definition(undefined);
  const callOptions = (signal: AbortSignal | undefined): CallOptions => ({ signal, cache });
  return {
    workspace,
    execute: (params: unknown, signal?: AbortSignal) =>
      withCallbacks({ arrange }, async (watched) => {
        const tool = defineTool(definition(watched.arrange));
        return (await tool.call(params, workspace, callOptions(signal))).answer;
      }),
    list: (params: unknown, signal?: AbortSignal): Promise<FoundFiles> =>
      withCallbacks({ arrange }, async (watched) => {
        const parse = () => withUsageErrors(() => parseWithinLimits(plain, params, workspace));
        const { query, notes } = await retrying(parse, new Budget({ signal }));
        const listing = await listDirectory({ ...query, metadata: 'page' }, workspace, callOptions(signal));
        const files = await filesOf(listing, workspace, watched.arrange);
        return { listing, files, notes: [...notes, ...listing.notes] };
      }),
    /** A path that does not exist or is not a directory is not a reason. */
    reasonToRefuse: (params: unknown): { readonly reason: string; readonly isOutside: boolean } | null => {
      let path = '';
      try {
        ({ path } = parseWithinLimits(plain, params, workspace).query);
        workspace.enter(asGiven(path)).leave();
        return null;
      } catch (error) {
        if (error instanceof ParameterError) return { reason: error.message, isOutside: false };
        const isOutside = error instanceof ListingError && error.kind === 'outside';
        return isOutside ? { reason: outsideReason({ path, workspace }), isOutside } : null;
      }
    },
  };
}

/** Expects a listing that was requested with metadata. */
async function filesOf(listing: Listing, workspace: Workspace, arrange: Arrange | undefined): Promise<FoundFile[]> {
  const owners = readOwners();
  const directory = absoluteAt(listing.path, workspace);
  const ends = await endsOfLinks(listing, workspace);
  const described = listing.entries.map(async (entry): Promise<FoundFile> => {
    const { metadata, leadsToDirectory, name, type } = entry;
    const end = ends.get(entry);
    const target = end === 'directory' ? await directoryAt(inAbsolute(directory, name), workspace) : end;
    const followed = typeof target === 'object' ? target : metadata;
    const { permissions, owner, group, target: linkTarget } = metadataOf(metadata, owners);
    const { size, modified } = metadataOf(followed, owners);
    const file = {
      name: inJson(name),
      path: inJson(inAbsolute(directory, name)),
      isDirectory: leadsToDirectory,
      size: leadsToDirectory ? 0 : size || 0,
      ...(modified === null ? {} : { modifiedTime: modified }),
      ...{ permissions, owner, group, type: mimeType(name, type), isSymlink: type === 'link' },
      ...(linkTarget === undefined ? {} : { linkTarget }),
    };
    return { file, entry, isSized: metadata !== null && (type !== 'link' || typeof target === 'object') };
  });
  const files = await Promise.all(described);
  if (arrange === undefined) return files;
  const found = new Map(files.map((one) => [one.file, one]));
  return arrange([...found.keys()]).map((file) => found.get(file) as FoundFile);
}

/** Returns the metadata of the directory that a link leads to, or undefined if it has vanished. */
async function directoryAt(path: Bytes, workspace: Workspace): Promise<Metadata | undefined> {
  const budget = Budget.unlimited();
  try {
    const directory = await budget.run(workspace.entering(asGiven(inJson(path)), budget));
    const metadata = directory.metadata('.' as Bytes);
    directory.leave();
    return metadata === null || metadata === 'refused' ? undefined : metadata;
  } catch {
    return undefined;
  }
}

/** Describes a call by its path, even if the path is invalid. */
export function describeCall(path: string | null, workspace: Workspace): string {
  if (path === null) return '';
  const bytes = bytesOfShown(path);
  if (bytes === null || !isAbsolute(bytes)) return shortPath(shownAsGiven(path));
  return shortPath(shown(fromRoot(bytes, workspace)) || '.');
}

/** Makes a path relative to the root, by whichever alias of the root the path starts with. */
function fromRoot(path: Bytes, { rootBytes, aliases }: Workspace): Bytes {
  const inside = aliases.map((alias) => relative(alias, path)).find(isInside);
  return withSlashes((inside ?? relative(aliases[1] ?? rootBytes, path)) as Bytes);
}

/** True if a relative path does not lead out of the directory that it starts at. */
export function isInside(way: string): boolean {
  return way.split(sep, 1)[0] !== '..';
}
