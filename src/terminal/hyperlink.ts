/** Makes a text a link to click on in a terminal (OSC 8). */
import { type Bytes, bytesOf } from '../workspace/bytes.ts';

/** `path` is absolute. Every byte that could end the sequence, or has a meaning in it, is percent-encoded. */
export function hyperlink(text: string, host: string, path: Bytes): string {
  return `\x1b]8;;file://${percentEncoded(bytesOf(host))}${percentEncoded(path)}\x1b\\${text}\x1b]8;;\x1b\\`;
}

function percentEncoded(bytes: Bytes): string {
  return bytes.replace(/[^\w.~/-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
