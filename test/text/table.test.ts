import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/text/display-width.ts';
import { tableLines } from '../../src/text/table.ts';
import { atOnce } from '../../src/workspace/steps.ts';

type TableRow = Parameters<typeof tableLines>[1][number];

const linesOf = (title: string, rows: readonly TableRow[]) => atOnce(tableLines(title, rows));

const row = (name: string, type: string, size: string, modified: string): TableRow => ({ name, type, size, modified });

const DOCUMENT = [
  row('index.ts', 'file', '1.2 KB', '2024-01-15 10:30'),
  row('types.ts', 'file', '2.8 KB', '2024-01-14 15:45'),
  row('registry.ts', 'file', '4.1 KB', '2024-01-15 09:20'),
  row('builtin/', 'dir', '-', '2024-01-15 11:00'),
];

/** As drawn, where the three horizontal lines are one column longer than the rows. */
const DRAWING = [
  '┌─ src/tools/ ──────────────────────────────────────┐',
  '│ Name            Type   Size     Modified         │',
  '├───────────────────────────────────────────────────┤',
  '│ index.ts        file   1.2 KB   2024-01-15 10:30 │',
  '│ types.ts        file   2.8 KB   2024-01-14 15:45 │',
  '│ registry.ts     file   4.1 KB   2024-01-15 09:20 │',
  '│ builtin/        dir    -        2024-01-15 11:00 │',
  '└───────────────────────────────────────────────────┘',
];

describe('a table', () => {
  it('is the document’s, with horizontal lines as long as the rows', () => {
    expect(linesOf('src/tools/', DOCUMENT)).toEqual(DRAWING.map((line) => line.replace(/─([┐┤┘])$/, '$1')));
  });

  it('widens a column with its contents, by what they take on the screen', () => {
    const rows = [
      row('日本語の長い名前.md', 'file', '1023.9 KB', '2024-01-15 10:30'),
      row('e\u0301.ts', 'other', '-', '-'),
    ];
    expect(linesOf('./', rows)).toEqual([
      '┌─ ./ ───────────────────────────────────────────────────────┐',
      '│ Name                  Type    Size        Modified         │',
      '├────────────────────────────────────────────────────────────┤',
      '│ 日本語の長い名前.md   file    1023.9 KB   2024-01-15 10:30 │',
      '│ e\u0301.ts                  other   -           -                │',
      '└────────────────────────────────────────────────────────────┘',
    ]);
  });

  it('grows with a long title, which is not cut', () => {
    const title = 'packages/a-rather-long-name/src/another-long-name/';
    expect(linesOf(title, DOCUMENT.slice(0, 1))).toEqual([
      '┌─ packages/a-rather-long-name/src/another-long-name/ ─┐',
      '│ Name            Type   Size     Modified             │',
      '├──────────────────────────────────────────────────────┤',
      '│ index.ts        file   1.2 KB   2024-01-15 10:30     │',
      '└──────────────────────────────────────────────────────┘',
    ]);
  });

  it('has columns as wide as their headings at least', () => {
    expect(linesOf('./', [row('a/', 'dir', '-', '-')])).toEqual([
      '┌─ ./ ───────────────────────────────────┐',
      '│ Name            Type   Size   Modified │',
      '├────────────────────────────────────────┤',
      '│ a/              dir    -      -        │',
      '└────────────────────────────────────────┘',
    ]);
  });

  it('of nothing has its header alone', () => {
    expect(linesOf('src/', [])).toEqual([
      '┌─ src/ ─────────────────────────────────┐',
      '│ Name            Type   Size   Modified │',
      '├────────────────────────────────────────┤',
      '└────────────────────────────────────────┘',
    ]);
  });

  it('is a straight box, whatever is in it', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 30 }));
    const rows = fc.array(fc.record({ name: text, type: text, size: text, modified: text }), { maxLength: 6 });
    fc.assert(
      fc.property(text, rows, (title, list) => {
        const lines = linesOf(title, list);
        expect(lines).toHaveLength(list.length + 4);
        expect(new Set(lines.map(displayWidth)).size).toBe(1);
        expect(lines[0]).toContain(` ${title} ─`);
        list.forEach(({ name }, i) => {
          expect(lines[i + 3]?.startsWith(`│ ${name}`)).toBe(true);
        });
      }),
    );
  });
});
