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
import { displayWidth, padEnd } from './display-width.ts';

export interface TableRow {
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

export function tableLines(title: string, rows: readonly TableRow[]): string[] {
  const widths = columnWidths([HEADER, ...rows]);
  const line = (row: TableRow) => COLUMNS.map((column) => padEnd(row[column], widths[column])).join(GAP);
  const header = line(HEADER);
  const heading = `─ ${title} ─`;
  // Between the corners. A long title widens the box, for a path that is cut is no path.
  const inner = Math.max(displayWidth(header) + 2, displayWidth(heading));
  const boxed = (text: string) => `│ ${padEnd(text, inner - 2)} │`;
  const rule = '─'.repeat(inner);
  return [
    `┌${heading}${'─'.repeat(inner - displayWidth(heading))}┐`,
    boxed(header),
    `├${rule}┤`,
    ...rows.map((row) => boxed(line(row))),
    `└${rule}┘`,
  ];
}

function columnWidths(rows: readonly TableRow[]): Record<(typeof COLUMNS)[number], number> {
  const widths = { name: NARROWEST_NAME, type: 0, size: 0, modified: 0 };
  for (const row of rows) {
    for (const column of COLUMNS) widths[column] = Math.max(widths[column], displayWidth(row[column]));
  }
  return widths;
}
