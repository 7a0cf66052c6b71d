import { isAscii } from '../bytes.ts';

/** Gives `node:fs` these bytes. A string would be encoded as UTF-8 once more. */
export function fsPath(bytes: string): string | Buffer {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1');
}
