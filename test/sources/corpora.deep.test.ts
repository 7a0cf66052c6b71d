/**
 * The contracts' corpora through every kind of root: the same answers as on the disk. Some rows of each; with
 * `TEST_FACTOR=50` all of them.
 */
import { describe, expect, it } from 'vitest';
import { call, list } from '../../src/index.ts';
import { corpus, type GitignoreCase, withRoot } from '../support/corpus.ts';
import { isolateGit } from '../support/repository.ts';
import { oneInEvery } from '../support/rounds.ts';
import { ARCHIVES, FILE_SYSTEM, ON_DISK, REVISION, type SourceKind } from '../support/sources.ts';
import type { TreeLiteral } from '../support/tree.ts';

isolateGit();

interface Row {
  readonly id: string;
  readonly tree: TreeLiteral;
  readonly cwd?: string;
  readonly params: Record<string, unknown>;
  readonly expect: Readonly<Record<string, unknown>>;
}

const timeless = ({ stats, data, text, status, ...rest }: Record<string, unknown>) => {
  const { time_ms: _, ...counted } = (stats ?? {}) as Record<string, unknown>;
  const { next_cursor: __, ...kept } = (data ?? {}) as Record<string, unknown>;
  const firstLine = status === 'error' ? String(text).split('\n')[0] : text;
  return { ...rest, status, text: firstLine, stats: counted, data: kept };
};

describe.each([FILE_SYSTEM, REVISION, ...ARCHIVES].map((kind, i) => [kind.name, kind, i] as const))(
  '%s',
  (_, kind, i) => {
    // Another part of the rows for each kind.
    const step = kind === FILE_SYSTEM ? 5 : kind === REVISION ? 15 : 50;
    const can = ({ tree }: Pick<Row, 'tree'>) => kind.can(tree);

    it.each(oneInEvery(step, corpus<Row>('standard-ls').filter(can), i))(
      'LS: $id',
      async ({ tree, cwd, params, expect: expected }) => {
        const workspace = await kind.open(tree, { cwd: cwd ?? '.' });
        const answer = await call('standard', withRoot(params, workspace.realPath), workspace);
        const wanted = withRoot(expected, workspace.realPath);
        workspace.close();
        // What is hidden is counted since later than the corpus.
        const { hidden: _hidden, ...stats } = answer.stats as { hidden?: number };
        expect(timeless({ ...answer, stats })).toEqual(timeless(wanted));
      },
    );

    it.each(oneInEvery(step, corpus<Row>('codex-list-dir').filter(can), i))(
      'list_dir: $id',
      async ({ tree, params, expect: expected }) => {
        const workspace = await kind.open(tree);
        const answer = await call('codex', withRoot(params, workspace.realPath), workspace);
        const wanted = withRoot(expected, workspace.realPath);
        workspace.close();
        expect(answer).toEqual(wanted);
      },
    );

    it.each(oneInEvery(step, mycodeRows().filter(can), i))('mycode: $id', async ({ tree, params }) => {
      const disk = await ON_DISK.open(tree, { git: false });
      const workspace = await kind.open(tree);
      const answer = JSON.stringify(await call('mycode', params, workspace));
      const wanted = JSON.stringify(await call('mycode', params, disk));
      const root = workspace.realPath;
      for (const one of [disk, workspace]) one.close();
      expect(answer.replaceAll(root, disk.realPath)).toBe(wanted);
    });

    it.each(
      oneInEvery(
        3 * step,
        corpus<GitignoreCase>('gitignore').filter((one) => canHave(one, kind)),
        i,
      ),
    )(
      'what git ignores: $id',
      async ({ files, gitignores, symlinks = {}, expect_visible: visible, expect_ignored: ignored }) => {
        const tree: Record<string, string | null | { link: string }> = { ...files };
        for (const [path, content] of Object.entries(gitignores)) tree[path] = content;
        for (const [path, link] of Object.entries(symlinks)) tree[path] = { link };
        if (kind !== REVISION)
          Object.assign(tree, { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/x': '', '.git/refs/x': '' });
        const workspace = await kind.open(tree);
        const { entries } = await list({ depth: Infinity, gitIgnore: true }, workspace);
        workspace.close();
        const shown = new Set(entries.map(({ path }) => path));
        expect(visible.filter((path) => !shown.has(path))).toEqual([]);
        // "What git tracks is not ignored", and a revision has nothing else.
        const tracked = kind === REVISION ? Object.keys(tree).filter((path) => tree[path] !== null) : [];
        const isTracked = (path: string) => tracked.some((one) => one === path || one.startsWith(`${path}/`));
        expect(ignored.filter((path) => shown.has(path) !== isTracked(path))).toEqual([]);
      },
    );
  },
);

/** What the disk answers in this dialect is held by its contract. Times and modes are not the same in any two places. */
const MYCODE: readonly Record<string, unknown>[] = [
  {},
  { recursive: true, depth: 10, all: true },
  { recursive: true, all: true, sort: 'size', limit: 5 },
  { recursive: true, pattern: '*[.a-m]*', reverse: true },
  { all: true, sort: 'type', reverse: true },
  { recursive: true, depth: 2, directories_only: true, all: true },
  { recursive: true, files_only: true, pattern: '**/*', limit: 3 },
];

function mycodeRows(): Pick<Row, 'id' | 'tree' | 'params'>[] {
  return [...corpus<Row>('standard-ls'), ...corpus<Row>('codex-list-dir')].map(({ id, tree }, i) => ({
    id,
    tree,
    params: MYCODE[i % MYCODE.length] as Record<string, unknown>,
  }));
}

/** What is not part of a tree counts in none but a work tree. */
function canHave({ files, gitignores, ignorecase }: GitignoreCase, kind: SourceKind): boolean {
  if (ignorecase || '<core.excludesFile>' in gitignores) return false;
  if (kind === REVISION && '.git/info/exclude' in gitignores) return false;
  return kind.can({ ...files, kept: '' });
}
