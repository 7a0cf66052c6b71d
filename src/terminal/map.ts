/** The map that `agent-ls tree` prints, for a terminal. A map tells of files by their names alone. */
import { bytesOf } from '../workspace/bytes.ts';
import { escapedToAscii } from '../workspace/quote.ts';
import type { Look } from './look.ts';
import type { Palette } from './palette.ts';
import { FAINT, painted } from './sgr.ts';

/** What stands between two spaces: a name, which may be quoted, and the marks behind it. */
const WORD = /"(?:[^"\\]|\\.)*"[^ ]*|[^ ]+/g;

/** Of a directory `src/` or `docs/+120`, of a link `to@`, of names that are not shown `test_*+34`; of a file none. */
const PARTS = /^(?<name>.*?)(?<mark>\*\/?\+\d*|\/(?:\+\d*)?|@|)$/;

export function mapFor({ hasColours, isUnicode }: Look, text: string, palette: Palette): string {
  const paint = hasColours ? painted : (text: string) => text;
  const [header = '', ...lines] = text.split('\n');
  const words = lines.map((line) => line.replace(WORD, lookOfWord));
  return [paint(isUnicode ? header : escapedToAscii(header), FAINT), ...words].join('\n');

  function lookOfWord(word: string): string {
    const { name = word, mark = '' } = PARTS.exec(word)?.groups ?? {};
    const shown = isUnicode ? name : inAscii(name);
    if (mark.startsWith('*')) return paint(shown + mark, FAINT);
    const type = mark === '' ? 'file' : mark === '@' ? 'link' : 'dir';
    const sgr = palette.of({ name: bytesOf(name), type, metadata: null }, 'unknown');
    return paint(shown, sgr) + (mark.length > 1 ? paint(mark, FAINT) : mark);
  }
}

function inAscii(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return name;
  return escapedToAscii(name.startsWith('"') ? name : JSON.stringify(name));
}
