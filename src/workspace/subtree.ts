/** What is below a directory, where a source can write all of it at once, and nobody has to walk through it. */
import type { Bytes } from './bytes.ts';
import type { EntryBuffer } from './reader.ts';

/** How it is written: a path for each entry, in the order of their names, directories before everything else. */
export interface SubtreeForm {
  /** What stands before the path of each: printable ASCII that ends with a slash. */
  readonly prefix: Bytes;
  /** The byte behind each. */
  readonly end: number;
  readonly levels: number;
  readonly hidesDotfiles: boolean;
}

export interface SubtreeCounts {
  readonly read: number;
  readonly hidden: number;
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
   * Writes some lines. `obstacle`: the next directory is out of the ordinary, and its own line not written yet; it takes a
   * walk to go on.
   */
  proceed(): 'done' | 'paused' | 'obstacle';
  /** What `proceed` wrote; it is there until the next call. */
  readonly lines: Uint8Array;
  /** What was counted since this was asked before. */
  counted(): SubtreeCounts;
  /** Gives up the directories that are open, from the first down: they are the caller's. */
  takeOver(): readonly Unwritten<Directory>[];
  /** It has to be closed, at any time. */
  close(): void;
}
