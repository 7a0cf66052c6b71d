/** Two who share a walk print what one alone would. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describePart, walkLines, walkPart } from '../../src/faces/cli/walk-job.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import type { WalkHelper, WalkPart } from '../../src/listing/walk-plan.ts';
import { PLAIN_COLUMNS } from '../../src/text/long-lines.ts';
import type { Bytes } from '../../src/workspace/bytes.ts';
import { openWorkspace, type Workspace } from '../../src/workspace/workspace.ts';
import { makeTree } from '../support/tree.ts';

/** So many directories that a walk takes several slices, between which work is given away. */
function bigTree(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-test-')));
  writeFileSync(join(root, '.gitignore'), '*.log\nhidden/\n/d3/e2/\n');
  for (let i = 0; i < 12; i++) {
    for (let j = 0; j < 120; j++) {
      const directory = join(root, `d${i}`, `e${j}`, j % 5 === 0 ? 'hidden' : 'Inner');
      mkdirSync(directory, { recursive: true });
      for (const name of ['a.ts', 'B.ts', 'c.log', 'new\nline', 'é']) writeFileSync(join(directory, name), '');
    }
    symlinkSync('..', join(root, `d${i}`, 'back'));
  }
  mkdirSync(join(root, '.git/objects'), { recursive: true });
  mkdirSync(join(root, '.git/refs'));
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n');
  return root;
}

const FORMAT = { prefix: '' as Bytes, isNull: false, long: PLAIN_COLUMNS };

async function printed(query: Query, workspace: Workspace, helper: WalkHelper | null) {
  const output: Uint8Array[] = [];
  const result = await walkLines(query, workspace, async (bytes) => void output.push(bytes), helper, FORMAT);
  return { text: Buffer.concat(output).toString('latin1'), ...result };
}

/** Takes whatever it can get, and does it in the same thread. */
function eager(query: Query, workspace: Workspace, answer?: (part: Promise<WalkPart>) => Promise<WalkPart | null>) {
  const given: string[] = [];
  const walk = (directory: Bytes, depth: number) => {
    given.push(directory);
    const part = walkPart(query, workspace, directory, depth, FORMAT);
    return answer === undefined ? part : answer(part);
  };
  return { given, helper: { wantsWork: true, walk } satisfies WalkHelper };
}

describe('a walk that is shared', () => {
  let root: string;
  beforeAll(() => {
    root = bigTree();
  });
  afterAll(() => rmSync(root, { recursive: true }));
  const queries: Record<string, Partial<Query>> = {
    everything: {},
    'three levels': { depth: 3 },
    'without what git ignores': { rules: [{ kind: 'ignore-files', git: true, gemini: false }] },
    'without paths that match': { rules: [{ kind: 'patterns', patterns: ['d1*/e1*/*', '*.ts'] }] },
    'the other way round': { reverse: true },
    'directories alone': { select: { pattern: null, types: 'directories' } },
  };

  it.each(Object.entries(queries))('tells the same: %s', async (_, change) => {
    const workspace = await openWorkspace(root);
    const page = { offset: 0, limit: Number.POSITIVE_INFINITY };
    const query: Query = { ...PLAIN, depth: Number.POSITIVE_INFINITY, path: '.', rules: [], page, ...change };
    const alone = await printed(query, workspace, null);
    const { given, helper } = eager(query, workspace);
    expect(await printed(query, workspace, helper)).toEqual(alone);
    expect(given.length).toBeGreaterThan(2);
    workspace.close();
  });

  it('does by itself what the other could not', async () => {
    const workspace = await openWorkspace(root);
    const page = { offset: 0, limit: Number.POSITIVE_INFINITY };
    const query: Query = { ...PLAIN, depth: Number.POSITIVE_INFINITY, path: '.', rules: [], page };
    const { helper } = eager(query, workspace, (part) => part.then(() => null));
    expect(await printed(query, workspace, helper)).toEqual(await printed(query, workspace, null));
    workspace.close();
  });
});

describe('a long listing that is shared', () => {
  it('describes the names that it is given', async () => {
    const workspace = await openWorkspace(makeTree({ 'd/a': '12', 'd/b': null, 'd/l': { link: 'a' } }));
    const query: Query = { ...PLAIN, path: 'd', rules: [], page: { offset: 0, limit: 10 } };
    const names = ['a', 'b', 'gone', 'l'] as Bytes[];
    const lines = Buffer.from(await describePart(query, workspace, names, FORMAT))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => line.replace(/^(\S{10}).* (\S+) {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}/, '$1 $2 '))).toEqual([
      expect.stringMatching(/^-r.* 2 a$/),
      expect.stringMatching(/^dr.* - b\/$/),
      expect.stringMatching(/^lr.* - l -> a$/),
    ]);
    workspace.close();
  });
});
