import { isListOfStrings } from '../../dialects/parameters.ts';
import { totalOf } from '../../listing/entry.ts';
import { listDirectory } from '../../listing/list.ts';
import { OFFERED_ORDERS, type OfferedOrder } from '../../listing/orders.ts';
import type { CallOptions, Entry, EntryType, Listing, Query, Selection, Stop } from '../../listing/query.ts';
import { alternatives } from '../../protocol/nearest.ts';
import { tooLarge } from '../../protocol/size.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import type { Origin } from '../../rules/rule.ts';
import type { RuleSpec } from '../../rules/rule-spec.ts';
import { permissionText } from '../../text/metadata.ts';
import { Budget } from '../../workspace/budget.ts';
import { type Bytes, below, isAscii } from '../../workspace/bytes.ts';
import { type Owners, readOwners } from '../../workspace/owners.ts';
import { inJson } from '../../workspace/quote.ts';
import type { Metadata } from '../../workspace/source.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkCall } from './misuse.ts';

export interface ListOptions {
  /**
   * The directory, relative to the cwd or absolute inside the root.
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
   * How many levels to list; `Infinity` is everything below. Links are not descended.
   * @default 1
   */
  readonly depth?: number;
  /**
   * Leave out what git ignores.
   * @default false
   */
  readonly gitIgnore?: boolean;
  /**
   * By name a directory stands right before what it contains; the others order everything together: the largest
   * first, the newest first, directories before files.
   * @default 'name'
   */
  readonly order?: ListOrder;
  /**
   * Turn the order around.
   * @default false
   */
  readonly reverse?: boolean;
  /** Only what matches this minimatch pattern: on names, or with a `/` on paths. */
  readonly pattern?: string;
  /**
   * Only entries of this type.
   * @default 'all'
   */
  readonly types?: Selection['types'];
  /**
   * Ask for size, time, permissions, owner and link target of each entry.
   * @default false
   */
  readonly metadata?: boolean;
  /**
   * Entries to skip.
   * @default 0
   */
  readonly offset?: number;
  /**
   * Entries to return.
   * @default Infinity
   */
  readonly limit?: number;
}

export interface ListedEntry {
  readonly name: string;
  /** Relative to the listed directory. */
  readonly path: string;
  readonly type: EntryType;
  /** With `metadata`. Of a link, what is said of it is its own. */
  readonly metadata?: EntryMetadata;
}

export interface EntryMetadata {
  readonly size: number;
  readonly modified: Date;
  /** As `ls -l` writes them: `-rw-r--r--`. */
  readonly permissions: string;
  readonly owner: string;
  readonly group: string;
  /** A link's own text. */
  readonly target?: string;
}

export type ListOrder = OfferedOrder;

const LIST_OPTIONS: readonly (keyof ListOptions)[] = [
  ...(['path', 'all', 'ignore', 'gitIgnore', 'depth', 'pattern', 'types'] as const),
  ...(['order', 'reverse', 'metadata', 'offset', 'limit'] as const),
];

/** The engine's own view of a directory. A name that is not valid UTF-8, or starts with `"`, is in quoted form. */
export interface DirectoryListing {
  /** Relative to the root; '.' is the root. */
  readonly path: string;
  readonly entries: readonly ListedEntry[];
  readonly totals: Readonly<Record<EntryType, number>>;
  /** How many entries each kind of rule hid. */
  readonly hidden: Readonly<Partial<Record<Origin, number>>>;
  /** Directories that could not be read, relative to the listed one. */
  readonly unreadable: readonly string[];
  /** The same with the reason of each, where there are any. */
  readonly failures?: readonly { readonly path: string; readonly reason: string }[];
  /** True if more comes after this page. */
  readonly more: boolean;
  /** Why reading ended before the directory did; null when it did not. */
  readonly stopped: Stop | null;
  /** Which ignore rules could not be used, and why; where there are any. */
  readonly notes?: readonly string[];
}

/**
 * Lists a directory: directories first, then by name without regard to case, and with `depth` each directory right
 * before what it contains. Throws a ListingError.
 *
 * @example const { entries } = await list({ path: 'src', ignore: ['*.log'] }, workspace)
 */
export async function list(
  query: ListOptions,
  workspace: Workspace,
  options: CallOptions = {},
): Promise<DirectoryListing> {
  checkOptions('list', query, LIST_OPTIONS);
  checkCall('list', workspace, options);
  const reason = tooLarge(query, 'The options hold');
  if (reason !== null) throw new UsageError(reason);
  const { path = '.', all = true, ignore = [], depth = 1, gitIgnore = false } = query;
  const { offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const { order = 'name', reverse = false, pattern = '', types = 'all', metadata = false } = query;
  if (typeof path !== 'string') throw new UsageError('path must be a string.');
  if (typeof all !== 'boolean') throw new UsageError('all must be a boolean.');
  if (!isListOfStrings(ignore)) throw new UsageError('ignore must be a list of glob patterns.');
  if (!isPositive(depth)) throw new UsageError('depth must be a positive integer, or Infinity.');
  if (typeof gitIgnore !== 'boolean') throw new UsageError('gitIgnore must be a boolean.');
  const engineOrder = OFFERED_ORDERS.get(order);
  if (engineOrder === undefined)
    throw new UsageError(`order must be ${quotedAlternatives([...OFFERED_ORDERS.keys()])}.`);
  if (typeof reverse !== 'boolean') throw new UsageError('reverse must be a boolean.');
  if (typeof pattern !== 'string') throw new UsageError('pattern must be a string.');
  if (!SELECTED_TYPES.includes(types)) throw new UsageError(`types must be ${quotedAlternatives(SELECTED_TYPES)}.`);
  if (typeof metadata !== 'boolean') throw new UsageError('metadata must be a boolean.');
  if (!Number.isInteger(offset) || offset < 0) throw new UsageError('offset must be a non-negative integer.');
  if (!isPositive(limit)) throw new UsageError('limit must be a positive integer, or Infinity.');
  const rules = listRules(all, ignore, gitIgnore);
  const complete: Query = {
    ...{ path, rules, depth, reverse, page: { offset, limit }, after: null },
    order: engineOrder,
    select: { pattern: pattern || null, types },
    metadata: metadata ? 'page' : 'none',
  };
  return structured(await listDirectory(complete, workspace, options), metadata);
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

/** Entries between two looks at the clock. */
const ENTRIES_PER_LOOK = 1024;

export function metadataOf(
  { type, size, modified, mode, user, group, target }: Metadata,
  owners: Owners,
): EntryMetadata {
  return {
    size,
    modified: new Date(modified),
    permissions: permissionText(type, mode),
    owner: owners.user(user),
    group: owners.group(group),
    ...(target === null ? {} : { target: inJson(target) }),
  };
}

/** Perf: a plain path is put together from plain parts, of which the parent's is mostly known from the entry before. */
let last = { parent: '' as Bytes, isPlain: true };

function pathInJson(parent: Bytes, name: Bytes): string {
  if (parent !== last.parent) last = { parent, isPlain: isAscii(parent) && !parent.startsWith('"') };
  return last.isPlain && isAscii(name) ? `${parent}/${name}` : inJson(below(parent, name));
}

function appendListed(listed: ListedEntry[], entries: readonly Entry[], owners: Owners | null): void {
  for (const { name, parent, type, metadata } of entries) {
    const text = inJson(name);
    const entry = { name: text, path: parent === '' ? text : pathInJson(parent, name), type };
    listed.push(metadata === null || owners === null ? entry : { ...entry, metadata: metadataOf(metadata, owners) });
  }
}

/** An order may have asked for metadata that nobody else did. */
export async function structured(listing: Listing, withMetadata: boolean): Promise<DirectoryListing> {
  const budget = new Budget({});
  const entries: ListedEntry[] = [];
  const owners = withMetadata ? readOwners() : null;
  for (let from = 0; from < listing.entries.length; from += ENTRIES_PER_LOOK) {
    appendListed(entries, listing.entries.slice(from, from + ENTRIES_PER_LOOK), owners);
    await budget.yieldIfDue();
  }
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
