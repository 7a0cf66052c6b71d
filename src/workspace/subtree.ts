/** The contents of a directory tree, for sources that can write all of it at once, without a walk. */
import type { Bytes } from '../names/bytes.ts';
import { ENTRY_TYPES, type EntryBuffer, type EntryType } from './reader.ts';

/** The output format: a path for each entry, sorted by name, with directories before everything else. */
export interface SubtreeForm<Directory> {
  /** The prefix of each path, which ends in a slash. If lines are written, it is printable ASCII. */
  readonly prefix: Bytes;
  /** The byte after each path; a slash precedes it for a directory. Null to write names with an index instead. */
  readonly end: number | null;
  /** The types of entries to write: one bit for each, in the order of `ENTRY_TYPES`. */
  readonly types: number;
  readonly levels: number;
  readonly hidesDotfiles: boolean;
  /**
   * Returns true if a link in the directory at `path` leads to a directory, and null if that takes a walk. Such links are
   * sorted among the directories. Null if links are not followed.
   */
  readonly followLink: ((path: Bytes, target: Bytes) => boolean | null) | null;
  /** Returns the positions of names in their order. Null if names that are not printable ASCII take a walk. */
  readonly orderOf: ((names: readonly Bytes[]) => Uint32Array) | null;
  /** Null if nothing else is hidden. */
  readonly rules: SubtreeRules<Directory> | null;
}

/** Decides what is hidden in a subtree. Paths are relative to its top directory, which is ''. */
export interface SubtreeRules<Directory> {
  /** Returns the rules in a directory, if they may differ from its parent's; null if it takes a walk. */
  enter(path: Bytes, lent: Directory | null): RuleTable | null;
  /** Announces that the entries judged next are in the directory at this path. */
  setDirectory(path: Bytes): void;
  /** Returns the number, from 1, of the rule that hides an entry; 0 if none does; negative if a walk is needed. */
  judge(entry: EntryBuffer): number;
}

export interface RuleTable {
  /** Selects the names that have to be judged; all others are shown. The format is that of `assembly/entries.ts`. */
  readonly table: Uint8Array;
  /** True if it also holds in all directories below that it may not match and that have no rule files. */
  readonly holdsBelow: boolean;
}

/** Decode a word of the index: the end of a name, and its kind: its type, or that it is the path of the next names. */
export const endOf = (word: number) => word & 0x3ffff;
export const kindOf = (word: number) => word >>> 18;
export const typeOf = (word: number) => ENTRY_TYPES[kindOf(word) & 3] as EntryType;
export const isPrefix = (word: number) => kindOf(word) === 8;
/** True for the kind of a directory, or of a link that was followed to one. */
export const leadsToDirectory = (kind: number) => [1, 6].includes(kind & 7);

interface SubtreeCounts {
  readonly read: number;
  /** The number of hidden entries for each rule, in the order of the rules' numbers; dotfiles are the first. */
  readonly hidden: readonly number[];
  readonly unselected: number;
  /** Directories at the deepest level, which were not opened. */
  readonly unopened: number;
  /** The number of entries written, in the order of `ENTRY_TYPES`. */
  readonly shown: readonly number[];
  readonly hiddenOnly: readonly Bytes[];
}

export interface Unwritten<Directory> {
  readonly directory: Directory;
  /** Relative to the top directory, which is ''. */
  readonly path: Bytes;
  /** Appends the entries that were not written, in order. */
  appendTo(entries: EntryBuffer): void;
}

export interface Subtree<Directory> {
  /**
   * Writes some lines. `paused` is also returned if the call should yield before the next directory is read.
   * `obstacle`: the next directory needs special treatment, and its own line is not written yet; it takes a walk.
   */
  proceed(isDue: () => boolean): 'done' | 'paused' | 'obstacle';
  /** The output of the last `proceed`, valid until the next. */
  readonly lines: Uint8Array;
  /** One word for each name, if names are written: see `endOf`. */
  readonly index: Uint32Array;
  /** Returns the counts since the previous call. */
  counted(): SubtreeCounts;
  /** Hands the open directories over to the caller, from the top down. */
  takeOver(): readonly Unwritten<Directory>[];
  /** Must be called in the end; may be called at any time. */
  close(): void;
}
