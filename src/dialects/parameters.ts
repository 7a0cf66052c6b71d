/** The parameter checks that dialects share: parameters are an object of known names, in which `null` means unset. */
import { shownAsGiven, unquoted } from '../names/quote.ts';
import { didYouMean } from '../protocol/nearest.ts';
import { type Fields, isFields } from '../protocol/plain.ts';

/** Thrown for a parameter that cannot be accepted. The message is the dialect's own. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** Advice on what to do, if the dialect's general advice would not help. */
  readonly next: string | null;

  constructor(message: string, next: string | null = null) {
    super(message);
    this.next = next;
  }
}

export function isInteger(value: unknown): value is number {
  return Number.isInteger(value);
}

/** Also rejects a sparse array, whose holes `every` alone would skip. */
export function isListOfStrings(value: unknown): value is string[] {
  return Array.isArray(value) && Array.from(value).every((item) => typeof item === 'string');
}

/** Returns the value of an own property; undefined if it is missing or `null`. */
export function valueFor(params: Fields, name: string): unknown {
  return Object.hasOwn(params, name) ? (params[name] ?? undefined) : undefined;
}

/** Returns a parameter if it is a string, otherwise null. The rest of the call may be invalid. */
export function stringIn(params: unknown, name: string): string | null {
  const value = isFields(params) ? valueFor(params, name) : undefined;
  return typeof value === 'string' ? value : null;
}

/** Reads the parameters of a call one by one; throws a ParameterError at the first that cannot be accepted. */
export class ParameterReader {
  readonly #params: Fields;

  constructor(params: unknown) {
    const given = params ?? {};
    if (!isFields(given)) throw new ParameterError('Parameters must be a JSON object.');
    this.#params = given;
  }

  value(name: string): unknown {
    return valueFor(this.#params, name);
  }

  /** `isComplete` returns true if a path that starts with a quote is a well-formed quoted string. */
  path(isComplete = (quoted: string) => unquoted(quoted) !== null): string {
    const path = this.value('path') ?? '.';
    if (typeof path !== 'string') throw new ParameterError('path must be a string.');
    if (!path.startsWith('"') || isComplete(path)) return path;
    throw new ParameterError(
      'path is a malformed quoted string.',
      'Send the name exactly as a listing showed it, with its quotes, or a plain path without quotes.',
    );
  }

  boolean(name: string, usual: boolean): boolean {
    const value = this.value(name) ?? usual;
    if (typeof value !== 'boolean') throw new ParameterError(`${name} must be a boolean.`);
    return value;
  }

  integer(name: string, usual: number, least: number, most: number): number {
    const value = this.value(name) ?? usual;
    if (isInteger(value) && value >= least && value <= most) return value;
    throw new ParameterError(`${name} must be an integer between ${least} and ${most}.`);
  }

  /** Returns null if it is unset or empty. */
  pattern(name: string): string | null {
    const value = this.value(name) ?? '';
    if (typeof value !== 'string') throw new ParameterError(`${name} must be a string.`);
    return value === '' ? null : value;
  }

  patterns(name: string): readonly string[] {
    const value = this.value(name) ?? [];
    if (!isListOfStrings(value)) throw new ParameterError(`${name} must be a list of glob patterns.`);
    return value;
  }

  /** Refuses any other parameter, even if its value is `null`: the caller relies on something that does not exist. */
  allowOnly(properties: object): void {
    const known = Object.keys(properties);
    const unknown = Object.keys(this.#params).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    // It may share a part with a known one: `file_path` for `path`.
    const sharing = known.find((name) => partsOf(name).some((part) => partsOf(unknown).includes(part)));
    const hint = nameMeantBy(unknown, known) || suggesting(sharing) || ` Known: ${known.join(', ')}.`;
    throw unknownParameter(unknown, hint);
  }
}

/** The part of a JSON Schema that is used here. */
interface Schema {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: unknown;
}

/**
 * Interprets parameters from clients and frameworks, which add some of their own (`wait_for_previous`) and send numbers
 * as strings. Drops unknown parameters, unless the schema allows others. Throws a ParameterError for a name that is
 * close to a known one, and so probably misspelt.
 */
export function lenientParameters(value: unknown, { type, properties, additionalProperties }: Schema): unknown {
  if (typeof value === 'string') {
    if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value);
    if (type === 'boolean' && /^(?:true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  }
  if (properties === undefined || !isFields(value)) return value;
  const names = Object.keys(properties);
  const meant: [string, unknown][] = [];
  for (const [name, given] of Object.entries(value)) {
    if (names.includes(name)) meant.push([name, lenientParameters(given, properties[name] as Schema)]);
    else {
      const hint = nameMeantBy(name, names);
      if (hint !== '') throw unknownParameter(name, hint);
      // A dialect whose schema allows others handles them itself.
      if (additionalProperties !== false) meant.push([name, given]);
    }
  }
  return Object.fromEntries(meant);
}

function unknownParameter(name: string, hint: string): ParameterError {
  return new ParameterError(`Unknown parameter '${shownAsGiven(name)}'.${hint}`);
}

/** Returns " Did you mean …?" for a misspelling or a part of a name (`hidden` for `include_hidden`), or ''. */
function nameMeantBy(word: string, known: readonly string[]): string {
  const isPartOf = (name: string) => partsOf(word).every((part) => partsOf(name).includes(part));
  return didYouMean(word, known) || suggesting(known.find(isPartOf));
}

function suggesting(name: string | undefined): string {
  return name === undefined ? '' : ` Did you mean '${name}'?`;
}

function partsOf(name: string): string[] {
  return name.toLowerCase().split('_');
}
