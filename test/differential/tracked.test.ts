/**
 * Random trees with an index in every form that git writes: what is read from the index, and what is listed, has to be
 * what git lists, byte for byte and both ways.
 *
 * `AGENT_LS_INDEXES` sets how many trees (24), `AGENT_LS_SEED` the first seed (1).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { trackedPaths } from '../../src/git/index-file.ts';
import { list } from '../../src/index.ts';
import { type Bytes, bytesIn, bytesOf } from '../../src/names/bytes.ts';
import { unquoted } from '../../src/names/quote.ts';
import { atOnce, loaded } from '../../src/workspace/steps.ts';
import { denseTree, diceFor, randomTree } from '../support/ignore-trees.ts';
import { FORMS, type Form, gitsPaths, isFileOnDisk, makeIndexed } from '../support/indexes.ts';
import { isolateGit } from '../support/repository.ts';
import { filesIn, written } from '../support/subtrees.ts';
import { emptyDirectory } from '../support/tree.ts';

const TREES = Number(process.env.AGENT_LS_INDEXES ?? 24);
const SEED = Number(process.env.AGENT_LS_SEED ?? 1);

const GIT = { kind: 'ignore-files', git: true, gemini: false } as const;

isolateGit();

it(
  `lists what git lists (AGENT_LS_INDEXES=${TREES} AGENT_LS_SEED=${SEED})`,
  async () => {
    const home = emptyDirectory();
    for (let seed = SEED; seed < SEED + TREES; seed++) {
      const dice = diceFor(seed);
      const form = FORMS[seed % FORMS.length] as Form;
      const root = join(home, `${seed}`);
      makeIndexed(root, dice.percent(50) ? randomTree(dice) : denseTree(dice), form, dice);
      const inIndex = pathsIn(root, form === 'sha256' ? 32 : 20);
      // A sparse index has one path for all in a directory.
      const sparse = inIndex.filter((path) => path.endsWith('/'));
      const gits = gitsPaths(root).map((path) => sparse.find((directory) => path.startsWith(directory)) ?? path);
      expect(inIndex, `${seed} ${form}`).toEqual([...new Set(gits)].sort());
      const shown = gitsPaths(root, '-co', '--exclude-standard').filter((path) => isFileOnDisk(root, path));
      expect(await listed(root), `${seed} ${form}`).toEqual(shown);
      const { text } = await written(root, true, { query: { rules: [GIT] }, form: { isNull: true } });
      expect(filesIn(text), `${seed} ${form}, at once`).toEqual(shown);
    }
  },
  60_000 + 4000 * TREES,
);

/** The files that we list, as bytes in order. */
async function listed(root: string): Promise<string[]> {
  const { entries } = await list({ gitIgnore: true, depth: Number.POSITIVE_INFINITY }, root);
  const files = entries.filter(({ type }) => type !== 'dir');
  return files.map(({ path }) => asBytes(path)).sort();
}

function asBytes(text: string): string {
  return text.startsWith('"') ? (unquoted(text) as Bytes) : bytesOf(text);
}

function pathsIn(root: string, idLength: number): readonly string[] {
  const read = (name: string) => bytesIn(readFileSync(join(root, '.git', name)));
  // Without a file to track, git writes no index.
  if (!existsSync(join(root, '.git/index'))) return [];
  const paths = atOnce(trackedPaths(read('index'), idLength, (name) => loaded(() => read(name))));
  return [...new Set(paths)];
}
