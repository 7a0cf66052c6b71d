/** Colours the map that `agent-ls tree` prints, by names alone. */
import { bytesOf } from '../workspace/bytes.ts';
import { escapedToAscii, PRINTABLE_ASCII } from '../workspace/quote.ts';
import type { Display } from './display.ts';
import { FAINT, type Palette, painted } from './palette.ts';

/** A name, which may be quoted, and the marks behind it. */
const WORD = /"(?:[^"\\]|\\.)*"[^ ]*|[^ ]+/g;

/** Marks: `src/` and `docs/+120` are directories, `to@` is a link, `test_*+34` a fold; a file has none. */
const PARTS = /^(?<name>.*?)(?<mark>\*\/?\+\d*|\/(?:\+\d*)?|@|)$/;

export function mapFor({ hasColours, isUnicode }: Display, text: string, palette: Palette): string {
  const paint = hasColours ? painted : (text: string) => text;
  const [header = '', ...lines] = text.split('\n');
  const words = lines.map((line) => line.replace(WORD, styledWord));
  return [paint(isUnicode ? header : escapedToAscii(header), FAINT), ...words].join('\n');

  function styledWord(word: string): string {
    const { name = word, mark = '' } = PARTS.exec(word)?.groups ?? {};
    const shown = isUnicode ? name : inAscii(name);
    if (mark.startsWith('*')) return paint(shown + mark, FAINT);
    const type = mark === '' ? 'file' : mark === '@' ? 'link' : 'dir';
    const sgr = palette.of({ name: bytesOf(name), type, metadata: null }, 'unknown');
    return paint(shown, sgr) + (mark.length > 1 ? paint(mark, FAINT) : mark);
  }
}

function inAscii(name: string): string {
  if (PRINTABLE_ASCII.test(name)) return name;
  return escapedToAscii(name.startsWith('"') ? name : JSON.stringify(name));
}
