// Limits on the size of a call and of its answer. A larger call is refused before any work: no model sends so much, and
// a path of a megabyte or a million patterns always makes something slow.

/** The most bytes of all strings and keys together, as UTF-8. */
export const MAX_TEXT = 32 * 1024;

/** The most characters of an answer's text. Clients cut longer ones: at 40,000 characters, at 48,000 or at 50,000. */
export const MAX_CHARACTERS = 40_000;

/** The smallest limit on characters. A lower one would not hold a map of the smallest budget. */
export const MIN_CHARACTERS = 1000;

const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;

/**
 * Returns the reason why a value is too large; null when it is not.
 *
 * @example tooLarge({ path: 'x'.repeat(40_000) }, 'The parameters hold') // 'The parameters hold 40,004 bytes of text; …'
 */
export function tooLarge(value: unknown, whoHolds: string): string | null {
  const text = textIn(value, whoHolds);
  if (typeof text === 'string') return text;
  if (text <= MAX_TEXT) return null;
  return (
    `${whoHolds} ${grouped(text)} bytes of text; at most ${grouped(MAX_TEXT)} are accepted. ` +
    'Send a shorter path or fewer patterns.'
  );
}

/** The same, but checks only the number of values and their depth, not the length of texts. */
export function tooManyValues(value: unknown, whoHolds: string): string | null {
  const text = textIn(value, whoHolds);
  return typeof text === 'string' ? text : null;
}

/** Returns the bytes of text, or the reason why they were not counted. */
function textIn(value: unknown, whoHolds: string): number | string {
  let [text, values] = [0, 0];
  // Avoids recursion: a deeply nested value would overflow the stack before it is refused.
  for (let [level, depth] = [[value], 0]; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      return `${whoHolds} values that are nested more than ${MAX_DEPTH} levels deep. Send a flat object.`;
    const inner: unknown[] = [];
    for (const one of level) {
      if (typeof one === 'string') text += Buffer.byteLength(one);
      if (typeof one !== 'object' || one === null) continue;
      // The length of a list includes its holes.
      const isList = Array.isArray(one);
      values += isList ? one.length : ArrayBuffer.isView(one) ? one.byteLength : Object.keys(one).length;
      if (values > MAX_VALUES) return `${whoHolds} more than ${grouped(MAX_VALUES)} values. Send fewer patterns.`;
      for (const [key, item] of Object.entries(one)) {
        if (!isList) text += Buffer.byteLength(key);
        inner.push(item);
      }
    }
    level = inner;
  }
  return text;
}

/** Returns the reason why a tool's name is too long to look up or repeat; null when it is not. */
export function tooLongForATool(name: unknown): string | null {
  const length = typeof name === 'string' ? Buffer.byteLength(name) : 0;
  if (length <= MAX_TEXT) return null;
  return `The name of the tool has ${grouped(length)} bytes; at most ${grouped(MAX_TEXT)} are accepted.`;
}

/** Groups digits as in `12,345`, whatever the machine's language. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3}){1,7}$)/g, ',');
}
