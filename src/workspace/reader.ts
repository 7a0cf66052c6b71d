/** Reads a directory's entries in slices, so that nobody else has to wait for a large one. */
import { COST } from './budget.ts';
import type { Bytes } from './bytes.ts';

/** What an entry is; a link is never followed for it. */
export type EntryType = 'file' | 'dir' | 'link' | 'other';

/** The part of a call's budget that reading is charged to. */
export interface ReadBudget {
  /** Work that was done; an entry takes 100. */
  steps: number;
  entriesRead: number;
  /** Whether others should have a turn now. */
  readonly isDue: boolean;
}

/** Entries as they were read: the type of each name stands at the same position. */
export interface Batch {
  readonly names: Bytes[];
  readonly types: EntryType[];
}

/** Reads the entries of a directory, some at a time. */
export interface DirectoryReader {
  /** Appends further entries until others should have a turn; false when there are no more. */
  read(batch: Batch, budget: ReadBudget): boolean;
  close(): void;
}

export function appendEntry({ names, types }: Batch, name: Bytes, type: EntryType, budget: ReadBudget): void {
  names.push(name);
  types.push(type);
  budget.steps += COST.entry + COST.nameByte * name.length;
  budget.entriesRead++;
}

/** The source does not know types while it is read: the directory has to be opened again, without them. */
export class TypesUnknown extends Error {}

/** For sources that have all entries of a directory at hand: each with its name and its type. */
export function entryReader(entries: Iterable<readonly [name: Bytes, type: EntryType]>): DirectoryReader {
  const rest = entries[Symbol.iterator]();
  return {
    read(batch, budget) {
      do {
        const { done, value } = rest.next();
        if (done) return false;
        appendEntry(batch, value[0], value[1], budget);
      } while (!budget.isDue);
      return true;
    },
    close() {},
  };
}
