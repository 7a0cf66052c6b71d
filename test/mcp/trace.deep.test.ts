/** `agent-ls mcp --trace`: every call once, also where the server dies; and `agent-ls replay` of what it wrote. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { emptyDirectory, makeTree } from '../support/tree.ts';
import { COMMAND, callOf, INITIALIZE, INITIALIZED, startRaw } from './clients.ts';

interface Line {
  readonly kind: string;
  readonly n: number;
  readonly params: unknown;
  readonly text: string;
  readonly sent?: string;
  readonly isError: boolean;
  readonly tool: string;
}

function callsIn(file: string): Line[] {
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line).filter(({ kind }) => kind === 'call');
}

const PROJECT = { 'src/a.ts': '', 'src/b.ts': '', 'README.md': '' };

/** Fewer than a server takes at a time. */
const AT_ONCE = 200;

describe('agent-ls mcp --trace', () => {
  it('writes every call once, in whole lines', async () => {
    const file = join(emptyDirectory(), 'calls.jsonl');
    const server = startRaw([makeTree(PROJECT), '--trace', file]);
    server.say(INITIALIZE, INITIALIZED);
    const count = 1000;
    for (let from = 1; from <= count; from += AT_ONCE) {
      for (let id = from; id < from + AT_ONCE; id++) server.say(callOf(id, { limit: 1 + (id % 100), offset: id }));
      await server.received(from + AT_ONCE);
    }
    server.child.stdin.end();
    expect(await server.exited).toBe(0);
    const calls = callsIn(file);
    expect(calls.map(({ n }) => n)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    const offsets = calls.map(({ params }) => (params as { offset: number }).offset).sort((a, b) => a - b);
    expect(offsets).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  });

  it('is good up to its last whole line when the server is killed', async () => {
    const file = join(emptyDirectory(), 'calls.jsonl');
    const server = startRaw([makeTree(PROJECT), '--trace', file]);
    server.say(INITIALIZE, INITIALIZED);
    for (let id = 1; id <= 300; id++) server.say(callOf(id, { offset: id }));
    await server.response(150);
    server.child.kill('SIGKILL');
    await server.exited;
    const calls = callsIn(file);
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.map(({ n }) => n)).toEqual(calls.map((_, at) => at + 1));
    // What is added later does not join a line that was cut off.
    const next = startRaw([makeTree(PROJECT), '--trace', file]);
    next.say(INITIALIZE, INITIALIZED, callOf(1, {}));
    await next.response(1);
    next.child.stdin.end();
    await next.exited;
    expect(callsIn(file)).toHaveLength(calls.length + 1);
  });

  it('holds failures, unknown tools, and what is sent in place of the text', async () => {
    const file = join(emptyDirectory(), 'calls.jsonl');
    const server = startRaw([makeTree(PROJECT), makeTree(PROJECT), '--trace', file]);
    server.say(INITIALIZE, INITIALIZED, callOf(1, { path: 'missing' }), callOf(2, {}));
    server.say({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: { name: 'Read', arguments: { file: 'x' } } });
    await Promise.all([server.response(1), server.response(2), server.response(3)]);
    server.child.stdin.end();
    await server.exited;
    const [unknown, ...ours] = callsIn(file)
      .sort((a, b) => a.tool.localeCompare(b.tool))
      .reverse();
    expect(unknown).toMatchObject({ tool: 'Read', dialect: null, params: null, text: null, isError: true });
    const listed = ours.find(({ isError }) => !isError);
    expect(listed?.sent).toBe(`Root: ${(listed as unknown as { root: string }).root}\n${listed?.text}`);
    expect(ours.find(({ isError }) => isError)?.text).toContain("Path 'missing' does not exist.");
  });

  it('says why it does not start where the file cannot be written', () => {
    const root = makeTree({});
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'mcp', root, '--trace', root], {
      encoding: 'utf8',
      input: '',
    });
    expect(status).toBe(1);
    expect(stderr).toBe(`agent-ls: cannot write the trace '${root}': it is a directory\n`);
  });
});

it('makes spans where an SDK of OpenTelemetry is registered before the start', async () => {
  const setUp = join(emptyDirectory(), 'telemetry.mjs');
  const from = (name: string) => JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve(name)).href);
  writeFileSync(
    setUp,
    `import api from ${from('@opentelemetry/api')};
    import sdk from ${from('@opentelemetry/sdk-trace-base')};
    const exporter = { export: (spans, done) => { for (const { name } of spans) console.error('span:', name); done({ code: 0 }); }, shutdown: async () => {} };
    api.trace.setGlobalTracerProvider(new sdk.BasicTracerProvider({ spanProcessors: [new sdk.SimpleSpanProcessor(exporter)] }));`,
  );
  const words = ['--import', pathToFileURL(setUp).href, COMMAND, 'mcp', makeTree(PROJECT)];
  const server = startRaw([], undefined, [process.execPath, words]);
  server.say(INITIALIZE, INITIALIZED, callOf(1, {}));
  await server.response(1);
  server.child.stdin.end();
  await server.exited;
  expect(server.err()).toContain('span: execute_tool LS');
});

describe('agent-ls replay', () => {
  const replay = (...words: string[]) =>
    execFileSync(process.execPath, [COMMAND, 'replay', ...words], { encoding: 'utf8' });

  it('says which answers changed, and how', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    const server = startRaw([root, '--trace', file]);
    server.say(INITIALIZE, INITIALIZED, callOf(1, { path: 'src' }));
    await server.response(1);
    server.say(callOf(2, { path: '.' }));
    await server.response(2);
    server.child.stdin.end();
    await server.exited;
    expect(replay(file)).toMatch(/^2 calls: 2 the same, 0 changed\. Tokens: (\d+) → \1\. Time: /);
    writeFileSync(join(root, 'src/c.ts'), '');
    const changed = replay(file);
    expect(changed).toMatch(/^1\. LS \{"path":"src"\}: \+\d+ tokens \(\d+ → \d+\), [\d.]+ → [\d.]+ ms\n/);
    expect(changed).toContain('\n   + src/c.ts\n');
    expect(changed).toContain('\n2 calls: 1 the same, 1 changed.');
    rmSync(join(root, 'src'), { recursive: true });
    expect(replay(file)).toContain('1. LS {"path":"src"}: fails now, ');
    const lines = replay(file, '--json')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ outcome }) => outcome)).toEqual(['changed', 'changed']);
    // Another tree in the place of the recorded one.
    expect(replay(file, '--root', makeTree(PROJECT))).toContain('2 calls: 2 the same');
    // Without a root there is nothing to compare.
    rmSync(root, { recursive: true });
    const { status, stdout } = spawnSync(process.execPath, [COMMAND, 'replay', file], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([1, expect.stringContaining('2 calls: 0 the same, 0 changed, 2 not run.')]);
  });

  it.each([
    ['no file', [], 2, 'replay needs the file of a trace: agent-ls replay TRACE'],
    [
      'a file that is not there',
      ['none.jsonl'],
      1,
      "cannot read the trace 'none.jsonl': there is no such file or directory",
    ],
  ])('says what is wrong: %s', (_, words, expected, message) => {
    const { status, stderr } = spawnSync(process.execPath, [COMMAND, 'replay', ...words], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([expected, expect.stringContaining(message)]);
  });

  it('passes over lines that it cannot read, and says how many', () => {
    const file = join(emptyDirectory(), 'calls.jsonl');
    writeFileSync(file, 'garbage\n{"v":2}\n{"v":1,"kind":"call"}\n');
    const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'replay', file], { encoding: 'utf8' });
    const none = `agent-ls: '${file}' holds no calls; agent-ls mcp --trace FILE records them`;
    expect(stderr).toBe(`agent-ls: 3 lines of the trace could not be read\n${none}\n`);
    expect([stdout, status]).toEqual(['', 1]);
  });
});
