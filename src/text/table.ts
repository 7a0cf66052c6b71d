/**
 * The boxed table of a detailed listing.
 *
 *     ┌─ src/tools/ ─────────────────────────────────────┐
 *     │ Name            Type   Size     Modified         │
 *     ├──────────────────────────────────────────────────┤
 *     │ index.ts        file   1.2 KB   2024-01-15 10:30 │
 *     │ builtin/        dir    -        2024-01-15 11:00 │
 *     └──────────────────────────────────────────────────┘
 *
 * The document draws its horizontal lines one column longer than its rows. The rows are kept as drawn, and the lines
 * are as long as the rows.
 */
import { mapped, type Steps } from '../workspace/steps.ts';
import { displayWidth } from './display-width.ts';

interface TableRow {
  readonly name: string;
  readonly type: string;
  readonly size: string;
  readonly modified: string;
}

const HEADER: TableRow = { name: 'Name', type: 'Type', size: 'Size', modified: 'Modified' };
const COLUMNS = ['name', 'type', 'size', 'modified'] as const;
const GAP = '   ';

/** The name column of the drawing, which is wider than the names in it. */
const NARROWEST_NAME = 13;

/** In steps, for to measure a thousand long names takes a while. */
export function* tableLines(title: string, rows: readonly TableRow[]): Steps<string[]> {
  const [header, ...measured] = yield* mapped([HEADER, ...rows], widthsOf);
  const widths = columnWidths([header as Widths, ...measured]);
  const width = COLUMNS.reduce((sum, column) => sum + widths[column], (COLUMNS.length - 1) * GAP.length);
  const heading = `─ ${title} ─`;
  // Between the corners. A long title widens the box, for a path that is cut is no path.
  const inner = Math.max(width + 2, displayWidth(heading));
  const rest = ' '.repeat(inner - 2 - width);
  const line = (row: TableRow, own: Widths) => {
    const cells = COLUMNS.map((column) => row[column] + ' '.repeat(widths[column] - own[column]));
    return `│ ${cells.join(GAP)}${rest} │`;
  };
  const rule = '─'.repeat(inner);
  return [
    `┌${heading}${'─'.repeat(inner - displayWidth(heading))}┐`,
    line(HEADER, header as Widths),
    `├${rule}┤`,
    ...rows.map((row, i) => line(row, measured[i] as Widths)),
    `└${rule}┘`,
  ];
}

type Widths = Record<(typeof COLUMNS)[number], number>;

function widthsOf({ name, type, size, modified }: TableRow): Widths {
  const [ofName, ofType, ofSize, ofModified] = [name, type, size, modified].map(displayWidth) as [
    number,
    number,
    number,
    number,
  ];
  return { name: ofName, type: ofType, size: ofSize, modified: ofModified };
}

function columnWidths(rows: readonly Widths[]): Widths {
  const widths = { name: NARROWEST_NAME, type: 0, size: 0, modified: 0 };
  for (const row of rows) for (const column of COLUMNS) widths[column] = Math.max(widths[column], row[column]);
  return widths;
}
