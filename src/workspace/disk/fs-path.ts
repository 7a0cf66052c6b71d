import { isAscii } from '../bytes.ts';

/**
 * Deno has no names but text: it reads links without an encoding alone, and `opendir` gives text whatever it is asked for.
 * A name that is not valid UTF-8 cannot be opened there.
 */
export const HAS_TEXT_ALONE = 'Deno' in globalThis;

/** Gives `node:fs` these bytes. A string would be encoded as UTF-8 once more. */
export function fsPath(bytes: string): string | Buffer {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}
