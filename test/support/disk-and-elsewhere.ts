/**
 * The trees of the corpora, on a disk and elsewhere: whatever is asked of both has the same answer.
 *
 * One row of many is asked; with `TEST_FACTOR=50` all of them.
 */
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'vitest';
import { call, tree as map, openWorkspace, type Workspace } from '../../src/index.ts';
import { corpus, type GitignoreCase, withRoot } from './corpus.ts';
import { oneInEvery } from './rounds.ts';
import { makeTree, type TreeLiteral } from './tree.ts';

type Ask = (workspace: Workspace, root: string) => Promise<unknown>;

export interface Row {
  readonly id: string;
  readonly tree: TreeLiteral;
  readonly cwd: string;
  readonly questions: readonly Ask[];
}

interface CorpusRow {
  readonly id: string;
  readonly tree: TreeLiteral;
  readonly cwd?: string;
  readonly params: Record<string, unknown>;
}

const asked =
  (dialect: 'standard' | 'codex' | 'mycode' | 'gemini', params: Record<string, unknown>): Ask =>
  (workspace, root) =>
    call(dialect, withRoot(params, root), workspace);

const mapped: Ask = (workspace) => map({}, workspace);

/** What is asked of every tree beside what its row says. */
const EVERYWHERE: readonly Ask[] = [
  asked('mycode', { path: '{ROOT}', recursive: true, depth: 5 }),
  asked('codex', { dir_path: '{ROOT}', depth: 3, limit: 100 }),
  asked('gemini', { path: '{ROOT}' }),
  mapped,
];

/** A repository in which nothing is tracked. */
export const REPOSITORY: TreeLiteral = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects': null,
  '.git/refs': null,
};

/** One row of every `part`, of those that can be had there. */
export function rowsFor(isPossible: (tree: TreeLiteral) => boolean, part: number): Row[] {
  const standard = corpus<CorpusRow>('standard-ls').map((row) => rowOf(row, 'standard'));
  const codex = corpus<CorpusRow>('codex-list-dir').map((row) => rowOf(row, 'codex'));
  const gitignore = corpus<GitignoreCase>('gitignore').flatMap(ignoreRow);
  const possible = [...standard, ...codex, ...gitignore].filter(({ tree }) => isPossible(tree));
  return oneInEvery(part, possible);
}

function rowOf({ id, tree, cwd, params }: CorpusRow, dialect: 'standard' | 'codex'): Row {
  return { id: `${dialect} ${id}`, tree, cwd: cwd ?? '.', questions: [asked(dialect, params), ...EVERYWHERE] };
}

function ignoreRow({ id, files, gitignores, symlinks, ignorecase }: GitignoreCase): Row[] {
  // A file of the user's, which counts for a disk alone.
  if (gitignores['<core.excludesFile>'] !== undefined) return [];
  const config = { '.git/config': `[core]\n\tignorecase = ${ignorecase ?? false}\n` };
  const links = Object.fromEntries(Object.entries(symlinks ?? {}).map(([path, link]) => [path, { link }]));
  const tree = { ...REPOSITORY, ...config, ...files, ...gitignores, ...links };
  return [{ id: `gitignore ${id}`, tree, cwd: '.', questions: EVERYWHERE }];
}

/** Asks both. `open` is given the tree and where it stands on the disk. */
export async function expectSameAnswers(
  { tree, cwd, questions }: Row,
  open: (tree: TreeLiteral, root: string) => Promise<string>,
): Promise<void> {
  const root = makeTree(tree);
  // The server is another user.
  chmodSync(dirname(root), 0o755);
  const [disk, elsewhere] = await Promise.all([
    openWorkspace(root, { cwd, git: false }),
    open(tree, root).then((address) => openWorkspace(address, { cwd })),
  ]);
  try {
    for (const ask of questions) {
      const [expected, answer] = await Promise.all([ask(disk, root), ask(elsewhere, elsewhere.realPath)]);
      expect(comparable(answer).split(elsewhere.realPath).join(root)).toEqual(comparable(expected));
    }
  } finally {
    disk.close();
    elsewhere.close();
  }
}

/** Without what is another each time. */
function comparable(answer: unknown): string {
  return JSON.stringify(answer, null, 1).replaceAll(/"time_ms": \d+/g, '"time_ms": 1');
}
