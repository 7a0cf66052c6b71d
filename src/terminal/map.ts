/** The map that `agent-ls tree` shows on a terminal: coloured by names alone, and wrapped between words. */

import { bytesOf } from '../names/bytes.ts';
import { escapedToAscii, PRINTABLE_ASCII } from '../names/quote.ts';
import { displayWidth } from '../text/display-width.ts';
import type { Cell } from './columns.ts';
import type { Display } from './display.ts';
import { FAINT, type Palette, painted } from './palette.ts';

/** A name, which may be quoted, and the marks after it. */
const WORD = /"(?:[^"\\]|\\.)*"[^ ]*|[^ ]+/g;

/** `src/` and `docs/+120` are directories, `to@` a link, `test_*+34` a fold, `*.ts:` a template. A file has no mark. */
const PARTS = /^(?<name>.*?)(?<mark>\*\/?\+\d*|\*[\w.-]*:|\/(?:\+\d*|-)?|@|)$/;

const LEGEND = [
  [/\/\+/, 'dir/+90: 90 files below it'],
  [/\/-(?: |$)/m, 'dir/-: all in it is hidden'],
  [/\*\/?\+\d/, 'a*+30: 30 files that begin so'],
  [/\*[\w.-]*: /, '*.ts: a b is a.ts b.ts'],
] as const;

/** `path` is the requested path, which replaces the one in the heading; null to keep the heading. */
export function mapFor(
  { hasColours, isUnicode, width }: Display,
  text: string,
  palette: Palette,
  path: string | null,
): string {
  const paint = hasColours ? painted : (text: string) => text;
  const [first = '', ...lines] = text.split('\n');
  const header = path === null ? first : first.replace(/^# .*?(?=: \d+ files, )/, () => `# ${path}`);
  const body = lines.flatMap(wrapped);
  const legend = width === null ? [] : legendFor(lines.join('\n'), width);
  return [paint(isUnicode ? header : escapedToAscii(header), FAINT), ...body, ...legend].join('\n');

  /** Wraps a line. Its continuation rows are indented further. */
  function wrapped(line: string): string[] {
    const indent = line.search(/\S|$/);
    const rows: string[] = [];
    let row = ' '.repeat(indent);
    let used = indent;
    for (const word of line.match(WORD) ?? []) {
      const cell = cellOf(word);
      const isFirst = row.trim() === '';
      if (width !== null && !isFirst && used + 1 + cell.width > width) {
        rows.push(row);
        row = ' '.repeat(indent + HANGING);
        used = indent + HANGING;
      } else if (!isFirst) {
        row += ' ';
        used++;
      }
      row += cell.text;
      used += cell.width;
    }
    return [...rows, row];
  }

  function legendFor(body: string, columns: number): string[] {
    const rows = LEGEND.filter(([pattern]) => pattern.test(body)).map(([, meaning]) => meaning);
    const one = rows.join('; ');
    return (one.length <= columns ? [one] : rows).filter(Boolean).map((row) => paint(row, FAINT));
  }

  function cellOf(word: string): Cell {
    const { name = word, mark = '' } = PARTS.exec(word)?.groups ?? {};
    const shown = isUnicode ? name : inAscii(name);
    const columns = displayWidth(shown + mark);
    if (mark.startsWith('*')) return { text: paint(shown + mark, FAINT), width: columns };
    const type = mark === '' ? 'file' : mark === '@' ? 'link' : 'dir';
    const sgr = palette.of({ name: bytesOf(name), type, metadata: null }, 'unknown');
    return { text: paint(shown, sgr) + (mark.length > 1 ? paint(mark, FAINT) : mark), width: columns };
  }
}

/** The additional indent of continuation rows, in columns. */
const HANGING = 4;

function inAscii(name: string): string {
  if (PRINTABLE_ASCII.test(name)) return name;
  return escapedToAscii(name.startsWith('"') ? name : JSON.stringify(name));
}
