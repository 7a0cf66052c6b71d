/** Trees of directories that are alike: at every budget, a map shows nearly as many files as any map could. */
import { expect, it } from 'vitest';
import { memorySource, openWorkspace, parseTree, tree } from '../../src/index.ts';
import { tokensIn } from '../../src/overview/token-count.ts';
import { oneInEvery } from '../support/rounds.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const padded = (i: number, width: number) => String(i).padStart(width, '0');

interface Shape {
  readonly directories: readonly string[];
  readonly files: readonly string[];
}

const WORDS = 'apple bread cider dates elder figs grape honey icing jelly kiwi lemon mango nutmeg olive peach'.split(
  ' ',
);

const SHAPES: Readonly<Record<string, Shape>> = {
  '60 directories of 40 files': {
    directories: numbers(60).map((i) => `part-${padded(i, 2)}`),
    files: numbers(40).map((i) => `${WORDS[i % 16]}${Math.floor(i / 16)}.ts`),
  },
  '60 directories with names of their own': {
    directories: numbers(60).map((i) => `${WORDS[i % 16]}-${WORDS[(i * 5 + Math.floor(i / 16)) % 16]}`),
    files: numbers(40).map((i) => `${WORDS[(i * 3) % 16]}${i}.ts`),
  },
  '12 directories of 16 files': { directories: WORDS.slice(0, 12), files: WORDS.map((word) => `${word}.ts`) },
  '30 directories of 8 files': {
    directories: numbers(30).map((i) => `day-${padded(i + 1, 2)}`),
    files: WORDS.slice(0, 8).map((word) => `${word}.md`),
  },
  '5 directories of 60 files': {
    directories: WORDS.slice(0, 5),
    files: numbers(60).map((i) => `${WORDS[i % 16]}-${WORDS[(i * 7 + Math.floor(i / 16)) % 16]}.go`),
  },
};

/** The files that one row can show: `{a,b}/+90 *.ts: one two`, the cheapest names first. */
function mostShown({ directories, files }: Shape, budget: number, row: string): number {
  const all = directories.length * files.length;
  const [, end = ''] = /(\.\w+)$/.exec(files[0] ?? '') ?? [];
  const stems = files.map((name) => name.slice(0, -end.length));
  const cheapest = stems.toSorted((a, b) => tokensIn(` ${a}`) - tokensIn(` ${b}`));
  const texts = (count: number) => {
    const rest = files.length - count;
    const start = `# .: ${all} files, ${count * directories.length} shown\n ${row}/${rest === 0 ? '' : `+${rest}`}`;
    const named = cheapest.slice(0, count).sort();
    return [named.map((stem) => stem + end), [`*${end}:`, ...named]].map((words) => [start, ...words].join(' '));
  };
  let most = 0;
  for (let count = 1; count <= files.length; count++) {
    if (texts(count).some((text) => tokensIn(text) <= budget)) most = count;
  }
  return most * directories.length;
}

it.each(Object.entries(SHAPES))('%s', { timeout: 60_000 }, async (_, shape) => {
  const { directories, files } = shape;
  const paths = directories.flatMap((directory) => files.map((file) => [`${directory}/${file}`, '']));
  const workspace = await openWorkspace(memorySource(Object.fromEntries(paths)), { git: false });
  const [row = ''] = (await tree({ budget: 5000 }, workspace)).text.match(/(?<=\n )\S*\{.*?\}/) ?? [];
  expect(row).not.toBe('');
  const bad: string[] = [];
  const budgets = numbers(51).map((i) => 100 + 10 * i);
  for (const budget of oneInEvery(1, budgets)) {
    const { shown } = parseTree((await tree({ budget }, workspace)).text);
    const most = mostShown(shape, budget, row);
    if (shown < 0.9 * most) bad.push(`${budget}: ${shown} of ${most}`);
  }
  expect(bad).toEqual([]);
});
