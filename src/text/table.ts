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

type TableRow = Readonly<Record<'name' | 'type' | 'size' | 'modified', string>>;

const TABLE_HEADINGS = ['Name', 'Type', 'Size', 'Modified'];
const COLUMN_GAP = '   ';

/** In the document's drawing, the name column is wider than its names. */
const NARROWEST_COLUMNS = [13, 0, 0, 0];

/** Runs in steps, because measuring a thousand long names takes a while. */
export function* tableLines(title: string, rows: readonly TableRow[]): Steps<string[]> {
  const cells = [TABLE_HEADINGS, ...rows.map(({ name, type, size, modified }) => [name, type, size, modified])];
  const measured = yield* mapped(cells, (row) => row.map(displayWidth));
  const widths = NARROWEST_COLUMNS.map((least, column) =>
    measured.reduce((most, row) => Math.max(most, row[column] as number), least),
  );
  const width = widths.reduce((sum, column) => sum + COLUMN_GAP.length + column, -COLUMN_GAP.length);
  const heading = `─ ${title} ─`;
  // The width between the corners. A long title widens the box, because a cut path cannot be used.
  const inner = Math.max(width + 2, displayWidth(heading));
  const rest = ' '.repeat(inner - 2 - width);
  const [header, ...lines] = cells.map((row, i) => {
    const own = measured[i] as number[];
    const padded = row.map((cell, column) => cell + ' '.repeat((widths[column] as number) - (own[column] as number)));
    return `│ ${padded.join(COLUMN_GAP)}${rest} │`;
  });
  const rule = '─'.repeat(inner);
  const top = heading + '─'.repeat(inner - displayWidth(heading));
  return [`┌${top}┐`, header as string, `├${rule}┤`, ...lines, `└${rule}┘`];
}
