/** A server ends in time, whatever is under way: calls that never end, answers that nobody reads. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serveOnHttp } from '../../src/faces/mcp/http.ts';
import { serveOnStdio } from '../../src/faces/mcp/stdio.ts';
import { noStreams } from '../support/streams.ts';
import { emptyDirectory, makeTree } from '../support/tree.ts';
import { COMMAND, callOf, INITIALIZE, INITIALIZED } from './clients.ts';

const SHORT = { grace: 50, closing: 50, refusals: 10 };
const NEVER = new Promise<never>(() => {});

/** A server whose calls end when they are aborted, and not before. */
function endless() {
  const signals: AbortSignal[] = [];
  const factory = () => {
    const server = new Server({ name: 'endless', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/call', (_, { mcpReq: { signal } }) => {
      signals.push(signal);
      return NEVER;
    });
    return server;
  };
  return { factory, signals };
}

/** What a client says, and then nothing more; the input ends if `ends` says so. */
async function* input(messages: readonly object[], ends: Promise<unknown> = Promise.resolve()) {
  for (const message of messages) yield `${JSON.stringify(message)}\n`;
  await ends;
}

describe('on stdio', () => {
  it('aborts the calls that are not done in time, and says how many', async () => {
    const { factory, signals } = endless();
    const said: string[] = [];
    const streams = {
      ...noStreams(),
      input: input([INITIALIZE, INITIALIZED, callOf(1, {}), callOf(2, {})]),
      complain: (text: string) => said.push(text),
    };
    await serveOnStdio(factory, streams, new AbortController().signal, SHORT);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(said).toEqual(['agent-ls mcp: ended without waiting any longer; calls that were not answered: 2']);
  });

  it('waits for nobody who does not read, and aborts the calls then, too', async () => {
    const { factory, signals } = endless();
    const messages = [INITIALIZE, INITIALIZED, callOf(1, {}), callOf(2, {})];
    const streams = { ...noStreams(), input: input(messages), print: () => NEVER };
    await serveOnStdio(factory, streams, new AbortController().signal, SHORT);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('ends where a client sends without end and reads nothing', async () => {
    const { factory } = endless();
    const said: string[] = [];
    const calls = Array.from({ length: 600 }, (_, i) => callOf(i + 1, {}));
    const streams = {
      ...noStreams(),
      input: input([INITIALIZE, INITIALIZED, ...calls], NEVER),
      print: () => NEVER,
      complain: (text: string) => said.push(text),
    };
    await serveOnStdio(factory, streams, new AbortController().signal, SHORT);
    expect(said[0]).toMatch(/the client sends calls and reads no answers, so the server ends/);
  });
});

it('on HTTP, aborts the calls that are not done in time', async () => {
  const { factory, signals } = endless();
  const said: string[] = [];
  const stop = new AbortController();
  const streams = { ...noStreams(), complain: (text: string) => said.push(text) };
  const ended = serveOnHttp(factory, { port: 0, token: null }, streams, stop.signal, { times: SHORT });
  while (said.length === 0) await new Promise(setImmediate);
  const request = httpRequest(/http:\S+/.exec(said[0] as string)?.[0] as string, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  });
  request.on('error', () => {});
  const closed = new Promise((resolve) => request.on('close', resolve));
  request.on('response', (response) => response.resume().on('error', () => {}));
  request.end(JSON.stringify([callOf(1, {}), callOf(2, {})]));
  while (signals.length < 2) await new Promise(setImmediate);
  stop.abort();
  await ended;
  await closed;
  while (!signals.every(({ aborted }) => aborted)) await new Promise(setImmediate);
  expect(said[1]).toBe('agent-ls mcp: ended without waiting any longer for calls under way');
});

/** The command with a pipe as its stdout that is full, because nobody reads it. */
async function stuck(root: string) {
  const pipe = join(emptyDirectory(), 'pipe');
  execFileSync('mkfifo', [pipe]);
  // For reading, too: else to open it would wait for a reader.
  const output = openSync(pipe, constants.O_RDWR);
  const child = spawn(process.execPath, [COMMAND, 'mcp', root], { stdio: ['pipe', output, 'ignore'] });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    closeSync(output);
  });
  const calls = Array.from({ length: 3_000 }, (_, i) => callOf(i + 1, {}));
  const stdin = child.stdin as NodeJS.WritableStream;
  stdin.on('error', () => {});
  await new Promise((resolve) => {
    stdin.write([INITIALIZE, INITIALIZED, ...calls].map((one) => `${JSON.stringify(one)}\n`).join(''), resolve);
  });
  return { child, stdin, exited };
}

it.runIf(process.platform !== 'win32')(
  'the command ends although nobody reads its answers, when stdin does and at SIGTERM',
  async () => {
    const root = makeTree({ a: '' });
    const [one, two] = await Promise.all([stuck(root), stuck(root)]);
    one.stdin.end();
    two.child.kill('SIGTERM');
    expect(await Promise.all([one.exited, two.exited])).toEqual([
      [0, null],
      [0, null],
    ]);
  },
);
