/** What is below a directory, where a source can write all of it at once, and nobody has to walk through it. */
import type { Bytes } from './bytes.ts';
import type { EntryBuffer } from './reader.ts';

/** How it is written: a path for each entry, in the order of their names, directories before everything else. */
export interface SubtreeForm {
  /** What stands before the path of each, with a slash at its end; before lines it is printable ASCII. */
  readonly prefix: Bytes;
  /** The byte behind each, and before it a slash behind a directory; null for names, with an index. */
  readonly end: number | null;
  /** Which types of entries are written, a bit each, in the order of `ENTRY_TYPES`. */
  readonly types: number;
  readonly levels: number;
  readonly hidesDotfiles: boolean;
}

/**
 * What a word of the index says: where a name ends, and the code of its type. Instead of a name it may be what stands before
 * the next ones in their paths.
 */
export const endOf = (word: number) => word & 0x3ffff;
export const codeOf = (word: number) => word >>> 18;
export const IS_PREFIX = 4;

export interface SubtreeCounts {
  readonly read: number;
  readonly hidden: number;
  readonly unselected: number;
  /** Directories as deep as the levels go. */
  readonly unopened: number;
  /** What was written, in the order of `ENTRY_TYPES`. */
  readonly shown: readonly number[];
}

/** A directory of which not everything was written yet. */
export interface Unwritten<Directory> {
  readonly directory: Directory;
  /** Relative to the one where it began, which is ''. */
  readonly path: Bytes;
  /** Appends the entries that were not written, in their order. */
  appendTo(entries: EntryBuffer): void;
}

export interface Subtree<Directory> {
  /**
   * Writes some lines. `paused` is also when others should have a turn before it reads the next directory. `obstacle`: that
   * directory is out of the ordinary, and its own line not written yet; it takes a walk to go on.
   */
  proceed(isDue: () => boolean): 'done' | 'paused' | 'obstacle';
  /** What `proceed` wrote; it is there until the next call. */
  readonly lines: Uint8Array;
  /** For names, a word for each: see `endOf`. */
  readonly index: Uint32Array;
  /** What was counted since this was asked before. */
  counted(): SubtreeCounts;
  /** Gives up the directories that are open, from the first down: they are the caller's. */
  takeOver(): readonly Unwritten<Directory>[];
  /** It has to be closed, at any time. */
  close(): void;
}
