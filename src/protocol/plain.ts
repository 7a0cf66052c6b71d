// Turns anything that a tool can return or throw into plain JSON data. Nothing here throws, whatever it is given.
import { types } from 'node:util';

export type Fields = { readonly [field: string]: unknown };

/** Deeper than any real answer, and shallow enough for the stack. */
const MAX_COPY_DEPTH = 500;

/** Copies of objects that were copied before. Ten objects that all refer to each other have a million ways through. */
const MAX_REPEATS = 100_000;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the object that a JSON text contains, or null when the text is anything else. */
export function parseFields(text: string): Fields | null {
  const value = orUndefined<unknown>(() => JSON.parse(text));
  return isFields(value) ? value : null;
}

/** Returns what a reader of the value's JSON would get; undefined if it has none (a cycle, a BigInt, a function …). */
export function throughJson(value: unknown): unknown {
  return orUndefined(() => JSON.parse(JSON.stringify(value)));
}

/** Returns the indented JSON of a value, or of its plain copy when JSON refuses the value. */
export function prettyJson(value: unknown): string {
  return orUndefined(() => JSON.stringify(value, null, 2)) ?? JSON.stringify(toPlain(value), null, 2);
}

/** Returns undefined when `read` throws. */
export function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** Makes a copy that JSON can hold. A placeholder names each value that it cannot hold. */
export function toPlain(value: unknown): unknown {
  return copy(value, { above: new Set(), copied: new Set(), repeats: 0 });
}

interface Copying {
  /** The objects that contain the current one. */
  readonly above: Set<object>;
  readonly copied: Set<object>;
  repeats: number;
}

function copy(value: unknown, copying: Copying): unknown {
  if (typeof value === 'object' && value !== null) return copyObject(value, copying);
  if (typeof value === 'function') return '[function]';
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isPlain ? value : value === undefined || value === null ? null : String(value);
}

function copyObject(value: object, copying: Copying): unknown {
  const { above, copied } = copying;
  if (above.has(value)) return '[circular]';
  if (above.size >= MAX_COPY_DEPTH) return '[too deep]';
  if (copied.has(value) && ++copying.repeats > MAX_REPEATS) return '[repeated]';
  above.add(value);
  copied.add(value);
  try {
    if (isError(value)) return messageOf(value);
    if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), copying);
    if (Array.isArray(value) || value instanceof Set) return Array.from(value, (item) => copy(item, copying));
    if (value instanceof Map) {
      const isFieldMap = [...value.keys()].every((key) => typeof key === 'string');
      return copy(isFieldMap ? Object.fromEntries(value) : [...value], copying);
    }
    const keys = Object.keys(value);
    // A stream or a generator would become `{}`, as if there were nothing in it.
    const kind = Object.prototype.toString.call(value);
    if (keys.length === 0 && kind !== '[object Object]') return kind;
    return Object.fromEntries(keys.flatMap((key) => copyField(value as Fields, key, copying)));
  } catch (error) {
    return unreadableNote(error);
  } finally {
    above.delete(value);
  }
}

/** The list is empty if the field is undefined, because JSON omits such fields. */
function copyField(value: Fields, key: string, copying: Copying): [string, unknown][] {
  try {
    const field = value[key];
    return field === undefined ? [] : [[key, copy(field, copying)]];
  } catch (error) {
    return [[key, unreadableNote(error)]];
  }
}

function unreadableNote(error: unknown): string {
  return `[unreadable: ${isError(error) ? messageOf(error) : 'it throws'}]`;
}

export function isError(value: unknown): value is Error {
  return orUndefined(() => value instanceof Error || types.isNativeError(value)) === true;
}

/** Returns the message of anything that can be thrown; '' for undefined and null. */
export function messageOf(thrown: unknown): string {
  if (thrown === undefined || thrown === null) return '';
  try {
    if (isError(thrown)) return messagesBelow(thrown).join('\nCaused by: ');
    const plain = toPlain(thrown);
    if (isFields(plain) && typeof plain.message === 'string') return plain.message;
    return typeof plain === 'string' ? plain : JSON.stringify(plain);
  } catch {
    return 'an error that cannot be read';
  }
}

/** Returns the messages of an error, its causes and the errors it aggregates; each once, as causes can be cyclic. */
function messagesBelow(error: Error): string[] {
  const queue = new Set<unknown>([error]);
  const messages: string[] = [];
  for (const current of queue) {
    if (typeof current === 'string') messages.push(current);
    if (!isError(current)) continue;
    messages.push(String(current.message || current.name));
    queue.add(current.cause);
    if ('errors' in current && Array.isArray(current.errors)) for (const one of current.errors) queue.add(one);
  }
  return messages;
}

/** Makes a caller's words safe inside a sentence: they can neither start a new line nor contain hidden characters. */
export function inSentence(words: string): string {
  // No language has so many marks on a letter, and `normalize` takes quadratic time on such runs.
  const misleading = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}|\p{M}{32}/u;
  if (!misleading.test(words) && words === words.normalize('NFC')) return words;
  return words.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
