/** The table of orders that a listing can have. Whatever offers orders to a caller derives them from this table. */
import { type Bytes, below, compareBytes, textWithStrays } from '../names/bytes.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Entry } from './entry.ts';
import { BY_PATH, type Comparison, LOWER_CASED, NATURAL, naturalKey, orderKey } from './name-keys.ts';

/** An entry's sort key. Entries compare by rank, then by text, then by the bytes of their path. */
export interface SortKey {
  readonly rank: number;
  readonly text: string;
}

interface OrderSpec {
  /** True if all levels are ordered together. In the other orders a directory comes right before its contents. */
  readonly isGlobal: boolean;
  /** True if directories and links to them come first. Links then have to be followed. */
  readonly directoriesFirst: boolean;
  /** True if the metadata of each entry has to be read. */
  readonly needsMetadata: boolean;
  /** The name by which a caller may request it; null if only a contract uses it. */
  readonly offeredAs: string | null;
  /** Compares entries by bytes, which needs no object for each entry; null if they compare by key. */
  readonly comparison: Comparison | null;
  keyOf(entry: Entry): SortKey;
  compareTexts(): (a: string, b: string) => number;
}

const SIBLINGS = {
  isGlobal: false,
  directoriesFirst: true,
  needsMetadata: false,
  offeredAs: null,
  comparison: LOWER_CASED,
  keyOf: (entry: Entry): SortKey => ({ rank: classOf(entry), text: namesText(entry.name) }),
  compareTexts: () => compareBytes,
} as const;

const GLOBAL = { ...SIBLINGS, isGlobal: true, directoriesFirst: false, comparison: null } as const;

export const ORDERS = {
  /** Directories first, then the lower-cased name by code point. */
  folded: { ...SIBLINGS, offeredAs: 'name' },
  /** Like `folded`, but numbers in names compare by value, as people count. */
  natural: {
    ...SIBLINGS,
    offeredAs: 'natural',
    comparison: NATURAL,
    keyOf: (entry) => ({ rank: classOf(entry), text: `${naturalKey(entry.name)}\0${entry.name}` }),
  },
  /** Like `folded`, but names compare as in `localeCompare` for English. For one level only. */
  english: {
    ...SIBLINGS,
    comparison: null,
    keyOf: (entry) => ({ rank: classOf(entry), text: textWithStrays(entry.name) }),
    // Created on use, because that takes a millisecond.
    compareTexts: () => new Intl.Collator('en').compare,
  },
  /** Like `folded`, but directories are mixed with everything else. */
  name: { ...SIBLINGS, directoriesFirst: false, keyOf: ({ name }) => ({ rank: 0, text: namesText(name) }) },
  /** Largest first. Directories and links count as having no size. */
  size: {
    ...GLOBAL,
    needsMetadata: true,
    offeredAs: 'size',
    keyOf: ({ type, metadata }) => ({
      rank: metadata === null || type === 'dir' || type === 'link' ? 0 : -(metadata.size || 0),
      text: '',
    }),
  },
  /** Newest first. Entries whose time is unknown come last. */
  modified: {
    ...GLOBAL,
    needsMetadata: true,
    offeredAs: 'modified',
    keyOf: ({ metadata }) => ({
      rank: metadata === null || Number.isNaN(metadata.modified) ? Number.MAX_VALUE : -metadata.modified,
      text: '',
    }),
  },
  /** Directories, files, links, everything else; each by name. */
  type: {
    ...GLOBAL,
    offeredAs: 'type',
    keyOf: ({ type, name }) => ({ rank: TYPE_RANKS[type], text: namesText(name) }),
  },
  /** By what follows the last dot, names without one first; then by name. */
  extension: {
    ...GLOBAL,
    offeredAs: 'extension',
    keyOf: ({ name }) => ({ rank: 0, text: `${orderKey(extensionOf(name))}\0${namesText(name)}` }),
  },
  /** By the bytes of the path. */
  path: {
    ...GLOBAL,
    comparison: BY_PATH,
    keyOf: ({ parent, name }) => ({ rank: 0, text: BY_PATH.keyFor(below(parent, name)) }),
  },
} as const satisfies Readonly<Record<string, OrderSpec>>;

export type Order = keyof typeof ORDERS;

/** The orders that a caller may request, by the names under which they are offered. */
export const OFFERED_ORDERS: ReadonlyMap<string, Order> = new Map(
  Object.entries(ORDERS).flatMap(([order, { offeredAs }]) => (offeredAs === null ? [] : [[offeredAs, order as Order]])),
);

export type OfferedOrder = NonNullable<(typeof ORDERS)[Order]['offeredAs']>;

const TYPE_RANKS: Readonly<Record<EntryType, number>> = { dir: 0, file: 1, link: 2, other: 3 };

function classOf({ leadsToDirectory }: Entry): number {
  return leadsToDirectory ? 0 : 1;
}

/** Returns the lower-cased name followed by the name itself, which orders names that differ only in case. */
function namesText(name: Bytes): string {
  return `${orderKey(name)}\0${name}`;
}

/** Returns the extension of a name. A leading dot makes a name hidden; it does not begin an extension. */
export function extensionOf(name: Bytes): Bytes {
  const dot = name.lastIndexOf('.');
  return name.slice(dot > 0 ? dot + 1 : name.length) as Bytes;
}
