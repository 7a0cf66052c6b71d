// How much a call may hold. More than this is refused before anything is done with it, for no model sends as much, and
// there is always something that takes long with a path of a megabyte or a million patterns.

/** Bytes of all strings together, as UTF-8; keys count, too. */
export const MOST_TEXT = 32 * 1024;

const MOST_VALUES = 10_000;
const DEEPEST = 64;

/**
 * The reason why a value holds too much; null when it does not.
 *
 * @example tooLarge({ path: 'x'.repeat(40_000) }, 'The parameters hold') // 'The parameters hold 40,004 bytes of text; …'
 */
export function tooLarge(value: unknown, whoHolds: string): string | null {
  const text = textIn(value, whoHolds);
  if (typeof text === 'string') return text;
  if (text <= MOST_TEXT) return null;
  return (
    `${whoHolds} ${grouped(text)} bytes of text; at most ${grouped(MOST_TEXT)} are accepted. ` +
    'Send a shorter path or fewer patterns.'
  );
}

/** The same for how many values there are and how deeply they are nested, however long each is. */
export function tooManyValues(value: unknown, whoHolds: string): string | null {
  const text = textIn(value, whoHolds);
  return typeof text === 'string' ? text : null;
}

/** Bytes of text; or the reason why nobody counts them. */
function textIn(value: unknown, whoHolds: string): number | string {
  let [text, values] = [0, 0];
  // Not by recursion: what is nested too deeply would overflow the stack before it is refused.
  for (let [level, depth] = [[value], 0]; level.length > 0; depth++) {
    if (depth > DEEPEST)
      return `${whoHolds} values that are nested more than ${DEEPEST} levels deep. Send a flat object.`;
    const inner: unknown[] = [];
    for (const one of level) {
      if (typeof one === 'string') text += Buffer.byteLength(one);
      if (typeof one !== 'object' || one === null) continue;
      // A list says how long it is, also where most of it is empty.
      const isList = Array.isArray(one);
      values += isList ? one.length : ArrayBuffer.isView(one) ? one.byteLength : Object.keys(one).length;
      if (values > MOST_VALUES) return `${whoHolds} more than ${grouped(MOST_VALUES)} values. Send fewer patterns.`;
      for (const [key, item] of Object.entries(one)) {
        if (!isList) text += Buffer.byteLength(key);
        inner.push(item);
      }
    }
    level = inner;
  }
  return text;
}

/** The reason why a tool's name cannot be looked for, or spoken of; null when it can. */
export function tooLongForATool(name: unknown): string | null {
  const length = typeof name === 'string' ? Buffer.byteLength(name) : 0;
  if (length <= MOST_TEXT) return null;
  return `The name of the tool has ${grouped(length)} bytes; at most ${grouped(MOST_TEXT)} are accepted.`;
}

/** The same on every machine, whatever its language. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
