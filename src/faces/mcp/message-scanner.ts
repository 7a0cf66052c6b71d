/** Finds out, before a message is parsed, how deeply it is nested, and which id its sender waits for. */

/** In bytes. Longer keys and values are cut; ids are much shorter. */
const LONGEST_KEPT = 1024;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const SPACES = [0x20, 0x09, 0x0a, 0x0d];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Scans a message of any length, and keeps only the current key or value of its top level. Most clients write the id
 * last, so the start of a message is not enough.
 */
export class MessageScanner {
  #message = new TopLevel();

  add(bytes: Uint8Array): void {
    for (const byte of bytes) this.#message.take(byte);
  }

  /** The deepest nesting so far. */
  get depth(): number {
    return this.#message.deepest;
  }

  /**
   * Returns the id, or null if it is not sure; undefined for a notification or a response, which need no answer. The
   * next message begins.
   */
  takeId(): string | number | null | undefined {
    const { outside, hasMethod, ids } = this.#message;
    this.#message = new TopLevel();
    if (outside !== '{}') return null;
    if (!hasMethod || ids.length === 0) return undefined;
    const [id, another] = ids;
    return another === undefined && (typeof id === 'string' || typeof id === 'number') ? id : null;
  }
}

/** The relevant keys and values of a message's outermost object. */
class TopLevel {
  /** The outermost brackets, and anything outside them: `{}` for one complete object. */
  outside = '';
  hasMethod = false;
  deepest = 0;
  readonly ids: unknown[] = [];
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #key = '';
  /** The current key or value, with a character for each byte. */
  #token = '';

  take(byte: number): void {
    if (this.#isInString) this.#takeInString(byte);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      this.#keep(byte);
      this.#depth++;
      if (this.#depth > this.deepest) this.deepest = this.#depth;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (this.#depth === 1) this.#endMember();
      this.#depth--;
      this.#keep(byte);
    } else if (byte === QUOTE) {
      this.#isInString = true;
      this.#keep(byte);
    } else if (this.#depth === 1 && byte === COLON) {
      this.#key = this.#takeToken();
    } else if (this.#depth === 1 && byte === COMMA) {
      this.#endMember();
    } else this.#keep(byte);
  }

  #takeInString(byte: number): void {
    this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }

  #keep(byte: number): void {
    if (this.#depth === 1 && this.#token.length < LONGEST_KEPT) this.#token += String.fromCharCode(byte);
    if (this.#depth <= 0 && this.outside.length <= 2 && !SPACES.includes(byte))
      this.outside += String.fromCharCode(byte);
  }

  /** Parses only ids, and at most two, because a message may have a million members. */
  #endMember(): void {
    const value = this.#takeToken();
    if (this.#key === '"method"') this.hasMethod = value.startsWith('"');
    if (this.#key === '"id"' && this.ids.length < 2) this.ids.push(parsed(value));
    this.#key = '';
  }

  #takeToken(): string {
    const token = this.#token.trim();
    this.#token = '';
    return token;
  }
}

/** Returns null if it is not a complete value. */
function parsed(bytes: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes, 'latin1').toString('utf8'));
  } catch {
    return null;
  }
}
