import { listDirectory } from '../../listing/list.ts';
import { Patience } from '../../listing/patience.ts';
import type { CallOptions, EntryType, Listing, Stop } from '../../listing/query.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import { dotfiles } from '../../rules/builtin.ts';
import { ignorePatterns } from '../../rules/ignore-argument.ts';
import type { Origin, Rule } from '../../rules/rule.ts';
import { inJson } from '../../workspace/quote.ts';
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

/** The engine's own view of a directory. A name that is no valid UTF-8, or starts with `"`, is in quoted form. */
export interface DirectoryListing {
  /** Relative to the root; '.' is the root. */
  readonly path: string;
  readonly entries: readonly { readonly name: string; readonly type: EntryType }[];
  readonly totals: Readonly<Record<EntryType, number>>;
  /** How many entries each kind of rule hid. */
  readonly hidden: Readonly<Partial<Record<Origin, number>>>;
  /** Whether more comes after this page. */
  readonly more: boolean;
  /** Why reading ended before the directory did; null when it did not. */
  readonly stopped: Stop | null;
}

/**
 * Lists one directory: directories first, then by name without regard to case. Throws a ListingError.
 *
 * @example const { entries } = await list({ path: 'src', ignore: ['*.log'] }, workspace)
 */
export async function list(
  query: ListOptions,
  workspace: Workspace,
  options: CallOptions = {},
): Promise<DirectoryListing> {
  checkOptions('list', query, ['path', 'all', 'ignore', 'offset', 'limit']);
  checkCall('list', workspace, options);
  const { path = '.', all = true, ignore = [], offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  if (typeof path !== 'string') throw new UsageError('path must be a string.');
  if (typeof all !== 'boolean') throw new UsageError('all must be a boolean.');
  if (!Array.isArray(ignore) || !ignore.every((pattern) => typeof pattern === 'string')) {
    throw new UsageError('ignore must be a list of glob patterns.');
  }
  if (!Number.isInteger(offset) || offset < 0) throw new UsageError('offset must be a non-negative integer.');
  if (limit !== Number.POSITIVE_INFINITY && !(Number.isInteger(limit) && limit >= 1)) {
    throw new UsageError('limit must be a positive integer, or Infinity.');
  }
  const rules = rulesFor(all, ignore);
  return structured(await listDirectory({ path, rules, page: { offset, limit } }, workspace, options));
}

export function rulesFor(all: boolean, ignore: readonly string[]): Rule[] {
  return [...(all ? [] : [dotfiles]), ignorePatterns(ignore)];
}

/** Entries between two looks at the clock. */
const HANDFUL = 1024;

export async function structured(listing: Listing): Promise<DirectoryListing> {
  const { file, dir, link, other } = listing.totals;
  const patience = new Patience({});
  const entries: DirectoryListing['entries'][number][] = [];
  for (let from = 0; from < listing.entries.length; from += HANDFUL) {
    for (const entry of listing.entries.slice(from, from + HANDFUL)) {
      const name = inJson(entry.name);
      entries.push(name === entry.name ? entry : { name, type: entry.type });
    }
    await patience.giveWay();
  }
  return {
    path: inJson(listing.path) || '.',
    entries,
    totals: listing.totals,
    hidden: Object.fromEntries(listing.hidden),
    more: entries.length > 0 && listing.end < file + dir + link + other,
    stopped: listing.stopped,
  };
}
