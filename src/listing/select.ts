/** Which entries a query selects, once the rules have let them pass. */
import type { NamePattern } from '../rules/name-pattern.ts';
import type { Effort } from '../rules/rule.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { EntryType } from '../workspace/reader.ts';
import type { Selection } from './query.ts';

/** Whether an entry is selected. `path` is relative to the directory that paths are shown from. */
export type Select = (name: Bytes, path: Bytes, type: EntryType) => boolean;

/** Null when everything is selected. */
export async function selectorFor({ pattern, types }: Selection, effort: Effort): Promise<Select | null> {
  const ofType: Select | null =
    types === 'all' ? null : types === 'files' ? (_, __, type) => type === 'file' : (_, __, type) => type === 'dir';
  if (pattern === null) return ofType;
  const compiled = await compiledPattern(pattern);
  return (name, path, type) => (ofType === null || ofType(name, path, type)) && compiled.matches(name, path, effort);
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
