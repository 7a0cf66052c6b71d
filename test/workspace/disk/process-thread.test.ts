import { createRequire } from 'node:module';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Bytes, bytesOf } from '../../../src/workspace/bytes.ts';
import { type SystemCalls, systemCalls } from '../../../src/workspace/disk/system-calls.ts';
import { makeTree } from '../../support/tree.ts';

describe.runIf(systemCalls() !== null)('the thread of a process', () => {
  const calls = systemCalls() as SystemCalls;
  const before = process.listeners('exit');
  const started = () => process.listeners('exit').filter((listener) => !before.includes(listener));

  afterEach(() => {
    for (const end of started()) {
      end(0);
      process.off('exit', end);
    }
    vi.unstubAllEnvs();
  });

  async function freshProcess(wish: string) {
    vi.stubEnv('AGENT_LS_READ_AHEAD', wish);
    vi.resetModules();
    const { settleThread, threadFor } = await import('../../../src/workspace/disk/process-thread.ts');
    return { endCall: settleThread, read: (directories: number) => void threadFor(directories, calls) };
  }

  it('is started by a call only when that is very large', async () => {
    const { read } = await freshProcess('');
    read(8191);
    expect(started()).toHaveLength(0);
    read(1);
    expect(started()).toHaveLength(1);
    read(9000);
    expect(started()).toHaveLength(1);
  });

  it('is started by the next call, when those before have read some hundred directories', async () => {
    const { read, endCall } = await freshProcess('');
    read(511);
    endCall();
    read(1);
    expect(started()).toHaveLength(0);
    endCall();
    read(1);
    expect(started()).toHaveLength(1);
  });

  it('is not started where nothing is expected any more', async () => {
    vi.stubEnv('AGENT_LS_READ_AHEAD', 'always');
    vi.resetModules();
    const { pinByCall } = await import('../../../src/workspace/disk/pinned-by-call.ts');
    const root = pinByCall(bytesOf(makeTree({ 'a/b': '' })), calls);
    root?.expect?.([], 0);
    expect(started()).toHaveLength(0);
    root?.expect?.(['a' as Bytes], 0);
    expect(started()).toHaveLength(1);
    root?.close();
  });

  it('is not started in a thread of the host, which may be stopped at any time', async () => {
    const threads = createRequire(import.meta.url)('node:worker_threads');
    onTestFinished(() => void Object.assign(threads, { isMainThread: true }));
    threads.isMainThread = false;
    const { read } = await freshProcess('always');
    read(1);
    expect(started()).toHaveLength(0);
  });

  it('is started at once, or not at all, where that is asked for', async () => {
    const always = await freshProcess('always');
    always.read(1);
    expect(started()).toHaveLength(1);
    const never = await freshProcess('never');
    never.read(9000);
    never.endCall();
    never.read(9000);
    expect(started()).toHaveLength(1);
  });
});
