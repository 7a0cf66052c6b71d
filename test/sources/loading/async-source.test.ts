/** A tree that is asked asynchronously gives the answers of one that is at hand, whatever it can be asked. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ListOrder } from '../../../src/faces/library/list.ts';
import {
  asyncSource,
  call,
  explain,
  list,
  memorySource,
  openWorkspace,
  tree,
  type Workspace,
} from '../../../src/index.ts';
import { OFFERED_ORDERS } from '../../../src/listing/orders.ts';
import { type AsyncTreeOptions, asyncTree } from '../../support/async-tree.ts';
import { PROJECT } from '../../support/ignoring-project.ts';

afterEach(() => vi.unstubAllEnvs());

/** What trees of several kinds can be asked. */
const KINDS: Record<string, AsyncTreeOptions> = {
  'everything it can be': {},
  'with all details in a listing': { listsDetails: true },
  'page by page': { page: 2, has: ['describe', 'readLink'] },
  'without a walk': { has: ['describe', 'readLink'] },
  'only lists with details': { listsDetails: true, has: [] },
  'that never changes': { revision: 'one' },
};

async function both<T>(
  kind: AsyncTreeOptions,
  ask: (workspace: Workspace) => Promise<T>,
): Promise<{ near: T; far: T }> {
  vi.stubEnv('HOME', '/nonexistent');
  const source = memorySource(PROJECT, { root: '/memory' });
  const near = await openWorkspace(source, { git: false });
  const far = await openWorkspace(asyncSource(asyncTree(source, kind)), { git: false });
  const answers = { near: await ask(near), far: await ask(far) };
  for (const workspace of [near, far]) workspace.close();
  return answers;
}

describe.each(Object.entries(KINDS))('a tree that is asked %s', (_, kind) => {
  it.each([...OFFERED_ORDERS.keys()] as ListOrder[])('is listed in the order by %s', async (order) => {
    for (const options of [
      {},
      { depth: 2 },
      { depth: 9 },
      { depth: 9, gitIgnore: true, metadata: true },
      { metadata: true, limit: 2 },
      { path: 'to-src', metadata: true },
    ]) {
      const { near, far } = await both(kind, (workspace) => list({ order, ...options }, workspace));
      expect(far).toEqual(near);
    }
  });

  it.each([
    ['standard', { path: '.', include_hidden: true }],
    ['standard', { path: 'to-src', limit: 1 }],
    ['standard', { path: '../x' }],
    ['standard', { path: 'src/app.ts' }],
    ['gemini', { path: '/memory' }],
    ['mycode', { recursive: true, long: true }],
    ['codex', { dir_path: '/memory', depth: 4, limit: 100 }],
  ] as const)('answers as %s: %j', async (dialect, params) => {
    const { near, far } = await both(kind, (workspace) => call(dialect, params, workspace));
    const timeless = (answer: object) => JSON.stringify(answer, (key, value) => (key === 'time_ms' ? 0 : value));
    expect(timeless(far)).toEqual(timeless(near));
  });

  it('is drawn as a map, and explained', async () => {
    const { near, far } = await both(kind, async (workspace) => [
      (await tree({}, workspace)).text,
      await explain(['docs/b.log', 'src/keep.log', 'to-src/app.ts', 'none/x'], workspace, { dialect: 'gemini' }),
    ]);
    expect(far).toEqual(near);
  });
});
