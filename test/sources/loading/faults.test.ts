/** Trees that hang, fail in the middle, change between two pages, or hold what cannot be a name. */
import { describe, expect, it } from 'vitest';
import {
  type AsyncEntry,
  type AsyncTree,
  asyncSource,
  bytesOf,
  call,
  list,
  memorySource,
  openWorkspace,
  tree,
  type Workspace,
} from '../../../src/index.ts';
import { asyncTree } from '../../support/async-tree.ts';
import { systemError } from '../../support/disk-answers.ts';
import { withTimeEnough } from '../../support/time-enough.ts';

const PROJECT = { 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'docs/c.md': 'c', 'z.txt': 'z' };

const never = () => new Promise<never>(() => {});

function opened(options: Parameters<typeof asyncTree>[1], maxAge?: number): Promise<Workspace> {
  return openWorkspace(asyncSource(asyncTree(memorySource(PROJECT), options), { maxAge }), { git: false });
}

/** A tree of one directory whose pages are given one after the other. */
function paged(pages: () => AsyncGenerator<readonly AsyncEntry[]>): Promise<Workspace> {
  const tree: AsyncTree = { realPath: bytesOf('/'), list: pages, readFile: async () => null };
  return openWorkspace(asyncSource(tree), { git: false });
}

const file = (name: string): AsyncEntry => ({ name: bytesOf(name), type: 'file' });

describe('a tree that hangs', () => {
  it.each(['list', 'walk', 'describe', 'readFile'] as const)('in %s ends with the time limit', async (question) => {
    const workspace = await opened({ before: (asked) => (asked === question ? never() : undefined) });
    const limits = { timeLimit: 60 };
    const calls = [
      list({ path: 'src', gitIgnore: true, metadata: true }, workspace, limits),
      list({ depth: 9, gitIgnore: true, metadata: true }, workspace, limits),
      tree({}, workspace, limits),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'timeout' });
    }
    workspace.close();
  });

  it('in a walk that gives nothing, again and again, ends with the time limit', async () => {
    const source: AsyncTree = {
      realPath: bytesOf('/'),
      list: async () => [file('a')],
      async *walk() {
        for (;;) yield [];
      },
      readFile: async () => null,
    };
    using workspace = await openWorkspace(asyncSource(source), { git: false });
    const ask = (timeLimit: number) => list({ depth: 9 }, workspace, { timeLimit });
    const { entries } = await withTimeEnough(200, ask, ({ entries }) => entries.length > 0);
    expect(entries.map(({ name }) => name)).toEqual(['a']);
  });

  it('ends at once when the call is cancelled, and is told so', async () => {
    let isTold = false;
    const source: AsyncTree = {
      realPath: bytesOf('/'),
      list: (_, { signal }) => {
        signal.addEventListener('abort', () => (isTold = true));
        return never();
      },
      readFile: async () => null,
    };
    const workspace = await openWorkspace(asyncSource(source));
    const controller = new AbortController();
    const waiting = list({}, workspace, { signal: controller.signal });
    setImmediate(() => controller.abort());
    await expect(waiting).rejects.toMatchObject({ kind: 'aborted' });
    expect(isTold).toBe(true);
  });

  it('keeps nobody else from being answered', async () => {
    let isStuck = true;
    const workspace = await opened({ before: (question) => (isStuck && question === 'list' ? never() : undefined) });
    const stuck = Array.from({ length: 20 }, () => list({}, workspace, { timeLimit: 50 }).catch(() => null));
    await Promise.all(stuck);
    isStuck = false;
    expect((await list({}, workspace)).entries).toHaveLength(3);
  });

  it('after some pages gives these, and says so', async () => {
    const workspace = await paged(async function* () {
      yield [file('a'), file('b')];
      await never();
    });
    const ask = (timeLimit: number) => list({}, workspace, { timeLimit });
    const listing = await withTimeEnough(60, ask, ({ entries }) => entries.length > 0);
    expect([listing.stopped, listing.entries.map(({ name }) => name)]).toEqual(['timeout', ['a', 'b']]);
    const answer = await call('codex', { dir_path: '/' }, workspace, { timeLimit: 60 });
    expect(answer.content).toContain('Stopped early: time limit reached');
  });
});

describe('a tree that fails', () => {
  it.each([
    ['EACCES', 'denied', 'permission denied'],
    ['ENOENT', 'missing', 'no such directory'],
    ['EIO', 'failed', 'input/output error (EIO)'],
    ['ECONNRESET', 'failed', 'system error (ECONNRESET)'],
  ])('with %s is told as %s', async (code, kind, message) => {
    const workspace = await opened({
      before: (question, path) => {
        if (question === 'list' && path === 'src') throw systemError(code, 'read');
      },
      has: ['describe'],
    });
    await expect(list({ path: 'src' }, workspace)).rejects.toMatchObject({
      kind,
      message: `cannot list 'src': ${message}`,
    });
    const { entries, failures } = await list({ depth: 9 }, workspace);
    expect(entries.map(({ path }) => path)).toEqual(['docs', 'docs/c.md', 'src', 'z.txt']);
    expect(failures ?? []).toEqual(kind === 'missing' ? [] : [{ path: 'src', reason: message }]);
  });

  it('in the middle of a directory gives what came before, and says so', async () => {
    const workspace = await paged(async function* () {
      yield [file('a')];
      throw systemError('ECONNRESET', 'read');
    });
    const notes = ['the directory could not be read to its end: system error (ECONNRESET)'];
    expect(await list({}, workspace)).toMatchObject({ stopped: 'interrupted', entries: [{ name: 'a' }], notes });
    const walked = await list({ depth: 3 }, workspace);
    expect(walked.entries).toHaveLength(1);
    expect(walked.failures).toEqual([{ path: '', reason: 'not read to its end: system error (ECONNRESET)' }]);
  });

  it('in the middle of a walk is listed directory by directory', async () => {
    let isCut = true;
    const workspace = await opened({
      before: (question, path) => {
        if (question === 'walk' && isCut && path !== '') throw systemError('ECONNRESET', 'read');
      },
    });
    const walked = await list({ depth: 9 }, workspace);
    isCut = false;
    expect(walked.entries).toEqual((await list({ depth: 9 }, workspace)).entries);
    expect(walked.entries).toHaveLength(7);
  });
});

describe('names that cannot be', () => {
  const BAD = ['', '.', '..', 'a/b', '../etc', 'nul\0byte'];
  const FORMS = ['(empty)', '\\x2e', '\\x2e\\x2e', 'a\\x2fb', '..\\x2fetc', 'nul\\x00byte'];

  it.each([
    ['of a listing', false],
    ['of a walk', true],
  ])('%s are shown and lead nowhere', async (_, isWalk) => {
    const asked: string[] = [];
    const entries = [...BAD.map((name) => ({ name: bytesOf(name), type: 'dir' as const })), file('good')];
    const walk = async function* () {
      yield entries.filter(({ name }) => name !== 'a/b');
    };
    const source: AsyncTree = {
      realPath: bytesOf('/root'),
      list: async (path) => {
        asked.push(path);
        return entries;
      },
      ...(isWalk ? { walk } : {}),
      readFile: async () => null,
    };
    const workspace = await openWorkspace(asyncSource(source));
    const listing = await list({ depth: isWalk ? 9 : 1 }, workspace);
    const forms = isWalk ? FORMS.filter((form) => form !== 'a\\x2fb') : FORMS;
    expect(listing.entries.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual(
      [...forms.map((form) => `${form} other`), 'good file'].toSorted(),
    );
    for (const form of forms) {
      await expect(list({ path: form }, workspace)).rejects.toMatchObject({ kind: 'not-a-directory' });
    }
    expect(asked.every((path) => path === '')).toBe(true);
  });
});

describe('what was loaded', () => {
  it('is asked for again by the next call, unless it may be used for a while', async () => {
    const source = asyncTree(memorySource(PROJECT));
    const fresh = await openWorkspace(asyncSource(source));
    for (let i = 0; i < 3; i++) await list({}, fresh);
    expect(source.counts.get('list')).toBe(3);
    const kept = asyncTree(memorySource(PROJECT));
    const lasting = await openWorkspace(asyncSource(kept, { maxAge: 60_000 }));
    for (let i = 0; i < 3; i++) await list({ path: 'src' }, lasting);
    expect(kept.counts.get('list')).toBe(1);
    const revised = asyncTree(memorySource(PROJECT), { revision: 'faults.test' });
    const revision = await openWorkspace(asyncSource(revised));
    for (let i = 0; i < 3; i++) await list({ depth: 9 }, revision);
    expect([revised.counts.get('walk'), revised.counts.get('list')]).toEqual([1, undefined]);
  });

  it('takes a round trip for a level, and one for all of a walk', async () => {
    const source = asyncTree(memorySource(PROJECT), { listsDetails: true });
    const workspace = await openWorkspace(asyncSource(source));
    await list({ metadata: true }, workspace);
    expect([...source.counts]).toEqual([['list', 1]]);
    await list({ depth: 9, metadata: true }, workspace);
    expect([...source.counts]).toEqual([
      ['list', 1],
      ['walk', 1],
    ]);
  });

  it('does not hold a directory of many entries', async () => {
    const PAGE = 10_000;
    let pages = 0;
    const workspace = await paged(async function* () {
      for (; pages < 30; pages++) yield Array.from({ length: PAGE }, (_, i) => file(`f${pages * PAGE + i}`));
    });
    const { entries, totals } = await list({ limit: 2 }, workspace);
    expect([totals.file, entries.map(({ name }) => name)]).toEqual([30 * PAGE, ['f0', 'f1']]);
  });

  it('changes between two pages only in what is read', async () => {
    let round = 0;
    const workspace = await paged(async function* () {
      round++;
      yield [file('a'), file('b')];
      yield round === 1 ? [file('c')] : [];
    });
    const first = await call('standard', { limit: 2 }, workspace);
    expect(first.data).toMatchObject({ truncated: true });
    const second = await call('standard', { cursor: (first.data as { next_cursor: string }).next_cursor }, workspace);
    expect(second.data).toMatchObject({ entries: [], truncated: false });
  });
});

it.each([null, undefined])('a tree that fails with %s is not taken for an empty one', async (reason) => {
  const source: AsyncTree = { realPath: bytesOf('/'), list: () => Promise.reject(reason), readFile: async () => null };
  using workspace = await openWorkspace(asyncSource(source), { git: false });
  await expect(list({}, workspace)).rejects.toMatchObject({ kind: 'failed' });
});
