/** Which entries a query selects, once the rules have let them pass. */
import type { NamePattern } from '../rules/name-pattern.ts';
import type { Effort } from '../rules/rule.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { Select, Selection } from './query.ts';

/** Null when everything is selected. */
export async function selectorFor({ pattern, types, filter }: Selection, effort: Effort): Promise<Select | null> {
  const conditions: Select[] = [];
  if (types === 'files') conditions.push((_, __, type) => type === 'file');
  if (types === 'directories') conditions.push((_, __, type) => type === 'dir');
  if (pattern !== null) conditions.push(matchingOf(await Promise.all([pattern].flat().map(compiledOne)), effort));
  if (filter !== undefined) conditions.push(filter);
  const [first, ...others] = conditions;
  if (first === undefined) return null;
  if (others.length === 0) return first;
  return (name, path, type) => conditions.every((holds) => holds(name, path, type));
}

export type { Select };

const compiledOne = (pattern: string) => compiledPattern(pattern);

/** A negated pattern matches what it does not exclude. */
function matchingOf(patterns: readonly NamePattern[], effort: Effort): Select {
  const [first, ...others] = patterns;
  if (first !== undefined && others.length === 0) return (name, path) => first.matches(name, path, effort);
  const wanted = patterns.filter(({ isNegated }) => !isNegated);
  const excluding = patterns.filter(({ isNegated }) => isNegated);
  return (name, path) => {
    const matches = (one: NamePattern) => one.matches(name, path, effort);
    return (wanted.length === 0 || wanted.some(matches)) && excluding.every(matches);
  };
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
