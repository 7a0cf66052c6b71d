/**
 * Names on a terminal are written as a shell takes them, so that they can be copied:
 *
 *     my file.txt                →   'my file.txt'
 *     a\nb (with a line break)   →   $'a\nb'
 *
 * Anything else is shown as it is. So no name has a space outside quotes, and none can forge an arrow, a count or a
 * heading, which ends in a colon.
 */
import { type Bytes, bytesOf, percentEncoded, textOf } from '../names/bytes.ts';
import { withSlashes } from '../names/paths.ts';
import { isPlain, PRINTABLE_ASCII } from '../names/quote.ts';
import { displayWidth } from '../text/display-width.ts';

const NEEDS_QUOTES = /[ !"$&'()*;<>?[\\\]^`{|}]|^[#~=]|:$|^$/;

/** A name in `twins` looks like another one, and is escaped. */
export function nameOnTerminal(bytes: Bytes, isUnicode: boolean, twins: ReadonlySet<string> = new Set()): string {
  const text = PRINTABLE_ASCII.test(bytes) ? bytes : isUnicode && !twins.has(bytes) ? readableText(bytes) : null;
  if (text === null) return `$'${escapedBytes(bytes)}'`;
  return NEEDS_QUOTES.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : text;
}

/** In UTF-16 units. Longer texts are not normalised, which may take quadratic time. */
const LONGEST = 1024;

/** Perf: compiled only when the first name that is not ASCII needs it. */
let emoji: RegExp | undefined;

/** Not a literal, because the language version that the compiler targets lacks this flag, unlike Node 20. */
const SETS = 'gv';

/** Returns null if the name is not text, or could be taken for another. */
function readableText(bytes: Bytes): string | null {
  const text = textOf(bytes);
  if (text === null || text.length > LONGEST) return null;
  // Letters with separate accents look like the composed ones, and known emoji like nothing else.
  emoji ??= new RegExp('\\p{RGI_Emoji}', SETS);
  const composed = text.normalize('NFC').replace(emoji, '\u{1f600}');
  return isPlain(composed.replaceAll('"', "'")) ? text : null;
}

/** Returns the names that differ only in how their accents are composed. */
export function twinsAmong(names: readonly Bytes[]): Set<string> {
  const seen = new Map<string, Bytes>();
  const twins = new Set<string>();
  for (const name of names) {
    const text = PRINTABLE_ASCII.test(name) || name.length > LONGEST ? null : textOf(name);
    if (text === null) continue;
    const composed = text.normalize('NFC');
    const other = seen.get(composed) ?? name;
    seen.set(composed, other);
    if (other !== name) twins.add(other).add(name);
  }
  return twins;
}

const LETTERS: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't', "'": "'", '\\': '\\' };

/** Escapes bytes, not characters, which mean the same in every locale. */
function escapedBytes(bytes: Bytes): string {
  const escaped = (byte: string) => `\\${LETTERS[byte] ?? `x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`}`;
  return bytes.replace(/[^\x20-\x7e]|['\\]/g, escaped);
}

/** Shortens a text in the middle to at most `width` columns of the terminal. */
export function shortened(text: string, width: number, isUnicode: boolean): string {
  if (displayWidth(text) <= width) return text;
  const letters = Array.from(text);
  const gap = isUnicode ? '…' : '...';
  const fitting = (from: readonly string[], room: number) => {
    let used = 0;
    const end = from.findIndex((letter) => {
      used += displayWidth(letter);
      return used > room;
    });
    return from.slice(0, end);
  };
  const half = (width - gap.length) / 2;
  const end = fitting(letters.toReversed(), Math.floor(half)).toReversed();
  return `${fitting(letters, Math.ceil(half)).join('')}${gap}${end.join('')}`;
}

/** `path` is absolute. Every byte that could end the sequence, or has a meaning in it, is percent-encoded. */
export function hyperlink(text: string, host: string, path: Bytes): string {
  // A path of Windows has no '/' before its drive.
  const absolute = percentEncoded(withSlashes(path))
    .replaceAll('%2F', '/')
    .replace(/^([A-Za-z])%3A/, '/$1:');
  const address = percentEncoded(bytesOf(host)) + absolute;
  return `\x1b]8;;file://${address}\x1b\\${text}\x1b]8;;\x1b\\`;
}
