import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { list } from '../../../src/faces/library/list.ts';
import { openWorkspace } from '../../../src/faces/library/open-workspace.ts';
import { type Bytes, bytesOf } from '../../../src/workspace/bytes.ts';
import { Expected } from '../../../src/workspace/disk/expected.ts';
import { pinByCall } from '../../../src/workspace/disk/pinned-by-call.ts';
import { settleThread, threadFor } from '../../../src/workspace/disk/process-thread.ts';
import { type Ahead, ReadingThread } from '../../../src/workspace/disk/reading-thread.ts';
import { type SystemCalls, systemCalls } from '../../../src/workspace/disk/system-calls.ts';
import { readAtOnce } from '../../../src/workspace/reader.ts';
import type { SourceDirectory } from '../../../src/workspace/source.ts';
import { descriptors } from '../../support/descriptors.ts';
import { makeTree, type TreeLiteral } from '../../support/tree.ts';

const calls = systemCalls() as SystemCalls;

describe.runIf(systemCalls() !== null)('the thread that reads ahead', () => {
  beforeAll(async () => {
    process.env.AGENT_LS_READ_AHEAD = 'always';
    while (threadFor(0, calls) === null) await after(1);
    return () => {
      process.env.AGENT_LS_READ_AHEAD = 'never';
    };
  });

  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  /** The directory `name`, opened by the thread: as often as it takes until the thread was soon enough. */
  async function openedAhead(root: SourceDirectory, name: string): Promise<SourceDirectory> {
    const opening = vi.spyOn(calls, 'openDirectory');
    for (let tries = 0; tries < 1000; tries++) {
      opening.mockClear();
      root.expect?.([name as Bytes], 0);
      await after(2);
      const found = root.lookup(name as Bytes);
      if (found.kind !== 'directory') throw new Error(found.kind);
      if (opening.mock.calls.length === 0) return found.directory;
      found.directory.close();
    }
    throw new Error('the thread has read nothing');
  }

  function namesIn(directory: SourceDirectory): string[] {
    const budget = { steps: 0, entriesRead: 0, isDue: false };
    const entries = readAtOnce(directory.open(true, false), Number.POSITIVE_INFINITY, budget);
    return entries.namesOf(0, entries.count).sort();
  }

  const pinned = (root: string) => pinByCall(bytesOf(root), calls) as SourceDirectory;

  it('has opened and read a directory before it is asked for', async () => {
    const root = makeTree({ 'a/b': '', 'a/c/d': '', 'a/l': { link: 'b' } });
    const top = pinned(root);
    const reading = vi.spyOn(calls, 'readEntries');
    const inner = await openedAhead(top, 'a');
    reading.mockClear();
    expect(namesIn(inner)).toEqual(['b', 'c', 'l']);
    expect(reading).not.toHaveBeenCalled();
    expect(inner.path).toBe('a');
    inner.close();
    top.close();
  });

  it('leaves the rest of a large directory to the walk', async () => {
    const names = Array.from({ length: 3000 }, (_, i) => `a-rather-long-name-of-a-file-${i}`).sort();
    const root = makeTree(Object.fromEntries(names.map((name) => [`large/${name}`, ''])));
    const top = pinned(root);
    const inner = await openedAhead(top, 'large');
    expect(namesIn(inner)).toEqual(names);
    inner.close();
    top.close();
  });

  it('tells when a directory was changed before it was read: as it was then', async () => {
    // Nobody has changed it for a while.
    const top = pinned('/');
    top.stamp();
    const inner = await openedAhead(top, 'usr');
    const [stamping, reading] = [vi.spyOn(calls, 'stamp'), vi.spyOn(calls, 'readEntries')];
    const before = inner.stamp();
    expect(namesIn(inner)).toContain('bin');
    expect([stamping.mock.calls.length, reading.mock.calls.length]).toEqual([0, 0]);
    expect(before?.mtimeNs).toBe(inner.stamp()?.mtimeNs);
    expect(stamping).toHaveBeenCalledOnce();
    inner.close();
    top.close();
  });

  it('reads nothing that had just been changed, for it may be changed again at the same time', async () => {
    const root = makeTree({ 'a/b': '' });
    const top = pinned(root);
    top.stamp();
    const inner = await openedAhead(top, 'a');
    writeFileSync(join(root, 'a/c'), '');
    const before = inner.stamp();
    expect(namesIn(inner)).toEqual(['b', 'c']);
    expect(before).toEqual(inner.stamp());
    inner.close();
    top.close();
  });

  it('reads nothing that a stamp is asked for only later', async () => {
    const root = makeTree({ 'a/b': '' });
    const top = pinned(root);
    const inner = await openedAhead(top, 'a');
    writeFileSync(join(root, 'a/c'), '');
    const before = inner.stamp();
    expect(namesIn(inner)).toEqual(['b', 'c']);
    expect(before).toEqual(inner.stamp());
    inner.close();
    top.close();
  });

  it('opens no link, and nothing that is not a directory', async () => {
    const outside = makeTree({ 'secret/file': '' });
    const root = makeTree({ 'a/b': '', f: '', out: { link: join(outside, 'secret') } });
    const top = pinned(root);
    for (const [name, kind] of [
      ['out', 'link'],
      ['f', 'not-a-directory'],
      ['missing', 'missing'],
    ] as const) {
      top.expect?.([name as Bytes], 1);
      await after(5);
      expect(top.lookup(name as Bytes).kind).toBe(kind);
    }
    // What was put in the place of a directory that is open by then is not looked at.
    top.expect?.(['a' as Bytes], 1);
    await after(5);
    renameSync(join(root, 'a'), join(root, 'b'));
    symlinkSync(join(outside, 'secret'), join(root, 'a'));
    const found = top.lookup('a' as Bytes);
    if (found.kind === 'directory') expect(namesIn(found.directory)).toEqual(['b']);
    else expect(found.kind).toBe('link');
    if (found.kind === 'directory') found.directory.close();
    top.close();
  });

  it('opens nothing from a descriptor that has become another directory', async () => {
    const roots = Array.from({ length: 8 }, (_, i) => makeTree({ [`x/${i}/y/${i}`]: '', [`x/${i}/z/${i}`]: '' }));
    let wrong = 0;
    let ahead = 0;
    // On a busy machine the thread is mostly too late.
    for (let round = 0; round < 4000 || (ahead < 100 && round < 400_000); round++) {
      if (round % 100 === 0) await after(1);
      const own = round % roots.length;
      const fd = openSync(join(roots[own] as string, 'x'), constants.O_RDONLY | constants.O_DIRECTORY);
      const expected = new Expected(fd, [`${own}` as Bytes], false, 2);
      expected.request();
      for (let i = 0; i < (round % 50) * 20; i++);
      const found: Ahead | null = round % 3 === 0 ? null : expected.take(`${own}` as Bytes);
      if (found !== null) {
        ahead++;
        const names = found.entries.toString('latin1', 0, found.length);
        if (!names.includes('y\0')) wrong++;
        // Its own directories may be open already, or may be being opened.
        for (const child of found.children) {
          const inner = child.thread.take(child.slot);
          if (inner === null) continue;
          if (!inner.entries.toString('latin1', 0, inner.length).includes(`${own}\0`)) wrong++;
          inner.release();
          inner.thread.close(inner.descriptor);
        }
        found.release();
        found.thread.close(found.descriptor);
      }
      const thread = expected.close();
      if (thread === null) closeSync(fd);
      else thread.close(fd);
    }
    expect(wrong).toBe(0);
    expect(ahead).toBeGreaterThanOrEqual(100);
  });

  it('closes a descriptor only when nothing is being opened from it, and keeps nobody waiting', async () => {
    const koffiPath = join(import.meta.dirname, '../../support/slow-koffi.cjs');
    const close = vi.fn(closeSync);
    const slow = new ReadingThread({ koffiPath, directoryFlags: calls.directoryFlags, close });
    while (!slow.isReady) await after(1);
    const root = makeTree({ 'a/b': '' });
    const isOpen = (fd: number) => existsSync(`/proc/self/fd/${fd}`);
    const others = Array.from({ length: 40 }, () => openSync(root, 'r'));
    const parent = openSync(root, 'r');
    const requested = slow.request(parent, 'a' as Bytes, 1, false, 0);
    slow.wake();
    await after(20);
    expect(slow.take(requested?.slot as number)).toBeNull();
    // More than it is given at a time.
    for (const fd of others) slow.close(fd);
    slow.close(parent);
    slow.settle();
    expect(isOpen(parent)).toBe(true);
    expect(others.filter(isOpen)).toEqual([]);
    while (isOpen(parent)) {
      await after(1);
      slow.settle();
    }
    expect(slow.isInUse).toBe(false);
    // A walk that was slower than the thread is patient closes the last of its directories then.
    slow.end();
    const last = openSync(root, 'r');
    slow.close(last);
    expect(isOpen(last)).toBe(false);
  });

  it('leaves no descriptor open, wherever a walk is ended', async () => {
    const tree: TreeLiteral = Object.fromEntries(
      Array.from({ length: 400 }, (_, i) => [`${i % 7}/${i % 5}/${i % 11}/d${i}/file`, '']),
    );
    const made = makeTree(tree);
    const workspace = await openWorkspace(made);
    const settled = async (count: number) => {
      for (let i = 0; descriptors() !== count && i < 1000; i++) {
        await after(1);
        settleThread();
      }
      return descriptors();
    };
    await list({ depth: 9 }, workspace, { cache: false });
    const before = await settled(-1);
    for (let limit = 1; limit < 400; limit += 9) {
      await list({ depth: 9, limit }, workspace, { cache: false });
      const ended = new AbortController();
      const walk = list({ depth: 9 }, workspace, { cache: false, signal: ended.signal });
      setImmediate(() => ended.abort());
      await walk.catch(() => null);
    }
    expect(await settled(before)).toBe(before);
    // Nor anything in its memory.
    const top = pinned(made);
    const inner = await openedAhead(top, '1');
    inner.close();
    top.close();
  });

  /** Starts a thread that finds this in place of koffi; `added` are those whom the process has since then to tell that it exits. */
  function startedWith(koffi: string) {
    const root = makeTree({ 'koffi.cjs': koffi });
    const before = process.listeners('exit');
    const koffiPath = join(root, 'koffi.cjs');
    const thread = new ReadingThread({ koffiPath, directoryFlags: calls.directoryFlags, close: closeSync });
    const added = () => process.listeners('exit').filter((listener) => !before.includes(listener));
    return { root, thread, added };
  }

  it('is ended before the host, which may exit by itself, is told that the process exits', () => {
    const { thread } = startedWith('');
    const [first] = process.listeners('exit');
    first?.(0);
    expect(thread.isReady).toBe(false);
    const { added } = startedWith('');
    expect(process.listeners('exit')[0]).toBe(added()[0]);
  });

  it('is never stopped while it loads koffi: a process that exits waits until it has ended by itself', async () => {
    const slowly = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);';
    const loaded = `require('node:fs').writeFileSync(__dirname + '/loaded', '');`;
    const real = `module.exports = require(${JSON.stringify(calls.koffiPath)});`;
    const { root, thread, added } = startedWith(slowly + real + loaded);
    const [exit] = added();
    expect(exit).toBeDefined();
    exit?.(0);
    expect(existsSync(join(root, 'loaded'))).toBe(true);
    expect(thread.isReady).toBe(false);
    while (added().length > 0) await after(1);
  });

  it('does not wait for a thread that could not be started', async () => {
    const { thread, added } = startedWith(`throw new Error('no koffi here');`);
    const [exit] = added();
    const waiting = vi.spyOn(Atomics, 'wait');
    exit?.(0);
    expect(waiting.mock.results.map(({ value }) => value)).not.toContain('timed-out');
    expect(thread.isReady).toBe(false);
    while (added().length > 0) await after(1);
  });

  it('gives a call nothing that was read before it began', async () => {
    const files = Array.from({ length: 4000 }, (_, i) => [`a/${i % 100}/${i}`, '']);
    const root = makeTree({ 'b/old': '', ...Object.fromEntries(files) });
    const workspace = await openWorkspace(root);
    for (let round = 0; round < 10; round++) {
      const walk = list({ depth: 9, limit: 100_000 }, workspace, { cache: false });
      for (let i = 0; i < 3; i++) await new Promise(setImmediate);
      writeFileSync(join(root, 'b', `new-${round}`), '');
      const { entries } = await list({ path: 'b', limit: 1000 }, workspace, { cache: false });
      expect(entries.map(({ name }) => name)).toContain(`new-${round}`);
      await walk;
    }
    workspace.close();
  });

  it('closes a directory that a call has left while the thread was still opening something from it', async () => {
    const koffiPath = join(import.meta.dirname, '../../support/slow-koffi.cjs');
    const close = vi.fn(closeSync);
    const slow = new ReadingThread({ koffiPath, directoryFlags: calls.directoryFlags, close });
    while (!slow.isReady) await after(1);
    const parent = openSync(makeTree({ 'a/b': '' }), 'r');
    const requested = slow.request(parent, 'a' as Bytes, 1, false, 0);
    slow.wake();
    await after(20);
    slow.take(requested?.slot as number);
    slow.close(parent);
    slow.settle();
    while (existsSync(`/proc/self/fd/${parent}`)) await after(1);
    expect(close).not.toHaveBeenCalled();
    expect(slow.isInUse).toBe(false);
    slow.end();
  });

  it('ends after what it is doing, however much it was asked for', async () => {
    const koffiPath = join(import.meta.dirname, '../../support/slow-koffi.cjs');
    const before = process.listeners('exit');
    const slow = new ReadingThread({ koffiPath, directoryFlags: calls.directoryFlags, close: closeSync });
    while (!slow.isReady) await after(1);
    const names = Array.from({ length: 100 }, (_, i) => `${i}`);
    const parent = openSync(makeTree(Object.fromEntries(names.map((name) => [`${name}/x`, '']))), 'r');
    for (const name of names) slow.request(parent, name as Bytes, 1, false, 0);
    slow.wake();
    const waiting = vi.spyOn(Atomics, 'wait');
    process.listeners('exit').find((listener) => !before.includes(listener))?.(0);
    expect(waiting.mock.results.map(({ value }) => value)).not.toContain('timed-out');
    closeSync(parent);
  });

  it('gives what there is, in any tree, to several walks at a time', async () => {
    const tree: Record<string, string> = {};
    for (let i = 0, seed = 1; i < 1500; i++) {
      seed = (seed * 48271) % 2147483647;
      const depth = seed % 6;
      const path = Array.from({ length: depth }, (_, level) => `d${(seed >> (3 * level)) & 7}`);
      tree[[...path, `file ${i}`].join('/')] = '';
    }
    const root = makeTree(tree);
    const all = (readdirSync(root, { recursive: true }) as string[]).sort();
    const workspace = await openWorkspace(root);
    for (let round = 0; round < 5; round++) {
      const walks = [1, 2, 3].map((at) =>
        list({ depth: 99, all: true, reverse: true }, workspace, { cache: at === 3 && round === 2 }),
      );
      for (const { entries } of await Promise.all(walks)) expect(entries.map(({ path }) => path).sort()).toEqual(all);
    }
  });

  it('ends when there is nothing to read for a while, and is started again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
    vi.resetModules();
    const fresh = await import('../../../src/workspace/disk/process-thread.ts');
    const ready = async () => {
      for (;;) {
        const thread = fresh.threadFor(0, calls);
        if (thread !== null) return thread;
        await after(1);
      }
    };
    const first = await ready();
    const ending = vi.spyOn(first, 'end');
    for (let i = 0; i < 5; i++) {
      await vi.advanceTimersByTimeAsync(7000);
      expect(await ready()).toBe(first);
    }
    expect(ending).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(25_000);
    expect(ending).toHaveBeenCalledOnce();
    const second = await ready();
    expect(second).not.toBe(first);
    second.end();
  });
});
