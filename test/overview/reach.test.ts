/** Nothing is unreachable: whoever opens what is closed sees every file, at any budget. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/index.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { pathInData } from '../../src/overview/dense-name.ts';
import { explore } from '../support/explore.ts';
import { emptyDirectory } from '../support/tree.ts';

/** Paths as bytes, in Latin-1. */
function makeFiles(paths: Iterable<string>): string {
  const root = emptyDirectory();
  for (const path of paths) {
    const buffer = (text: string) => Buffer.from(text, 'latin1');
    const slash = path.lastIndexOf('/');
    if (slash > 0) mkdirSync(buffer(`${root}/${path.slice(0, slash)}`), { recursive: true });
    writeFileSync(buffer(`${root}/${path}`), '');
  }
  return root;
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

/** The same row of numbers for the same seed. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const ODD = [
  'a',
  'b',
  'Z',
  '0',
  ' ',
  '.',
  '-',
  '_',
  '*',
  '+',
  '@',
  '#',
  '"',
  '\\',
  '[',
  ']',
  '\n',
  '\x7f',
  '\xe4\xb8\xad',
  '\xc3',
  '?',
  '=',
];

function oddName(random: (below: number) => number): string {
  const name = numbers(1 + random(6))
    .map(() => ODD[random(ODD.length)])
    .join('');
  return name === '.' || name === '..' ? 'dots' : name;
}

function oddPaths(seed: number): Set<string> {
  const random = randomly(seed);
  const directories = [''];
  const taken = new Set<string>();
  const files = new Set<string>();
  for (let i = 0; i < 250; i++) {
    const path = `${directories[random(directories.length)]}${oddName(random)}`;
    if (taken.has(path)) continue;
    taken.add(path);
    if (random(4) === 0) directories.push(`${path}/`);
    else files.add(path);
  }
  return files;
}

const TREES: Readonly<Record<string, Iterable<string>>> = {
  'a directory with names of all beginnings': numbers(300).map(
    (i) => `${String.fromCharCode(33 + ((i * 7) % 94)).replace('/', 'x')}${i}`,
  ),
  'directories with names of all beginnings': numbers(200).map(
    (i) => `${String.fromCharCode(48 + ((i * 5) % 74)).replace(/[\\/]/, 'x')}${i}/f`,
  ),
  'names that are numbers': numbers(600).map((i) => `IMG_${String(i).padStart(5, '0')}.jpg`),
  'names that begin with each other': numbers(60).map((i) => 'a'.repeat(i + 1)),
  'names in Chinese': numbers(300).map((i) =>
    Buffer.from(String.fromCodePoint(0x4e00 + i * 13, 0x4e00 + i)).toString('latin1'),
  ),
  'names that are no text': numbers(300).map((i) => `\xff${String.fromCharCode(128 + (i % 100), 129 + (i % 97))}${i}`),
  'long names': numbers(60).map(
    (i) => `${'directory-with-a-long-name-'.repeat(3)}${i}/${'file-with-a-long-name-'.repeat(4)}${i}.ts`,
  ),
  // Wine takes no paths that are much longer.
  'one chain': [`${'d/'.repeat(sep === '/' ? 200 : 80)}end.ts`],
  'hostile names 1': oddPaths(1),
  'hostile names 2': oddPaths(2),
  'hostile names 3': oddPaths(3),
};

describe.each(Object.entries(TREES))('%s', (_, paths) => {
  it.each([100, 500])('with maps of %i tokens', async (budget) => {
    const root = makeFiles(paths);
    const { files } = await explore(await openWorkspace(root), budget, 3000);
    expect([...files].sort()).toEqual([...paths].map((path) => pathInData(path as Bytes)).sort());
  });
});

it('reaches all of a real tree', async () => {
  const root = join(import.meta.dirname, '../..', 'node_modules', 'typescript');
  const all = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).replaceAll(sep, '/'));
  const { files, maps } = await explore(await openWorkspace(root), 250);
  expect([...files].sort()).toEqual(all.sort());
  expect(maps).toBeGreaterThan(1);
});
