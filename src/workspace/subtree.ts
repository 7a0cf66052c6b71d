/** What is below a directory, where a source can write all of it at once, and nobody has to walk through it. */
import type { Bytes } from './bytes.ts';
import type { EntryBuffer } from './reader.ts';

/** How it is written: a path for each entry, in the order of their names, directories before everything else. */
export interface SubtreeForm<Directory> {
  /** What stands before the path of each, with a slash at its end; before lines it is printable ASCII. */
  readonly prefix: Bytes;
  /** The byte behind each, and before it a slash behind a directory; null for names, with an index. */
  readonly end: number | null;
  /** Which types of entries are written, a bit each, in the order of `ENTRY_TYPES`. */
  readonly types: number;
  readonly levels: number;
  readonly hidesDotfiles: boolean;
  /** Null where nothing else is hidden. */
  readonly rules: SubtreeRules<Directory> | null;
}

/** What is hidden in a subtree. Paths are relative to the directory that it begins with, which is ''. */
export interface SubtreeRules<Directory> {
  /**
   * The rules in the directory at a path, where they may be others than in the one above. It is lent if it has files of rules.
   * Null says that the directory takes a walk.
   */
  enter(path: Bytes, lent: Directory | null): RuleTable | null;
  /** The entries that are judged next are in the directory at that path. */
  look(path: Bytes): void;
  /** The number of what hides an entry, from 1 on; 0 shows it, and a negative one says that the directory takes a walk. */
  judge(entry: EntryBuffer): number;
}

export interface RuleTable {
  /** Tells names that have to be judged from all others, which are shown: as `assembly/filter.ts` reads it. */
  readonly table: Uint8Array;
  /** Whether it holds in all directories below that it may not match, and that have no files of rules. */
  readonly isAlikeBelow: boolean;
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
  /** What was hidden, by the number of what hides it; that of dotfiles is the first. */
  readonly hidden: readonly number[];
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
