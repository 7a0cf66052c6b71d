import { isListOfStrings } from '../../dialects/parameters.ts';
import { readOwners } from '../../disk/owners.ts';
import { type EntryForm, totalOf } from '../../listing/entry.ts';
import { listDirectoryAs } from '../../listing/list.ts';
import { OFFERED_ORDERS, type OfferedOrder } from '../../listing/orders.ts';
import type { CallOptions, EntryType, Filter, Listing, Query, Selection, Stop } from '../../listing/query.ts';
import { type Bytes, below, isAscii, QUOTE } from '../../names/bytes.ts';
import { inAbsolute, type RootPath } from '../../names/paths.ts';
import { inJson, shownAsGiven } from '../../names/quote.ts';
import { alternatives } from '../../protocol/nearest.ts';
import { tooLarge } from '../../protocol/size.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import type { Origin } from '../../rules/rule.ts';
import type { RuleSpec } from '../../rules/rule-spec.ts';
import { permissionText } from '../../text/metadata.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { Metadata, Owners } from '../../workspace/source.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { withCallbacks } from './callbacks.ts';
import { checkCallOptions, checkTypes } from './misuse.ts';
import { inWorkspace, type Place } from './open-workspace.ts';

/** The options of `list`: what to list, and how. */
export interface ListOptions {
  /**
   * The directory: relative to the cwd, or absolute inside the root.
   * @default '.'
   */
  readonly path?: string;
  /**
   * Show names that start with a dot.
   * @default true
   */
  readonly all?: boolean;
  /**
   * fnmatch patterns of names or paths to leave out.
   * @default []
   */
  readonly ignore?: readonly string[];
  /**
   * The number of levels to list; `Infinity` lists everything below. Links are not followed.
   * @default 1
   */
  readonly depth?: number;
  /**
   * Leave out what git ignores.
   * @default false
   */
  readonly gitIgnore?: boolean;
  /**
   * With 'name', each directory comes right before its contents. The other orders sort all levels together: largest
   * first, newest first, or directories before files.
   * @default 'name'
   */
  readonly order?: ListOrder;
  /**
   * Reverse the order.
   * @default false
   */
  readonly reverse?: boolean;
  /**
   * A minimatch pattern that entries must match: by name, or by path if it contains a `/`. With a list, an entry must
   * match at least one pattern and none that starts with `!`: `['*.ts', '!*.test.ts']`.
   */
  readonly pattern?: string | readonly string[];
  /** Keeps only entries for which it returns true; called last. If it throws, the call throws the same error. */
  readonly filter?: (entry: ListedEntry) => boolean;
  /**
   * Keep only entries of this type.
   * @default 'all'
   */
  readonly types?: Selection['types'];
  /**
   * Read the size, time, permissions, owner and link target of each entry.
   * @default false
   */
  readonly metadata?: boolean;
  /**
   * Return absolute paths, below the root as it was opened.
   * @default false
   */
  readonly absolute?: boolean;
  /**
   * The number of entries to skip.
   * @default 0
   */
  readonly offset?: number;
  /**
   * The maximum number of entries to return.
   * @default Infinity
   */
  readonly limit?: number;
}

/** An entry of a directory. A name that is not valid UTF-8 or starts with `"` is in quoted form. */
export interface ListedEntry {
  readonly name: string;
  /** Relative to the listed directory, or absolute with `absolute: true`. */
  readonly path: string;
  readonly type: EntryType;
  /** Present with `metadata: true`. The metadata of a link is its own, not its target's. */
  readonly metadata?: EntryMetadata;
}

/** An entry of a listing with `metadata: true`. */
export interface DescribedEntry extends ListedEntry {
  readonly metadata: EntryMetadata;
}

/** Metadata of an entry. If the system refuses to read it, the size is 0, names are `?`, and the time is null. */
export interface EntryMetadata {
  /** The size in bytes; NaN if the source does not know it. */
  readonly size: number;
  /** Null if the source does not know it, or if it is out of a Date's range. */
  readonly modified: Date | null;
  /** As `ls -l` writes them: `-rw-r--r--`. */
  readonly permissions: string;
  readonly owner: string;
  readonly group: string;
  /** The path stored in a link, unresolved. */
  readonly target?: string;
}

/** An order that `list` offers. */
export type ListOrder = OfferedOrder;

/** The options that `scan` takes, too. */
export const SCAN_OPTIONS = 'path all ignore gitIgnore depth pattern types filter metadata absolute'.split(' ');

const LIST_OPTIONS = [...SCAN_OPTIONS, 'order', 'reverse', 'offset', 'limit'];

/** A directory as the engine lists it, independent of any dialect. */
export interface DirectoryListing<Listed extends ListedEntry = ListedEntry> {
  /** Relative to the root; '.' is the root. */
  readonly path: string;
  readonly entries: readonly Listed[];
  readonly totals: Readonly<Record<EntryType, number>>;
  /** The number of entries that each kind of rule hid. */
  readonly hidden: Readonly<Partial<Record<Origin, number>>>;
  /** Directories that could not be read, relative to the listed one. */
  readonly unreadable: readonly string[];
  /** The same directories with the reason for each; absent if there are none. */
  readonly failures?: readonly { readonly path: string; readonly reason: string }[];
  /** True if more entries follow this page. */
  readonly more: boolean;
  /** Why reading stopped early; null if it finished. */
  readonly stopped: Stop | null;
  /** Ignore rules that could not be used, and why; absent if there are none. */
  readonly notes?: readonly string[];
}

/**
 * Lists a directory: directories first, then by name, ignoring case. With `depth`, each directory comes right before
 * its contents. Throws a ListingError.
 *
 * @example const { entries } = await list({ path: 'src', ignore: ['*.log'] }, '/abs/project')
 */
export function list(
  query: ListOptions & { readonly metadata: true },
  workspace: Place,
  options?: CallOptions,
): Promise<DirectoryListing<DescribedEntry>>;
export function list(query: ListOptions, workspace: Place, options?: CallOptions): Promise<DirectoryListing>;
export async function list(query: ListOptions, place: Place, options: CallOptions = {}): Promise<DirectoryListing> {
  checkOptions('list', query, LIST_OPTIONS);
  checkCallOptions('list', options);
  const { order = 'name', reverse = false, offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const target = checkedTarget(query);
  const engineOrder = OFFERED_ORDERS.get(order);
  if (engineOrder === undefined)
    throw new UsageError(`order must be ${quotedAlternatives([...OFFERED_ORDERS.keys()])}.`);
  checkTypes('boolean', { reverse });
  if (!Number.isInteger(offset) || offset < 0) throw new UsageError('offset must be a non-negative integer.');
  if (!isPositive(limit)) throw new UsageError('limit must be a positive integer, or Infinity.');
  const { metadata = false, absolute = false } = query;
  return inWorkspace('list', place, (workspace) =>
    namingPath(target.path, () =>
      withCallbacks({ ...options, filter: query.filter }, async ({ filter, ...watched }) => {
        const complete = { ...target, order: engineOrder, reverse, page: { offset, limit } };
        const select = { ...target.select, filter: filterFor(filter) };
        const owners = metadata ? readOwners() : null;
        const formAt = (path: RootPath) => new ListedForm(owners, absolute ? absoluteAt(path, workspace) : null);
        return structured(await listDirectoryAs(formAt, { ...complete, select }, workspace, watched));
      }),
    ),
  );
}

/** Runs a call, and adds the path that it was about to the message of a ListingError. */
export async function namingPath<T>(path: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ListingError) || error.kind === 'bad-pattern') throw error;
    const { kind, message, place, wrongName, isThroughFile, code } = error;
    const text = `cannot list '${shownAsGiven(path)}': ${message}`;
    throw Object.assign(new ListingError(kind, text, place, wrongName, isThroughFile), { code });
  }
}

/** Returns the absolute path of the listed directory, below the root as it was opened. */
export function absoluteAt(path: Bytes, workspace: Workspace): Bytes {
  const { givenPath } = workspace;
  return path === '' ? givenPath : inAbsolute(givenPath, path);
}

/** Checks and completes the part of a query that `list` and `scan` share. */
export function checkedTarget(query: ListOptions): Omit<Query, 'order' | 'reverse' | 'page'> {
  const { filter, ...data } = query;
  const reason = tooLarge(data, 'The options hold');
  if (reason !== null) throw new UsageError(reason);
  const { path = '.', all = true, ignore = [], depth = 1, gitIgnore = false } = query;
  const { pattern = '', types = 'all', metadata = false, absolute } = query;
  checkTypes('string', { path });
  checkTypes('boolean', { all, gitIgnore, metadata, absolute });
  checkTypes('function', { filter });
  if (!isListOfStrings(ignore)) throw new UsageError('ignore must be a list of glob patterns.');
  if (!isPositive(depth)) throw new UsageError('depth must be a positive integer, or Infinity.');
  if (typeof pattern !== 'string' && !isListOfStrings(pattern))
    throw new UsageError('pattern must be a string, or a list of them.');
  if (!SELECTED_TYPES.includes(types)) throw new UsageError(`types must be ${quotedAlternatives(SELECTED_TYPES)}.`);
  return {
    ...{ path, depth, rules: listRules(all, ignore, gitIgnore), after: null },
    select: { pattern: pattern.length === 0 ? null : pattern, types },
    metadata: metadata ? 'page' : 'none',
  };
}

/** Adapts the caller's filter to the form that the engine calls. */
export function filterFor(filter: ListOptions['filter']): Filter | undefined {
  if (filter === undefined) return undefined;
  return (name, path, type) => filter({ name: inJson(name), path: inJson(path), type });
}

const SELECTED_TYPES: readonly Selection['types'][] = ['all', 'directories', 'files'];

function quotedAlternatives(words: readonly string[]): string {
  return alternatives(words.map((word) => `'${word}'`));
}

function isPositive(value: unknown): boolean {
  return value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && (value as number) >= 1);
}

export function listRules(all: boolean, ignore: readonly string[], gitIgnore: boolean): RuleSpec[] {
  const rules: RuleSpec[] = [];
  if (!all) rules.push({ kind: 'dotfiles' });
  if (ignore.length > 0) rules.push({ kind: 'patterns', patterns: ignore });
  if (gitIgnore) rules.push({ kind: 'ignore-files', git: true, gemini: false });
  return rules;
}

/** `metadata` is null if the system refuses to read it. */
export function metadataOf(metadata: Metadata | null, owners: Owners): EntryMetadata {
  if (metadata === null) return { size: 0, modified: null, permissions: '??????????', owner: '?', group: '?' };
  const { type, size, modified, mode, user, group, target } = metadata;
  const date = new Date(modified);
  return {
    size,
    modified: Number.isNaN(date.getTime()) ? null : date,
    permissions: permissionText(type, mode),
    owner: owners.user(user),
    group: owners.group(group),
    ...(target === null ? {} : { target: inJson(target) }),
  };
}

/** Makes entries as the library and `--json` show them: without metadata if `owners` is null, absolute below `base`. */
export class ListedForm implements EntryForm<ListedEntry> {
  readonly key: string;
  readonly #owners: Owners | null;
  readonly #base: Bytes | null;
  /** Perf: a plain path is the concatenation of a prefix and a name. Usually the parent is that of the entry before. */
  #parent: Bytes | null = null;
  /** The prefix of each path in `#parent`; null if it is not plain. */
  #prefix: Bytes | null = null;

  constructor(owners: Owners | null, base: Bytes | null) {
    this.key = JSON.stringify(['listed', base]);
    this.#owners = owners;
    this.#base = base;
  }

  make(name: Bytes, parent: Bytes, type: EntryType, _: boolean, metadata: Metadata | null, isPrintable: boolean) {
    const isPlain = (isPrintable && name.charCodeAt(0) !== QUOTE) || inJson(name) === name;
    const text = isPlain ? name : inJson(name);
    const path = this.#pathOf(parent, name, isPlain);
    if (this.#owners === null) return { name: text, path, type };
    return { name: text, path, type, metadata: metadataOf(metadata, this.#owners) };
  }

  makeBehind(prefix: Bytes, name: Bytes, type: EntryType): ListedEntry {
    return { name: name.charCodeAt(0) === QUOTE ? inJson(name) : name, path: prefix + name, type };
  }

  readonly copy = ({ name, path, type }: ListedEntry): ListedEntry => ({ name, path, type });

  #pathOf(parent: Bytes, name: Bytes, isPlainName: boolean): string {
    if (parent !== this.#parent) {
      this.#parent = parent;
      this.#prefix = this.prefixIn(parent);
    }
    return isPlainName && this.#prefix !== null ? this.#prefix + name : inJson(this.#inBase(below(parent, name)));
  }

  prefixIn(parent: Bytes): Bytes | null {
    const prefix = this.#inBase(below(parent, '' as Bytes));
    return isAscii(prefix) && !prefix.startsWith('"') ? prefix : null;
  }

  #inBase(path: Bytes): Bytes {
    return this.#base === null ? path : inAbsolute(this.#base, path);
  }
}

export function structured({ entries, ...listing }: Listing<ListedEntry>): DirectoryListing {
  const failures = listing.unreadable.map(({ path, reason }) => ({ path: inJson(path), reason }));
  return {
    path: inJson(listing.path) || '.',
    entries,
    totals: listing.totals,
    hidden: Object.fromEntries(listing.hidden),
    unreadable: failures.map(({ path }) => path),
    ...(failures.length === 0 ? {} : { failures }),
    more: entries.length > 0 && listing.end < totalOf(listing.totals),
    stopped: listing.stopped,
    ...(listing.notes.length === 0 ? {} : { notes: listing.notes }),
  };
}
