/** Checks that several dialects share: an object of known parameters, in which `null` means unset. */
import { didYouMean } from '../protocol/nearest.ts';
import { shownAsGiven } from '../workspace/quote.ts';
import { ParameterError } from './dialect.ts';

export type Parameters = Readonly<Record<string, unknown>>;

export function parametersOf(params: unknown): Parameters {
  if (params === null || params === undefined) return {};
  if (isObject(params)) return params;
  throw new ParameterError('Parameters must be a JSON object.');
}

export function isObject(value: unknown): value is Parameters {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** A hole in a list is none: `every` would pass over it. */
export function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && Array.from(value).every((item) => typeof item === 'string');
}

export function isListed<T>(list: readonly T[], value: unknown): value is T {
  return list.includes(value as T);
}

/** The parameter's own value; `null` and a missing one are undefined. */
export function valueFor(params: Parameters, name: string): unknown {
  return Object.hasOwn(params, name) ? (params[name] ?? undefined) : undefined;
}

/** Refuses a parameter that is not known, also when it is unset: the caller believes in something that is not there. */
export function refuseUnknown(params: Parameters, known: readonly string[]): void {
  const unknown = Object.keys(params).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const hint = didYouMean(unknown, known) || sharingAPart(unknown, known) || ` Known: ${known.join(', ')}.`;
  throw new ParameterError(`Unknown parameter '${shownAsGiven(unknown)}'.${hint}`);
}

/** Where no spelling is near, perhaps a part of one is: `hidden` for `include_hidden`. */
function sharingAPart(word: string, known: readonly string[]): string {
  const parts = (text: string) => text.toLowerCase().split('_');
  const given = new Set(parts(word));
  const found = known.find((name) => parts(name).some((part) => given.has(part)));
  return found === undefined ? '' : ` Did you mean '${found}'?`;
}
