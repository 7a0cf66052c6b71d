import { describe, expect, it } from 'vitest';
import { CallQueue, MAX_CALLS, TOO_MANY_CALLS } from '../../src/faces/mcp/call-queue.ts';

const NEVER = new AbortController().signal;

/** A call that runs until it is told to end. */
function call(queue: CallQueue, log: string[], name: string, signal: AbortSignal = NEVER) {
  let end = (_: string) => {};
  const answer = queue.run(signal, () => {
    log.push(name);
    return new Promise<string>((resolve) => {
      end = resolve;
    });
  });
  return { answer, end: () => end(name) };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the queue of calls', () => {
  it('runs as many as there is room for, in the order in which they came', async () => {
    const log: string[] = [];
    const queue = new CallQueue(80);
    const [a, b, c, d] = [...'abcd'].map((name) => call(queue, log, name));
    await settled();
    expect(log).toEqual(['a', 'b']);
    a?.end();
    await settled();
    expect(log).toEqual(['a', 'b', 'c']);
    b?.end();
    await settled();
    expect(log).toEqual(['a', 'b', 'c', 'd']);
    c?.end();
    d?.end();
    expect(await Promise.all([a, b, c, d].map((one) => one?.answer))).toEqual(['a', 'b', 'c', 'd']);
  });

  it('makes room when a call fails, too', async () => {
    const queue = new CallQueue(1);
    await expect(queue.run(NEVER, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run(NEVER, async () => 'next')).toBe('next');
  });

  it('does not run what was cancelled before its turn, and lets the next one go ahead', async () => {
    const log: string[] = [];
    const queue = new CallQueue(1);
    const controller = new AbortController();
    const running = call(queue, log, 'running');
    const cancelled = call(queue, log, 'cancelled', controller.signal);
    const next = call(queue, log, 'next');
    controller.abort();
    await expect(cancelled.answer).rejects.toThrow('cancelled before its turn');
    await expect(call(queue, log, 'late', controller.signal).answer).rejects.toThrow('cancelled');
    running.end();
    await settled();
    expect(log).toEqual(['running', 'next']);
    next.end();
    await Promise.all([running.answer, next.answer]);
  });

  it('refuses what waited too long, with a word on what to do', async () => {
    const log: string[] = [];
    const queue = new CallQueue(1, 10);
    const running = call(queue, log, 'running');
    await expect(call(queue, log, 'waiting').answer).rejects.toMatchObject({
      code: -32000,
      message: 'The server is busy: the call waited too long for its turn. Send it again later.',
    });
    running.end();
    expect(await running.answer).toBe('running');
    expect(log).toEqual(['running']);
  });

  it('refuses more calls than it may hold, until some have ended', async () => {
    const queue = new CallQueue(1);
    const held = Array.from({ length: MAX_CALLS }, (_, i) => call(queue, [], `${i}`));
    await expect(queue.run(NEVER, async () => 'x')).rejects.toMatchObject({ code: -32000, message: TOO_MANY_CALLS });
    for (const one of held) {
      await settled();
      one.end();
    }
    await Promise.all(held.map(({ answer }) => answer));
    expect(await queue.run(NEVER, async () => 'x')).toBe('x');
  });
});
