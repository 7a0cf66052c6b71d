/** Parses a message (a line or the body of a request) before the SDK sees it. Refuses one that is too large. */
import { isFields, orUndefined } from '../../protocol/plain.ts';
import { tooManyValues } from '../../protocol/size.ts';

/** In bytes. A megabyte of patterns is more than any model sends. */
export const LARGEST_MESSAGE = 1024 * 1024;

export const TOO_LONG = `A message has at most ${LARGEST_MESSAGE} bytes. Send fewer or shorter parameters, or the calls of a batch one by one.`;

export const NOT_PARSED = 'The message is not valid JSON, or is nested too deeply. Send one JSON-RPC message.';

/** In levels. Parsing a megabyte of nested brackets would block the event loop; fewer are refused after parsing. */
const MAX_NESTING = 10_000;

/** Returns the object or array in a message, or null; and the id that its sender waits for, if that is sure. */
export function parsedMessage(bytes: Buffer): { readonly value: object | null; readonly id: string | number | null } {
  const scanner = new MessageScanner();
  scanner.add(bytes);
  const isTooDeep = scanner.depth > MAX_NESTING;
  // Some programs start their output with a byte order mark.
  const parse = () => JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  const parsed = isTooDeep ? null : orUndefined<unknown>(parse);
  const value = typeof parsed === 'object' ? parsed : null;
  for (const message of Array.isArray(value) ? value : [value]) unsetNulls(message);
  return { value, id: scanner.takeId() ?? null };
}

/** Returns why a message is refused, or null. The SDK would visit a hundred thousand values before we could. */
export function refusalOfSize(message: unknown): string | null {
  const { params, result } = fieldsOf(message);
  return tooManyValues([params, result], 'The message holds');
}

/** Removes null `params` and `arguments`: null means unset, but the SDK would refuse it. */
function unsetNulls(message: unknown): void {
  const request = fieldsOf(message);
  const params = fieldsOf(request.params);
  if (request.params === null) request.params = undefined;
  if (params.arguments === null) params.arguments = undefined;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A subscription stays open until it is cancelled or its client disconnects. The SDK limits their number. */
export function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | undefined)?.method === 'subscriptions/listen';
}

/** In bytes. If the outermost object is longer, its id is not sure. */
const LONGEST_KEPT = 64 * 1024;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Finds out how deeply a message is nested, and which id its sender waits for, without parsing it. It keeps only the
 * outermost object without its inner values (`{"method":"m","params":{},"id":7}`), so the message may have any length.
 * Most clients write the id last, so the start of a message is not enough.
 */
export class MessageScanner {
  depth = 0;
  #level = 0;
  #isInString = false;
  #isEscaped = false;
  /** The outermost object, with a character for each byte. */
  #kept = '';

  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      const isString = this.#isInString;
      if (!isString && (byte === CLOSE_OBJECT || byte === CLOSE_LIST)) this.#level--;
      if (this.#level <= 1 && this.#kept.length <= LONGEST_KEPT) this.#kept += String.fromCharCode(byte);
      if (byte === QUOTE && !this.#isEscaped) this.#isInString = !isString;
      else if (!isString && (byte === OPEN_OBJECT || byte === OPEN_LIST)) {
        this.#level++;
        if (this.#level > this.depth) this.depth = this.#level;
      }
      this.#isEscaped = isString && byte === BACKSLASH && !this.#isEscaped;
    }
  }

  /** Returns the id; null if it is not sure, undefined if the message needs no answer. The next message begins. */
  takeId(): string | number | null | undefined {
    const text = Buffer.from(this.#kept, 'latin1').toString('utf8');
    this.#kept = '';
    this.depth = this.#level = 0;
    this.#isInString = this.#isEscaped = false;
    const message = orUndefined<unknown>(() => JSON.parse(text));
    if (!isFields(message)) return null;
    const { method, id } = message;
    if (typeof method !== 'string' || id === undefined) return undefined;
    // Inside a string, the quotes would be escaped.
    const isUnique = text.match(/[{,]\s*"id"\s*:/g)?.length === 1;
    return isUnique && (typeof id === 'string' || typeof id === 'number') ? id : null;
  }
}
