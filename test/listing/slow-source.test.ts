/** A source of which everything has to be loaded first is listed, mapped and cut short like one that has it at hand. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ListOrder } from '../../src/faces/library/list.ts';
import {
  call,
  list,
  listDirectoryTool,
  memorySource,
  openWorkspace,
  tree,
  Unloaded,
  type Workspace,
} from '../../src/index.ts';
import { OFFERED_ORDERS } from '../../src/listing/orders.ts';
import { PROJECT } from '../support/ignoring-project.ts';
import { odd, slowly } from '../support/odd-source.ts';

afterEach(() => vi.unstubAllEnvs());

/** Answers from a source at hand, and from one that has to load. */
async function both<T>(ask: (workspace: Workspace) => Promise<T>): Promise<{ fast: T; slow: T; loads: number }> {
  vi.stubEnv('HOME', '/nonexistent');
  const source = memorySource(PROJECT, { root: '/memory' });
  const { source: slowSource, loads } = slowly(source);
  const [fast, slow] = [await openWorkspace(source, { git: false }), await openWorkspace(slowSource, { git: false })];
  const answers = {
    fast: await ask(fast),
    slow: await ask(slow),
    loads: [...loads.values()].reduce((a, b) => a + b, 0),
  };
  for (const workspace of [fast, slow]) workspace.close();
  return answers;
}

describe('a source that has to load', () => {
  it.each([...OFFERED_ORDERS.keys()] as ListOrder[])('is listed in the order by %s', async (order) => {
    for (const options of [
      {},
      { depth: 9 },
      { depth: 9, gitIgnore: true, metadata: true },
      { metadata: true, limit: 2 },
    ]) {
      const { fast, slow, loads } = await both((workspace) => list({ order, ...options }, workspace));
      expect(slow).toEqual(fast);
      expect(loads).toBeGreaterThan(0);
    }
  });

  it('is told as entries by listDirectoryTool', async () => {
    const { fast, slow } = await both((workspace) => listDirectoryTool(workspace).entries({ path: '/memory/src' }));
    expect(slow).toEqual(fast);
    expect(fast.map(({ name }) => name)).toEqual(['deep', 'to-root', '.gitignore', 'app.ts', 'keep.log']);
  });

  it.each([
    ['standard', { path: '.', include_hidden: true }],
    ['standard', { path: 'to-src', limit: 1 }],
    ['gemini', { path: '/memory' }],
    ['mycode', { recursive: true, long: true }],
    ['codex', { dir_path: '/memory', depth: 4, limit: 100 }],
  ] as const)('answers as %s: %j', async (dialect, params) => {
    const { fast, slow } = await both((workspace) => call(dialect, params, workspace));
    const timeless = (answer: object) => JSON.stringify(answer, (key, value) => (key === 'time_ms' ? 0 : value));
    expect(timeless(slow)).toEqual(timeless(fast));
    expect(timeless(fast)).toContain('src');
  });

  it('is drawn as a map', async () => {
    const { fast, slow } = await both((workspace) => tree({}, workspace));
    expect(slow.text).toBe(fast.text);
    expect(fast.text).toContain('keep.log');
  });

  it.each(['timeout', 'aborted'] as const)('is waited for no longer than the call may take: %s', async (reason) => {
    const source = memorySource(PROJECT);
    const stuck = odd(source, (question) => {
      if (question === 'open') throw new Unloaded(() => new Promise(() => {}));
    });
    const workspace = await openWorkspace(stuck);
    const controller = new AbortController();
    const limits = reason === 'timeout' ? { timeLimit: 20 } : { signal: controller.signal };
    const waiting = list({}, workspace, limits);
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ kind: reason });
    workspace.close();
  });
});
