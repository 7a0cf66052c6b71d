/**
 * Arranges names in as many columns as fit, to be read downwards, as `ls` does:
 *
 *     docs/   README.md      tsconfig.json
 *     src/    package.json
 */

export interface Cell {
  /** Includes its colours. */
  readonly text: string;
  /** In columns of the terminal. */
  readonly width: number;
}

/** Spaces between two columns. */
const SPACING = 2;

/** More would be hard to read, and each number of columns that is tried takes a pass over all names. */
const MAX_COLUMNS = 128;

/** Returns lines of fewer than `width` columns, unless a single name is wider. With `across`, names run along the rows. */
export function columnLines(cells: readonly Cell[], width: number, across = false): string[] {
  const columns = widthsThatFit(cells, width, across);
  const rows = Math.ceil(cells.length / columns.length);
  return Array.from({ length: rows }, (_, row) => {
    let line = '';
    let gap = 0;
    for (const [column, columnWidth] of columns.entries()) {
      const cell = cells[across ? row * columns.length + column : column * rows + row];
      if (cell === undefined) break;
      line += ' '.repeat(gap) + cell.text;
      gap = columnWidth - cell.width + SPACING;
    }
    return line;
  });
}

/** Returns the width of each column, for the largest number of columns that fits. */
function widthsThatFit(cells: readonly Cell[], width: number, across: boolean): number[] {
  const narrowest = cells.reduce((least, cell) => Math.min(least, cell.width), Number.POSITIVE_INFINITY);
  const most = Math.min(cells.length, MAX_COLUMNS, Math.floor((width + SPACING) / (narrowest + SPACING)));
  for (let columns = most; columns > 1; columns--) {
    const rows = Math.ceil(cells.length / columns);
    // That many rows fill fewer columns, which are tried later.
    if (!across && Math.ceil(cells.length / rows) !== columns) continue;
    const widths = widthsOf(cells, columns, width, (i) => (across ? i % columns : Math.floor(i / rows)));
    if (widths !== null) return widths;
  }
  return [0];
}

/** Returns null when they do not fit. */
function widthsOf(cells: readonly Cell[], columns: number, width: number, columnOf: (i: number) => number) {
  const widths = new Array<number>(columns).fill(0);
  let sum = (columns - 1) * SPACING;
  for (const [i, cell] of cells.entries()) {
    const column = columnOf(i);
    const wider = Math.max(cell.width - (widths[column] as number), 0);
    widths[column] = (widths[column] as number) + wider;
    sum += wider;
    // A terminal may wrap as soon as a line is full.
    if (sum >= width) return null;
  }
  return widths;
}
