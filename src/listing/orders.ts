/**
 * The orders that a listing can have, a row each: whether all levels are ordered together, what has to be known of an
 * entry, and how two entries compare. Whatever offers orders to a caller derives them from here.
 */
import { type Bytes, below, codePointsOf, isAscii } from '../workspace/bytes.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Entry } from './entry.ts';
import { BY_PATH, type Comparison, LOWER_CASED, NATURAL, naturalKey, orderKey } from './name-keys.ts';

/** An entry's key: the rank counts, then the text, then the path by its bytes. */
export interface SortKey {
  readonly rank: number;
  readonly text: string;
}

interface OrderSpec {
  /** Whether all levels are ordered together. In the other orders a directory stands right before what it contains. */
  readonly isGlobal: boolean;
  /** Directories come first, and so do links to them: these have to be followed. */
  readonly directoriesFirst: boolean;
  /** Whether the system has to be asked about each entry. */
  readonly needsMetadata: boolean;
  /** The name by which a caller may ask for it; null for those that only a contract asks for. */
  readonly offeredAs: string | null;
  /** What entries are compared by: by bytes, which needs no object for each entry, or by a key. */
  readonly comparison: Comparison | null;
  keyOf(entry: Entry): SortKey;
  /** How the texts of two keys compare. */
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
  /** The same with numbers in names by their value, as people count. */
  natural: {
    ...SIBLINGS,
    offeredAs: 'natural',
    comparison: NATURAL,
    keyOf: (entry) => ({ rank: classOf(entry), text: `${naturalKey(entry.name)}\0${entry.name}` }),
  },
  /** The same with names as `localeCompare` has them for English. For one level. */
  english: {
    ...SIBLINGS,
    comparison: null,
    keyOf: (entry) => ({ rank: classOf(entry), text: comparable(entry.name) }),
    // Made when it is used, because that takes a millisecond.
    compareTexts: () => new Intl.Collator('en').compare,
  },
  /** As `folded`, but directories stand among everything else. */
  name: { ...SIBLINGS, directoriesFirst: false, keyOf: ({ name }) => ({ rank: 0, text: namesText(name) }) },
  /** The largest first. Directories and links have no size in an order. */
  size: {
    ...GLOBAL,
    needsMetadata: true,
    offeredAs: 'size',
    keyOf: ({ type, metadata }) => ({
      rank: metadata === null || type === 'dir' || type === 'link' ? 0 : -(metadata.size || 0),
      text: '',
    }),
  },
  /** The newest first; what nobody can tell comes last. */
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
  /** By what stands behind the last dot, names without one first; then by name. */
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

/** The orders that a caller may ask for, by the names that they are offered as. */
export const OFFERED_ORDERS: ReadonlyMap<string, Order> = new Map(
  Object.entries(ORDERS).flatMap(([order, { offeredAs }]) => (offeredAs === null ? [] : [[offeredAs, order as Order]])),
);

export type OfferedOrder = NonNullable<(typeof ORDERS)[Order]['offeredAs']>;

const TYPE_RANKS: Readonly<Record<EntryType, number>> = { dir: 0, file: 1, link: 2, other: 3 };

function classOf({ leadsToDirectory }: Entry): number {
  return leadsToDirectory ? 0 : 1;
}

/** The lower-cased name, and behind it the name itself, for names that are equal but for case. */
function namesText(name: Bytes): string {
  return `${orderKey(name)}\0${name}`;
}

/** A dot at the beginning makes a name hidden; it does not begin an extension. */
export function extensionOf(name: Bytes): Bytes {
  const dot = name.lastIndexOf('.');
  return name.slice(dot > 0 ? dot + 1 : name.length) as Bytes;
}

/** A stray byte compares as the half of a surrogate pair that stands for it. */
function comparable(name: Bytes): string {
  return isAscii(name) ? name : String.fromCodePoint(...codePointsOf(name));
}

export function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
