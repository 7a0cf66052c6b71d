/** What a walk is asked for, what it gives, and who takes what it finds. */
import type { Budget, CallStop } from '../workspace/budget.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { SubtreeForm } from '../workspace/subtree.ts';
import type { Visit } from '../workspace/visit.ts';
import type { DirectoryCache } from './cache.ts';
import type { Counts } from './counts.ts';
import type { Evidence, StillSeen } from './evidence.ts';
import type { Unreadable } from './query.ts';
import type { Select } from './select.ts';
import type { SiblingOrder } from './siblings.ts';

export interface WalkPlan {
  /** Where the walk begins, relative to the directory that paths are shown from; '' is that one. */
  readonly start: Bytes;
  /** How many levels: 1 is the directory alone. */
  readonly depth: number;
  readonly siblings: SiblingOrder;
  /** Siblings come the other way round; a directory stays before what it contains. */
  readonly reverse: boolean;
  /** Whether nobody else waits for this thread meanwhile. */
  readonly mayBlock: boolean;
  /** Which entries are emitted; directories that are not are descended all the same. Null emits all. */
  readonly select: Select | null;
  /** The types that are selected, a bit each, in the order of `ENTRY_TYPES`; null where more than the type matters. */
  readonly types: number | null;
  /** What was read before, and is kept for later; null to read everything. */
  readonly cache: DirectoryCache | null;
  /** Told all that the walk depends on; null where nobody wants to know. */
  readonly evidence?: Evidence | null;
  /** What the same walk has seen before; null, or undefined, where that is of no use to the sink. */
  readonly seen?: StillSeen | null;
}

/** A directory that is being walked through, as a sink sees it. */
export interface Level {
  /** Null while it is not held. It is whenever its entries are emitted, unless there was no way back to it. */
  readonly directory: Visit | null;
  /** Relative to the directory that paths are shown from. */
  readonly path: Bytes;
  /** Its entries, among those of the directories above it. */
  readonly entries: EntryBuffer;
}

/** Receives what a walk finds: each directory before what it contains. */
export interface WalkSink {
  /** Entries from one position up to another, of a directory that is held open. */
  take(level: Level, from: number, to: number): void;
  /** How lines of what is below a directory begin and end, and takes such lines; where they may be written elsewhere. */
  formBelow?(path: Bytes): Pick<SubtreeForm<unknown>, 'prefix' | 'end'> | null;
  takeLines?(lines: Uint8Array, index: Uint32Array): void;
  /** Whether `settle` has something to do. */
  readonly isFull?: boolean;
  settle?(budget: Budget): Promise<void>;
  /** Whether it asks for the metadata of entries while it takes them. */
  readonly describes?: boolean;
  /** Whether the order of what is still to come does not matter. */
  readonly isPastPage?: boolean;
  /** How much it was given; counted where `reuse` needs it. */
  readonly given?: number;
  /** Takes what it was given the last time of a directory of the level, from one position up to another. */
  reuse?(level: Level, name: Bytes, from: number, to: number): void;
}

export interface WalkResult extends Counts {
  /** Directories below the first that could not be read. */
  readonly unreadable: readonly Unreadable[];
  readonly stopped: CallStop | null;
  /** Whether nothing had to be read, because all of it was known. */
  readonly isFromCache: boolean;
}
