/** The entries of one directory, where a source can read and sort all of them at once. */
import type { Bytes } from './bytes.ts';
import type { EntryBuffer, EntryType } from './reader.ts';

/** The texts of a long listing's columns. Each is asked for once, or a few times, for many entries. */
export interface LongTexts {
  /** Ten characters. */
  permissions(type: EntryType, mode: number): string;
  /** An owner that the next lines have; its text is asked for when all of them were told. */
  measureOwner(user: number, group: number): void;
  owner(user: number, group: number): string;
  /** The time in milliseconds. */
  time(modified: number): string;
  /** How many columns the times take. */
  readonly timeColumns: number;
  /** The same of sizes, so many at least. */
  sizeColumns(least: number): number;
  /** What stands in the place of a link's name. */
  link(name: Bytes, target: Bytes): string;
}

export interface SortedLevel {
  readonly count: number;
  readonly read: number;
  /** The names of its links, in no order. */
  readonly links: readonly Bytes[];
  /** Puts entries in the order of their names, directories first, and those links that lead to some. */
  sort(leading: ReadonlySet<Bytes>): void;
  /** Appends entries, from a position up to another. */
  appendTo(entries: EntryBuffer, from: number, to: number): void;
  /** Their lines in a long listing, the path of their directory before each name; null where one is out of the ordinary. */
  longLines(from: number, to: number, prefix: Bytes, texts: LongTexts): readonly Uint8Array[] | null;
  close(): void;
}
