/** The entries of one directory, for sources that can read and sort all of them at once. */
import type { Bytes } from '../names/bytes.ts';
import type { EntryBuffer, EntryType } from './reader.ts';

/** Formats the columns of a long listing. Each text is requested only once, or a few times, for many entries. */
export interface LongTexts {
  /** Returns ten characters. */
  permissions(type: EntryType, mode: number): string;
  /** Announces an owner of the next lines. The texts are requested after all owners have been announced. */
  measureOwner(user: number, group: number): void;
  owner(user: number, group: number): string;
  /** `modified` is in milliseconds. */
  time(modified: number): string;
  /** The width of the times, in columns. */
  readonly timeColumns: number;
  /** Widens the sizes to at least `least` columns, and returns their width. */
  sizeColumns(least: number): number;
  /** Returns the text shown in place of a link's name. */
  link(name: Bytes, target: Bytes): string;
}

export interface SortedLevel {
  readonly count: number;
  readonly read: number;
  /** The names of its links, in no particular order. */
  readonly links: readonly Bytes[];
  /** Sorts entries by name, directories first, along with the links in `linksToDirectories`, which lead to directories. */
  sort(linksToDirectories: ReadonlySet<Bytes>): void;
  appendTo(entries: EntryBuffer, from: number, to: number): void;
  /** Returns the lines of a long listing, with `prefix` before each name; null if an entry needs special treatment. */
  longLines(from: number, to: number, prefix: Bytes, texts: LongTexts): readonly Uint8Array[] | null;
  close(): void;
}
