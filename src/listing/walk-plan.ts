/** The plan of a walk, the directories that it is in, its result, and the sink that receives what it finds. */
import type { Bytes } from '../names/bytes.ts';
import type { Scope } from '../rules/rule.ts';
import type { Budget, CallStop } from '../workspace/budget.ts';
import { concernsOneEntry, fromSystem } from '../workspace/listing-error.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { type Identity, same } from '../workspace/source.ts';
import type { SubtreeForm } from '../workspace/subtree.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Counts } from './entry.ts';
import type { Evidence } from './evidence.ts';
import type { Unreadable } from './query.ts';
import type { Select } from './select.ts';
import type { SiblingOrder } from './siblings.ts';

export interface WalkPlan {
  /** The number of levels; 1 is the directory alone. */
  readonly depth: number;
  readonly siblings: SiblingOrder;
  /** Reverses the order of siblings; a directory still comes before its contents. */
  readonly reverse: boolean;
  /** Selects the entries to emit; null emits all. Directories that are not selected are still entered. */
  readonly select: Select | null;
  /** The types that are selected, one bit each, in the order of `ENTRY_TYPES`; null if more than the type matters. */
  readonly types: number | null;
  /** Records everything that the walk depends on; null or undefined if that is not needed. */
  readonly evidence?: Evidence | null;
}

export const WHOLE_WALK: WalkPlan = {
  ...{ depth: Number.POSITIVE_INFINITY, siblings: 'by-name', reverse: false },
  ...{ select: null, types: null },
};

/** A directory that is being walked, as a sink sees it. */
export interface Level {
  /** Null while it is not held open. It is held when its entries are emitted, unless it could not be reopened. */
  readonly directory: Visit | null;
  /** Relative to the directory that paths are shown from. */
  readonly path: Bytes;
  /** A buffer with its entries, and with those of the directories above it. */
  readonly entries: EntryBuffer;
}

/** A directory that a walk is in, and how to get back to it. */
export interface OpenLevel extends Level {
  directory: Visit | null;
  readonly scope: Scope;
  /** The position of its first entry, and the position after its last. */
  readonly from: number;
  readonly to: number;
  /** The number of bytes of the buffer that were used before it was read. */
  readonly used: number;
  /** The position of the next entry to emit. */
  next: number;
  /** Identifies it when it is reopened; null while it is held open. */
  identity: Identity | null;
}

/** How the lines below a directory begin and end, and whether a name may have any bytes, or only printable ASCII. */
export type FormBelow = Pick<SubtreeForm<unknown>, 'prefix' | 'end'> & { readonly takesAnyName?: boolean };

/** Receives what a walk finds: each directory before its contents. */
export interface WalkSink {
  /** Takes the entries from position `from` up to `to`, of a directory that is held open. */
  take(level: Level, from: number, to: number): void;
  /** Returns a form if the source may write what is below a directory. `takeLines` receives it. */
  formBelow?(path: Bytes): FormBelow | null;
  takeLines?(lines: Uint8Array, index: Uint32Array): void;
  /** True if `settle` has something to do. */
  readonly isFull?: boolean;
  settle?(budget: Budget): Promise<void>;
  /** True if it reads the metadata of entries while it takes them. */
  readonly describes?: boolean;
  /** True if the order of what is still to come does not matter. */
  readonly isPastPage?: boolean;
}

export interface WalkResult extends Counts {
  /** Directories below the first that could not be read. */
  readonly unreadable: readonly Unreadable[];
  /** Directories in which everything is hidden. */
  readonly hiddenOnly: readonly Bytes[];
  /** Those of them that are other worktrees of the repository around them. */
  readonly worktrees: readonly Bytes[];
  readonly stopped: CallStop | null;
}

/** Reopens a directory from the start down, as is needed if the walk was in a subdirectory that was moved away. */
export function reopenFromStart(start: Visit, names: readonly Bytes[], identity: Identity | null): Visit | null {
  const close = (directory: Visit) => directory !== start && directory.leave();
  let here = start;
  for (const name of names) {
    const above = here;
    try {
      const inner = above.descend(name);
      if (inner === null) return null;
      here = inner;
    } finally {
      close(above);
    }
  }
  if (identity !== null && same(here.identity, identity)) return here;
  close(here);
  return null;
}

/** True if the walk notes the failure and goes on without what failed. */
export function isSkippable(error: unknown): boolean {
  const { kind, code } = fromSystem(error, null);
  return kind === 'denied' || concernsOneEntry(code);
}

/** Returns null if a directory cannot be opened and the walk goes on without it. */
export function orNull(open: () => Visit | null | undefined): Visit | null {
  try {
    return open() ?? null;
  } catch (error) {
    if (isSkippable(error)) return null;
    throw error;
  }
}
