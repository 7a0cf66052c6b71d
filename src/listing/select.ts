/** Which entries a query selects, once the rules have let them pass. */
import type { Effort } from '../rules/rule.ts';
import type { Selection } from './query.ts';
import type { Select } from './walk.ts';

/** Null when everything is selected. */
export async function selectorFor({ pattern, types }: Selection, effort: Effort): Promise<Select | null> {
  const ofType: Select | null =
    types === 'all' ? null : types === 'files' ? (_, __, type) => type === 'file' : (_, __, type) => type === 'dir';
  if (pattern === null) return ofType;
  const { compileNamePattern } = await import('../rules/name-pattern.ts');
  const compiled = await compileNamePattern(pattern);
  return (name, path, type) => (ofType === null || ofType(name, path, type)) && compiled.matches(name, path, effort);
}
