/** Makes a text a link to click on in a terminal (OSC 8). */
import { type Bytes, bytesOf, percentEncoded } from '../names/bytes.ts';
import { withSlashes } from '../names/paths.ts';

/** `path` is absolute. Every byte that could end the sequence, or has a meaning in it, is percent-encoded. */
export function hyperlink(text: string, host: string, path: Bytes): string {
  // A path of Windows has no '/' before its drive.
  const absolute = percentEncoded(withSlashes(path))
    .replaceAll('%2F', '/')
    .replace(/^([A-Za-z])%3A/, '/$1:');
  const address = percentEncoded(bytesOf(host)) + absolute;
  return `\x1b]8;;file://${address}\x1b\\${text}\x1b]8;;\x1b\\`;
}
