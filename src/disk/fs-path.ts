import { isAscii } from '../names/bytes.ts';

/**
 * True in Deno, where names are always text: it reads links only without an encoding, and `opendir` returns text
 * whatever encoding is requested. A name that is not valid UTF-8 cannot be opened there.
 */
export const HAS_TEXT_ALONE = 'Deno' in globalThis;

/** Prepares bytes for `node:fs`. A string would be encoded as UTF-8 once more. */
export function fsPath(bytes: string): string | Buffer {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}
