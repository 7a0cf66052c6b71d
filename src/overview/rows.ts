/**
 * Writes the lines of a map. Sibling directories that look alike form one row, and long lines are continued.
 *
 *      {api,web,worker}/ package.json
 *       src/ index.ts
 */
import { groupedBy } from '../names/grouped.ts';
import { BRACEABLE, braced } from './braces.ts';
import { CONTINUED } from './dense-name.ts';
import { byName, joinedName, type Line } from './line.ts';
import { allBelow, type Steps } from './steps.ts';

/** Lines that are written as one, because they and the lines below them have the same words. */
export interface Row {
  readonly lines: readonly Line[];
  /** The lines within the first parent directory; their names stand at the start of the row. */
  readonly heads: readonly Line[];
}

/** Two similar lines are easier to read separately. */
export const MIN_ALIKE = 3;

/** Characters of a written line. Clients cut longer ones. */
const LONGEST_LINE = 2000;

/** Returns all rows from top to bottom. */
export function* rowsOf(root: Line): Steps<Row[]> {
  const looks = yield* looksOf(root);
  const rows: Row[] = [];
  // Without recursion: directories can be nested deeper than the stack.
  const waiting: Row[] = [{ lines: [root], heads: [root] }];
  for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
    rows.push(row);
    const inside = row.lines.map(({ lines }) => lines.toSorted(byHead));
    const groups = alike(inside[0] as Line[], looks);
    for (const group of groups.reverse()) {
      const lines = inside.flatMap((each) => group.map((index) => each[index] as Line));
      waiting.push({ lines, heads: lines.slice(0, group.length) });
    }
    yield;
  }
  return rows;
}

function byHead(a: Line, b: Line): number {
  return byName(headOf(a), headOf(b));
}

function headOf({ chain }: Line) {
  return chain[0] as Line['folder'];
}

/** Gives the same number to lines that can be written as one, whatever their first names. */
function* looksOf(root: Line): Steps<Map<Line, number>> {
  const all = yield* allBelow(root, ({ lines }) => lines);
  const numbers = new Map<string, number>();
  const looks = new Map<Line, number>();
  for (const [i, line] of all.reverse().entries()) {
    const words = line.words().flat().join(' ');
    const tail = line.chain.slice(1).map(({ name }) => name);
    const inside = line.lines.toSorted(byHead).map((inner) => `${joinedName(inner.chain)}=${looks.get(inner)}`);
    // A line that is too long is continued, and that works for a single directory only.
    const own = words.length > LONGEST_LINE / 2 || !BRACEABLE.test(headOf(line).name) ? `#${i}` : '';
    const look = [own, tail.join('/'), line.rest, words, ...inside].join('\n');
    if (!numbers.has(look)) numbers.set(look, numbers.size);
    looks.set(line, numbers.get(look) as number);
    if (i % LINES === LINES - 1) yield;
  }
  return looks;
}

/** Lines handled between two steps. */
const LINES = 16;

/** Groups the indices of lines that look alike; every other line is a group of its own. */
function alike(lines: readonly Line[], looks: ReadonlyMap<Line, number>): number[][] {
  return [...groupedBy(lines.keys(), (index) => looks.get(lines[index] as Line)).values()]
    .flatMap((group) => (group.length < MIN_ALIKE ? group.map((index) => [index]) : [group]))
    .sort((a, b) => (a[0] as number) - (b[0] as number));
}

/** Returns the text of a row, broken where a line would be too long. */
export function textOfRow({ lines, heads }: Row): string {
  const [line] = lines as [Line];
  const { depth } = line;
  const texts: string[] = [];
  const next = `${' '.repeat(depth + 1)}${CONTINUED}`;
  let text = depth === 0 ? '' : `${' '.repeat(depth)}${headText(heads)}/${line.rest === null ? '' : `+${line.rest}`}`;
  for (const [mark, ...words] of line.words()) {
    if (mark === undefined) continue;
    const isMark = mark.endsWith(':') && mark.includes('*');
    for (const [i, word] of (isMark ? words : [mark, ...words]).entries()) {
      const added = isMark && i === 0 ? `${mark} ${word}` : word;
      if (text !== '' && text.length + 1 + added.length > LONGEST_LINE) {
        texts.push(text);
        text = isMark ? `${next} ${mark} ${word}` : `${next} ${word}`;
      } else text += text === '' ? added : ` ${added}`;
    }
  }
  return [...texts, text].join('\n');
}

function headText(heads: readonly Line[]): string {
  const [first] = heads as [Line];
  if (heads.length === 1) return joinedName(first.chain);
  const names = heads.map((head) => headOf(head).name as string);
  return [braced(names), ...(first.chain.length > 1 ? [joinedName(first.chain.slice(1))] : [])].join('/');
}
