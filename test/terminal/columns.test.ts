import { execFileSync, spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnLines } from '../../src/terminal/columns.ts';
import { displayWidth } from '../../src/text/display-width.ts';
import { makeTree } from '../support/tree.ts';

const lines = (names: readonly string[], width: number) =>
  columnLines(
    names.map((text) => ({ text, width: displayWidth(text) })),
    width,
  );

describe('columnLines', () => {
  it.each([
    [['a', 'b', 'c', 'd', 'e'], 8, ['a  c  e', 'b  d']],
    [['a', 'b', 'c', 'd', 'e'], 7, ['a  d', 'b  e', 'c']],
    [['docs', 'a', 'longer'], 13, ['docs  longer', 'a']],
    [['日本語', 'ab', 'c', 'd'], 80, ['日本語  ab  c  d']],
    [['日本語', 'ab', 'c', 'd'], 10, ['日本語  c', 'ab      d']],
    [['wider than the terminal', 'b'], 10, ['wider than the terminal', 'b']],
    [['wider than the terminal', 'b'], 0, ['wider than the terminal', 'b']],
    [['one'], 80, ['one']],
    [[], 80, []],
  ])('%j in %d columns', (names, width, expected) => {
    expect(lines(names, width)).toEqual(expected);
  });

  it('colours take no room', () => {
    const cells = ['a', 'b', 'c'].map((text) => ({ text: `\x1b[31m${text}\x1b[0m`, width: 1 }));
    expect(columnLines(cells, 8)).toEqual([cells.map(({ text }) => text).join('  ')]);
  });

  it('shows every name once, top to bottom, and fits', () => {
    const name = fc.stringMatching(/^[a-z]{1,12}$/);
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 120 }), (names, width) => {
        const rows = lines(names, width).map((line) => line.split(/ +/));
        const columns = rows[0]?.length as number;
        const downwards = Array.from({ length: columns }, (_, i) => rows.flatMap((row) => row[i] ?? [])).flat();
        expect(downwards).toEqual(names);
        if (columns > 1) for (const line of lines(names, width)) expect(line.length).toBeLessThan(width);
      }),
    );
  });

  it('asks for no more than some columns, however wide the terminal is', () => {
    const names = Array.from({ length: 100_000 }, (_, i) => `n${i}`);
    expect(lines(names, 1_000_000)[0]?.split(/ +/)).toHaveLength(128);
  });
});

const isGnu = spawnSync('ls', ['--version']).stdout?.toString().includes('GNU');

describe.runIf(isGnu)('as GNU ls', () => {
  it.each([20, 40, 80, 133, 200])('in %d columns', (width) => {
    const names = Array.from({ length: 90 }, (_, i) => 'x'.repeat(1 + ((i * i) % 17)) + i);
    const root = makeTree(Object.fromEntries(names.map((name) => [name, ''])));
    const words = ['-C', '-w', String(width), '-T', '0', root];
    const theirs = execFileSync('ls', words, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
    expect(lines(names.toSorted(), width)).toEqual(theirs.trimEnd().split('\n'));
  });
});
