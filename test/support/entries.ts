/** Entries as a source gives them. */
import type { Bytes } from '../../src/names/bytes.ts';
import { type DirectoryReader, EntryBuffer, type EntryType, type ReadBudget } from '../../src/workspace/reader.ts';

export function entriesOf(names: readonly Bytes[], type: EntryType = 'file'): EntryBuffer {
  const entries = new EntryBuffer();
  for (const name of names) entries.add(name, type);
  return entries;
}

/** In the form `[name, type]`. */
export function listed(entries: EntryBuffer): [Bytes, EntryType][] {
  return namesIn(entries).map((name, i) => [name, entries.typeAt(i)]);
}

export function namesIn(entries: EntryBuffer): Bytes[] {
  return entries.namesOf(0, entries.count);
}

/** All that a reader gives. */
export function readAll(reader: DirectoryReader, budget: ReadBudget): EntryBuffer {
  const entries = new EntryBuffer();
  while (reader.read(entries, budget));
  reader.close();
  return entries;
}
