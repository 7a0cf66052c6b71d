/** Texts from outside that took seconds, or did not end: each is read within 100 ms of CPU, also at ten times its size. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TracedCalls } from '../../src/faces/view/call-log.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { denseName } from '../../src/names/quote.ts';
import { parseTree } from '../../src/overview/parse-tree.ts';
import { stemIn } from '../../src/overview/template.ts';
import { openStore } from '../../src/sources/git/git-store.ts';
import { emptyDirectory } from '../support/tree.ts';
import { cpuNow } from './regexp-attacks.ts';
import { LONGEST_BLOCK } from './stall-attack.ts';
import { addRepository } from './stall-builders.ts';

/** CPU milliseconds, the least of three: what the machine does besides only adds. */
async function cpuOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const before = cpuNow();
    await work();
    times.push(cpuNow() - before);
  }
  return Math.min(...times);
}

describe.each([30_000, 300_000])('a name of %i bytes', (length) => {
  it.each(['{', '{,', ',}', '{,}', '*', '*:', '*+1', '_', 'a'])('of %s', async (part) => {
    const name = part.repeat(length / part.length) as Bytes;
    expect(await cpuOf(() => denseName(name))).toBeLessThan(LONGEST_BLOCK);
    expect(await cpuOf(() => stemIn({ start: '', end: '' }, `${name}!`))).toBeLessThan(LONGEST_BLOCK);
  });
});

it.each([100_000, 1_000_000])('a repository whose settings are %i line breaks', async (length) => {
  const root = emptyDirectory();
  addRepository(root, { config: '\n'.repeat(length) });
  expect(await cpuOf(() => openStore(bytesOf(root)))).toBeLessThan(LONGEST_BLOCK);
});

describe.each([20, 200])('a map of %i nested directories, each twice', (levels) => {
  const lines = Array.from({ length: levels }, (_, i) => `${' '.repeat(i + 1)}{a,b}/`);
  const text = ['# .: 1 files, 1 shown', '', ...lines].join('\n');

  it('is refused, and the error states the bound', () => {
    expect(() => parseTree(text)).toThrow(
      new SyntaxError('This is not a map of Tree: its paths would have more than 16,777,216 characters.'),
    );
  });

  it('in a trace takes little time, and between two calls of it others have their turn', async () => {
    const about = {
      v: 1,
      kind: 'call',
      session: 's',
      n: 1,
      at: '2026-01-01T00:00:00.000Z',
      ms: 1,
      dialect: 'standard',
    };
    const line = JSON.stringify({ ...about, tool: 'Tree', root: '/r', cwd: '.', params: {}, isError: false, text });
    const path = join(emptyDirectory(), 'trace');
    const read = () => new TracedCalls(path).after(0, new AbortController().signal);
    writeFileSync(path, `${line}\n`);
    expect(await cpuOf(read)).toBeLessThan(LONGEST_BLOCK);
    writeFileSync(path, `${line}\n`.repeat(20));
    let turns = 0;
    const beat = setInterval(() => turns++, 0);
    const { calls } = await read();
    clearInterval(beat);
    expect(calls.map(({ looked }) => looked)).toEqual(Array(20).fill([]));
    expect(turns).toBeGreaterThan(5);
  });
});
