/** Which entries a query selects, once the rules have let them pass. */
import type { NamePattern } from '../rules/name-pattern.ts';
import type { Effort } from '../rules/rule.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { ListingError } from '../workspace/listing-error.ts';
import { DIRECTORY, type EntryBuffer, FILE } from '../workspace/reader.ts';
import type { Selection } from './query.ts';

/** Whether an entry is selected. `directory` is the path of its own, relative to the one that paths are shown from. */
export type Select = (entries: EntryBuffer, at: number, directory: Bytes) => boolean;

/** A selection by the name, and by the path relative to the directory that paths are shown from. */
export function selectingByName(selects: (name: Bytes, path: Bytes) => boolean): Select {
  return (entries, at, directory) => {
    const name = entries.nameAt(at);
    return selects(name, below(directory, name));
  };
}

/** Null when everything is selected. */
export async function selectorFor({ pattern, types }: Selection, effort: Effort): Promise<Select | null> {
  const wanted = types === 'files' ? FILE : DIRECTORY;
  const ofType: Select | null = types === 'all' ? null : (entries, at) => entries.codeAt(at) === wanted;
  if (pattern === null) return ofType;
  const compiled = await compiledPattern(pattern);
  const matches = selectingByName((name, path) => compiled.matches(name, path, effort));
  return ofType === null ? matches : (entries, at, path) => ofType(entries, at, path) && matches(entries, at, path);
}

/** With `dot`, wildcards match a leading dot, too. */
export async function compiledPattern(pattern: string, options: { readonly dot?: boolean } = {}): Promise<NamePattern> {
  const { compileNamePattern, PatternError } = await import('../rules/name-pattern.ts');
  try {
    return await compileNamePattern(pattern, options);
  } catch (error) {
    throw error instanceof PatternError ? new ListingError('bad-pattern', error.message) : error;
  }
}
