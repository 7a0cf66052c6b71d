/**
 * Finds the name that is stored for a name that a caller wrote: a disk may find an entry in another case (`SRC`),
 * composed or decomposed, short (`PROGRA~1`), or with a dot at the end. Rules match stored names, and answers show
 * them.
 */
import { type Bytes, bytesOf, textOf } from '../names/bytes.ts';
import { EntryBuffer, TypesUnknown } from './reader.ts';
import type { Metadata, SourceDirectory } from './source.ts';
import { HANDFUL, loaded, type Steps, Unloaded } from './steps.ts';

export function* storedName(directory: SourceDirectory, name: Bytes): Steps<Bytes> {
  if (directory.mayFold !== true || name.includes('\0')) return name;
  // Perf: usually there is no other spelling, and the directory need not be read.
  if (!otherSpellings(name).some((other) => directory.metadata(other) !== null)) return name;
  const itself = directory.metadata(name);
  if (itself === null) return name;
  const names = yield* namesIn(directory);
  if (names.includes(name)) return name;
  const wanted = folded(name);
  const alike = names.find((other) => folded(other) === wanted);
  if (alike !== undefined) return alike;
  for (const [i, other] of names.entries()) {
    if (i % HANDFUL.directories === 0) yield undefined;
    if (isSameEntry(itself, directory.metadata(other))) return other;
  }
  return name;
}

/** Returns spellings by at least one of which a disk that folds names finds the same entry. */
function otherSpellings(name: Bytes): Bytes[] {
  const swapped = name.replace(/[A-Za-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) ^ 0x20)) as Bytes;
  let end = name.length;
  while (end > 0 && '. '.includes(name[end - 1] as string)) end--;
  const spellings = [swapped, name.slice(0, end) as Bytes];
  const text = /[\x80-\xff]/.test(name) ? textOf(name) : null;
  const others =
    text === null ? [] : [text.normalize('NFC'), text.normalize('NFD'), text.toUpperCase(), text.toLowerCase()];
  return [...new Set([...spellings, ...others.map(bytesOf)])].filter((other) => other !== name && other !== '');
}

/** Names that a disk may take for one. */
export function folded(name: Bytes): string {
  return (textOf(name) ?? name).normalize('NFC').toLowerCase();
}

/** An inode alone is not enough: on Windows it is rounded. */
export function isSameEntry(first: Metadata | 'refused' | null, second: Metadata | 'refused' | null): boolean {
  if (first === null || first === 'refused' || second === null || second === 'refused') return false;
  return (['inode', 'type', 'size', 'modified', 'changed'] as const).every((fact) => first[fact] === second[fact]);
}

/** Returns nothing if the directory may be passed but not read. */
function* namesIn(directory: SourceDirectory, withTypes = true): Steps<readonly Bytes[]> {
  const entries = new EntryBuffer();
  const budget = { steps: 0, entriesRead: 0, isDue: true };
  try {
    const reader = yield* loaded(() => directory.open(withTypes, false));
    try {
      while (yield* loaded(() => reader.read(entries, budget))) yield undefined;
      return entries.namesOf(0, entries.count);
    } finally {
      reader.close();
    }
  } catch (error) {
    if (error instanceof Unloaded) throw error;
    return withTypes && error instanceof TypesUnknown ? yield* namesIn(directory, false) : [];
  }
}
