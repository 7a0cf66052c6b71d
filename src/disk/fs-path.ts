import { isAscii } from '../names/bytes.ts';
import { codedError } from '../workspace/listing-error.ts';

/** True in Deno, where names are always text. One that is not valid UTF-8 cannot be opened there. */
export const HAS_TEXT_ALONE = 'Deno' in globalThis;

export const IS_WINDOWS = process.platform === 'win32';

/** Prepares bytes for `node:fs`. On Windows names are text: Node 20 does not make a buffer safe from device names. */
export function fsPath(bytes: string): string | Buffer {
  // After the drive, a colon names a stream of the file, which no listing shows.
  if (IS_WINDOWS && bytes.includes(':', 2)) throw codedError('ENOENT', 'no such file or directory');
  if (isAscii(bytes)) return bytes;
  const encoded = Buffer.from(bytes, 'latin1');
  return IS_WINDOWS ? encoded.toString() : encoded;
}
