/** Who sees calls: `onCall` of every way to make one, the trace that it writes, and the spans. */
import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { context, trace as otel, SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/tools.ts';
import type { Replayed } from '../../src/faces/trace/record-types.ts';
import { replayTrace } from '../../src/faces/trace/replay.ts';
import {
  type CallRecord,
  call,
  createToolbox,
  find,
  type ObservedCall,
  openTrace,
  spansOf,
  tree,
} from '../../src/index.ts';
import { createServer } from '../../src/mcp.ts';
import { tokensIn } from '../../src/overview/token-count.ts';
import { oddCalls } from '../support/odd-calls.ts';
import { settle, unsettle } from '../support/settled.ts';
import { emptyDirectory, makeTree } from '../support/tree.ts';

const PROJECT = { 'src/a.ts': '', 'README.md': '' };

const linesOf = (file: string): CallRecord[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

const callsOf = (file: string) => linesOf(file).filter(({ kind }) => kind === 'call');

/** Each way to make a call that lists `src`. */
const WAYS: readonly [string, (root: string, onCall: (call: ObservedCall) => unknown) => Promise<unknown>][] = [
  ['call', (root, onCall) => call('standard', { path: 'src' }, root, { onCall })],
  ['tools', async (root, onCall) => (await tools(root, { onCall }))[0].execute({ path: 'src' })],
  ['toolbox', (root, onCall) => createToolbox({ root, onCall }).run('LS', { path: 'src' })],
];

describe('onCall', () => {
  it.each(WAYS)('sees the call and its answer: %s', async (_, make) => {
    const root = makeTree(PROJECT);
    const seen: ObservedCall[] = [];
    await make(root, (one) => seen.push(one));
    expect(seen).toEqual([
      expect.objectContaining({
        ...{ dialect: 'standard', tool: 'LS', root, cwd: '.', params: { path: 'src' }, isError: false },
        ...{ text: expect.stringContaining('a.ts'), timeMs: expect.any(Number), startedAt: expect.any(Number) },
        answer: expect.objectContaining({ status: 'success' }),
      }),
    ]);
  });

  it('sees maps, searches, and calls that fail', async () => {
    const root = makeTree(PROJECT);
    const seen: ObservedCall[] = [];
    const onCall = (one: ObservedCall) => seen.push(one);
    await tree({ budget: 200 }, root, { onCall });
    await find({ query: 'a' }, root, { onCall });
    await call('codex', { dir_path: 'src' }, root, { onCall });
    expect(seen.map(({ dialect, tool, isError }) => [dialect, tool, isError])).toEqual([
      ['standard', 'Tree', false],
      ['standard', 'Find', false],
      ['codex', 'list_dir', true],
    ]);
  });

  it.each(WAYS)('what it throws, the call throws: %s', async (_, make) => {
    const fails = () => {
      throw new Error('no room');
    };
    await expect(make(makeTree(PROJECT), fails)).rejects.toThrow('no room');
  });

  it.each([
    ['call', () => call('standard', {}, '.', { onCall: 1 as never })],
    ['tree', () => tree({}, '.', { onCall: 1 as never })],
    ['tools', () => tools('.', { onCall: 1 as never })],
    ['createToolbox', async () => createToolbox({ root: '.', onCall: 1 as never })],
    ['createServer', async () => createServer({ roots: ['.'], onCall: 1 as never })],
  ])('must be a function: %s', async (_, make) => {
    await expect(make()).rejects.toThrow('onCall must be a function.');
  });
});

describe('openTrace', () => {
  it('writes a line about the session and one for each call', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    await call('standard', { path: 'src' }, root, { onCall: trace.onCall });
    await call('mycode', { path: 'missing' }, root, { onCall: trace.onCall });
    trace.close();
    const [session, ...calls] = linesOf(file);
    expect(session).toMatchObject({ v: 1, kind: 'session', face: 'library', roots: [], settings: {} });
    expect(calls).toMatchObject([
      { v: 1, kind: 'call', n: 1, dialect: 'standard', tool: 'LS', root, cwd: '.', isError: false },
      { n: 2, dialect: 'mycode', tool: 'LS', params: { path: 'missing' }, isError: true },
    ]);
    expect(calls[0]?.text).toContain('a.ts');
    expect(calls.map(({ tokens }) => tokens)).toEqual(calls.map(({ text }) => tokensIn(text ?? '')));
    expect(new Set(linesOf(file).map((line) => line.session)).size).toBe(1);
    // It holds the names of a project.
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each(WAYS)('tells times as ISO 8601 has them: %s', async (_, make) => {
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    await make(makeTree(PROJECT), trace.onCall);
    trace.close();
    for (const { at } of linesOf(file)) expect(new Date(at).toISOString()).toBe(at);
  });

  it('says which answers came from the cache alone', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    const { onCall } = trace;
    settle();
    const everything = { dir_path: root, depth: 9 };
    for (const path of ['new.ts', 'other.ts']) {
      for (let time = 1; time <= 3; time++) {
        await call('standard', {}, root, { onCall });
        await call('codex', everything, root, { onCall });
        await tree({}, root, { onCall });
      }
      writeFileSync(join(root, path), '');
    }
    trace.close();
    unsettle();
    const found = callsOf(file).map(({ isFromCache = false }) => isFromCache);
    // Walks and maps are kept when they are asked for a second time. Without the system's own calls none is.
    const isKept = oddCalls !== null;
    const times = [
      [false, false, false],
      [true, false, false],
      [true, isKept, isKept],
    ];
    expect(found).toEqual([times, times].flat(2));
  });

  it('goes on behind a line that a crash has cut off', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    writeFileSync(file, '{"v":1,"kind":"call","ses', { mode: 0o600 });
    const trace = openTrace(file);
    await call('standard', {}, root, { onCall: trace.onCall });
    trace.close();
    const [broken, ...whole] = readFileSync(file, 'utf8').trimEnd().split('\n');
    expect(broken).toBe('{"v":1,"kind":"call","ses');
    expect(whole.map((line) => JSON.parse(line).kind)).toEqual(['session', 'call']);
  });

  it.each([
    ['a directory', () => emptyDirectory(), 'it is a directory'],
    ['a place that is not there', () => join(emptyDirectory(), 'none', 'x'), 'there is no such file or directory'],
    [
      'a link',
      () => {
        const link = join(emptyDirectory(), 'link');
        symlinkSync(join(emptyDirectory(), 'target'), link);
        return link;
      },
      'it is a link, and links are not followed',
    ],
    ['a device', () => '/dev/null', 'it is not a plain file'],
  ])('says why it cannot be written: %s', (_, path, reason) => {
    expect(() => openTrace(path())).toThrow(reason);
  });

  it('takes secrets out of what was asked and answered', async () => {
    const key = `ghp_${'a1B2'.repeat(9)}`;
    const root = makeTree({ [`keys/${key}.txt`]: '' });
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    const addresses = [
      'https://me:hunter2@example.com/x?token=t0ps3cret',
      'https://me:sword@fish@example.com',
      `https://me:${'opensesame'.repeat(50)}@example.com`,
    ];
    const sent = { path: `keys/${key}`, ignore: addresses };
    await call('standard', sent, root, { onCall: trace.onCall });
    await call('standard', { path: 'keys' }, root, { onCall: trace.onCall });
    const odd: unknown = { path: root, authorization: 'Bearer abcdef123456', api_key: 'k' };
    await call('gemini', odd, root, { onCall: trace.onCall });
    trace.close();
    const text = readFileSync(file, 'utf8');
    for (const secret of [key, 'hunter2', 't0ps3cret', 'fish', 'sesame', 'abcdef123456'])
      expect(text).not.toContain(secret);
    expect(callsOf(file)[2]).toMatchObject({ params: { path: root }, undeclared: ['authorization', 'api_key'] });
    expect(callsOf(file)[1]?.text).toContain('***.txt');
  });

  it('keeps of a tool that is not ours neither parameters nor text', async () => {
    const root = makeTree({});
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    const box = createToolbox({ root, tools: { Read: () => 'the password is swordfish' }, onCall: trace.onCall });
    await box.run('Read', { file: 'passwords.txt' });
    trace.close();
    expect(callsOf(file)).toMatchObject([
      { tool: 'Read', dialect: null, params: null, text: null, undeclared: ['file'] },
    ]);
    expect(readFileSync(file, 'utf8')).not.toMatch(/swordfish|passwords/);
  });

  it('looks for secrets in linear time', async () => {
    const root = makeTree({});
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    const text = ['eyJ'.repeat(200_000), '://'.repeat(200_000), 'a'.repeat(600_000), 'sk-'.repeat(200_000)].join('\n');
    trace.onCall({
      ...{ dialect: 'standard', tool: 'LS', root, cwd: '.', params: {}, answer: null, text },
      ...{ isError: false, startedAt: 0, timeMs: 0 },
    });
    trace.close();
    expect(callsOf(file)).toHaveLength(1);
  });

  it('says once that lines are missing, and harms no call', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    trace.onCall({ text: 7 } as never);
    expect(trace.problem).toMatch(/^the trace is incomplete: /);
    await call('standard', {}, root, { onCall: trace.onCall });
    expect(callsOf(file)).toHaveLength(1);
    trace.close();
  });
});

describe('replayTrace', () => {
  it('repeats searches, and shows what changed', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    const trace = openTrace(file);
    for (const query of ['md', 'readme']) await find({ query }, root, { onCall: trace.onCall });
    trace.close();
    writeFileSync(join(root, 'src/readme.ts'), '');
    const replayed: (Replayed | null)[] = [];
    for await (const one of replayTrace(file, { root: null, allowNetworkRoots: false, git: false })) replayed.push(one);
    expect(replayed).toMatchObject([
      { tool: 'Find', outcome: 'same' },
      { tool: 'Find', outcome: 'changed', lines: expect.arrayContaining(['+ src/ readme.ts']) },
    ]);
  });
});

describe('spansOf', () => {
  it('makes a span for each call, by the conventions', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const api = { trace: provider, context };
    const root = makeTree(PROJECT);
    await call('standard', { path: 'src' }, root, { onCall: spansOf(api) });
    await call('standard', { path: 'missing' }, root, { onCall: spansOf(api, { content: true }) });
    const [good, bad] = exporter.getFinishedSpans();
    expect(good).toMatchObject({
      name: 'execute_tool LS',
      attributes: {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'LS',
        'gen_ai.tool.type': 'function',
        'agent_ls.dialect': 'standard',
      },
    });
    expect(good?.attributes).not.toHaveProperty('gen_ai.tool.call.arguments');
    expect(bad).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'NOT_FOUND', 'gen_ai.tool.call.arguments': '{"path":"missing"}' },
    });
    expect(bad?.attributes['gen_ai.tool.call.result']).toContain("Path 'missing' does not exist.");
  });

  it('takes the API as it is installed', () => {
    expect(spansOf({ trace: otel })).toBeTypeOf('function');
  });
});
