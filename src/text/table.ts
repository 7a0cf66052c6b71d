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
 * The contract's document draws its horizontal lines one column longer than its rows. Here rows are as drawn there, and
 * lines are as long as rows.
 */
import { mapped, type Steps } from '../workspace/steps.ts';
import { displayWidth } from './display-width.ts';

interface TableRow {
  readonly name: string;
  readonly type: string;
  readonly size: string;
  readonly modified: string;
}

const TABLE_HEADINGS: TableRow = { name: 'Name', type: 'Type', size: 'Size', modified: 'Modified' };
const TABLE_COLUMNS = ['name', 'type', 'size', 'modified'] as const;
const COLUMN_GAP = '   ';

/** The name column of that drawing is wider than the names in it. */
const NARROWEST_NAME = 13;

/** Runs in steps, because measuring a thousand long names takes a while. */
export function* tableLines(title: string, rows: readonly TableRow[]): Steps<string[]> {
  const [header, ...measured] = yield* mapped([TABLE_HEADINGS, ...rows], cellWidths);
  const widths = columnWidths([header as Widths, ...measured]);
  const width = TABLE_COLUMNS.reduce(
    (sum, column) => sum + widths[column],
    (TABLE_COLUMNS.length - 1) * COLUMN_GAP.length,
  );
  const heading = `─ ${title} ─`;
  // The width between the corners. A long title widens the box, because a cut path cannot be used.
  const inner = Math.max(width + 2, displayWidth(heading));
  const rest = ' '.repeat(inner - 2 - width);
  const line = (row: TableRow, own: Widths) => {
    const cells = TABLE_COLUMNS.map((column) => row[column] + ' '.repeat(widths[column] - own[column]));
    return `│ ${cells.join(COLUMN_GAP)}${rest} │`;
  };
  const rule = '─'.repeat(inner);
  return [
    `┌${heading}${'─'.repeat(inner - displayWidth(heading))}┐`,
    line(TABLE_HEADINGS, header as Widths),
    `├${rule}┤`,
    ...rows.map((row, i) => line(row, measured[i] as Widths)),
    `└${rule}┘`,
  ];
}

type Widths = Record<(typeof TABLE_COLUMNS)[number], number>;

function cellWidths({ name, type, size, modified }: TableRow): Widths {
  return {
    name: displayWidth(name),
    type: displayWidth(type),
    size: displayWidth(size),
    modified: displayWidth(modified),
  };
}

function columnWidths(rows: readonly Widths[]): Widths {
  const widths = { name: NARROWEST_NAME, type: 0, size: 0, modified: 0 };
  for (const row of rows) for (const column of TABLE_COLUMNS) widths[column] = Math.max(widths[column], row[column]);
  return widths;
}
