/** What a terminal was sent, as an SVG: a line of text a row, a span for each run of words in one colour. */

const [LEFT, TOP, ROW, COLUMN] = [16, 30, 19, 8.43];

/** The colours that agent-ls uses by itself, on light and on dark ground. */
const COLOURS: readonly (readonly [sgr: string, light: string, dark: string])[] = [
  ['31', '#b3261e', '#ff8a80'],
  ['32', '#1a7f37', '#7ee787'],
  ['34', '#0550ae', '#79c0ff'],
  ['35', '#8250df', '#d2a8ff'],
  ['36', '#1b7c83', '#56d4dd'],
  ['90', '#6e7781', '#8b949e'],
];

export function terminalPicture(output: string, columns: number): string {
  const rows = output
    .trimEnd()
    .split('\n')
    .flatMap((row) => wrapped(row, columns));
  const [width, height] = [Math.round(2 * LEFT + columns * COLUMN), TOP + rows.length * ROW + 8];
  const lines = rows.map((row, i) => `<text y="${TOP + i * ROW}">${spans(row)}</text>`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>agent-ls in a terminal</title>`,
    `<style>\n${style()}\n</style>`,
    `<rect width="100%" height="100%" rx="8"/>`,
    ...lines,
    '</svg>\n',
  ].join('\n');
}

/** A terminal continues a long row on the next one. Rows with colours are short. */
function wrapped(row: string, columns: number): readonly string[] {
  if (row.includes('\x1b') || row.length <= columns) return [row];
  return [row.slice(0, columns), ...wrapped(row.slice(columns), columns)];
}

function style(): string {
  const colours = (which: 1 | 2) => COLOURS.map((colour) => `.c${colour[0]}{fill:${colour[which]}}`).join(' ');
  return [
    'text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,DejaVu Sans Mono,monospace;font-size:14px;fill:#1f2328}',
    `rect{fill:#f6f8fa} .b{font-weight:bold} .i{font-style:italic} .f{fill-opacity:.6} ${colours(1)}`,
    `@media(prefers-color-scheme:dark){rect{fill:#161b22} text{fill:#e6edf3} ${colours(2)}}`,
  ].join('\n');
}

/** Each word-like piece stands at its own column, so that columns hold in any font. */
function spans(row: string): string {
  const shown: string[] = [];
  let [classes, column] = ['', 0];
  for (const [i, piece] of row.split(/\x1b\[([\d;]*)m/).entries()) {
    if (i % 2 === 1) {
      classes = classesOf(piece);
      continue;
    }
    for (const { 0: text, index } of piece.matchAll(/\S+(?: \S+)*/g)) {
      const x = (LEFT + (column + index) * COLUMN).toFixed(1);
      shown.push(`<tspan x="${x}"${classes === '' ? '' : ` class="${classes}"`}>${escaped(text)}</tspan>`);
    }
    column += piece.length;
  }
  return shown.join('');
}

function classesOf(sgr: string): string {
  const known = new Map([
    ...COLOURS.map(([code]) => [code, `c${code}`] as const),
    ['01', 'b'],
    ['2', 'f'],
    ['3', 'i'],
    ['0', ''],
  ]);
  const classes = sgr.split(';').map((code) => {
    const found = known.get(code);
    if (found === undefined) throw new Error(`The picture has no look for ${sgr}`);
    return found;
  });
  return classes.join(' ').trim();
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
