/**
 * Finds out how deeply a message is nested, and which id its sender waits for, without parsing the message. It keeps
 * only the outermost object without its inner values (`{"method":"m","params":{},"id":7}`), so the message may have any
 * length. Most clients write the id last, so the start of a message is not enough.
 */
import { isFields, orUndefined } from '../../protocol/plain.ts';

/** In bytes. If the outermost object is longer, its id is not sure. */
const LONGEST_KEPT = 64 * 1024;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export class MessageScanner {
  /** The deepest nesting so far. */
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

  /**
   * Returns the id, or null if it is not sure; undefined for a notification or a response, which need no answer. The
   * next message begins.
   */
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
