/** What happens to the process: signals, readers that go away, and readers that take their time. */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shell, started } from './command.ts';

const LONG = 'n'.repeat(240);
const DIRECTORIES = 60;
const FILES = 60;
const directoryName = (i: number) => `${LONG}${10 + i}`;

/** 60 directories of 60 files: 2 MB of paths, more than any pipe holds. */
function crowd(): string {
  const root = mkdtempSync(join(tmpdir(), 'agent-ls-test-'));
  for (let i = 0; i < DIRECTORIES; i++) {
    const directory = join(root, directoryName(i));
    mkdirSync(directory);
    for (let j = 0; j < FILES; j++) writeFileSync(join(directory, `${LONG}${j}`), '');
  }
  return root;
}

const statusOf = (pid: number | undefined) => readFileSync(`/proc/${pid}/status`, 'utf8');
const megabytes = (pid: number | undefined) => Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid))?.[1]) / 1024;

/** State and times of each thread. One that only waits for its turn on a busy machine is not asleep (`S`) but runs (`R`). */
const threadsOf = (pid: number | undefined) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
    return { isAsleep: fields[0] === 'S', times: fields.slice(11, 13).join() };
  });

/** Until it does nothing more, because nobody takes what it has to say. */
async function stuck(pid: number | undefined): Promise<void> {
  let before = '';
  for (let still = 0; still < 5; ) {
    await sleep(100);
    const threads = threadsOf(pid);
    const times = threads.map((thread) => thread.times).join(' ');
    still = times === before && threads.every(({ isAsleep }) => isAsleep) ? still + 1 : 0;
    before = times;
  }
}

describe.runIf(process.platform === 'linux')('the command', () => {
  let root = '';
  beforeAll(() => {
    root = crowd();
  });
  afterAll(() => rmSync(root, { recursive: true }));

  it.each(['-R', '-lR', '-R --json', '-R --sort size'])('ends quietly when the reader goes away: %s', (words) => {
    const script = '{ $AGENT_LS "$@"; echo $? >&2; } | head -c 10 > /dev/null';
    expect(shell(script, ...words.split(' '), root)).toMatchObject({ stdout: '', stderr: '0\n' });
  });

  it('ends quietly when the reader of many answers goes away', () => {
    const requests = `yes '{"params":{"limit":200}}' | head -n 3000`;
    const script = `${requests} | { $AGENT_LS call --stdin --root "$1"; echo $? >&2; } | head -n 1 > /dev/null`;
    const { stdout, stderr } = shell(script, join(root, directoryName(0)));
    expect([stdout, stderr]).toEqual(['', '0\n']);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends at %s in the middle of a long listing that nobody reads',
    async (signal) => {
      const child = started(['-R', root]);
      const said: string[] = [];
      child.stderr?.on('data', (data) => said.push(String(data)));
      await once(child.stdout, 'readable');
      await stuck(child.pid);
      child.kill(signal);
      expect(await once(child, 'exit')).toEqual([null, signal]);
      expect(said).toEqual([]);
    },
  );

  it('reads no further than a slow reader takes', async () => {
    const child = started(['-R', root]);
    let output = '';
    await once(child.stdout, 'readable');
    await stuck(child.pid);
    // What is not read yet can still change, and the listing tells it as it is when its turn comes.
    const late = Array.from({ length: 10 }, (_, i) => `${directoryName(30 + i)}/late`);
    for (const path of late) writeFileSync(join(root, path), '');
    child.stdout.on('data', (data) => {
      output += data;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(late.filter((path) => output.includes(`${path}\n`))).toEqual(late);
    expect(output.split('\n')).toHaveLength(DIRECTORIES * (FILES + 1) + late.length + 1);
  });

  const initialize = {
    ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const mcpCall = (id: number, params: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'LS', arguments: params },
  });
  it.each([
    ['call --stdin', ['call', '--stdin', '--root'], [], (id: number, params: object) => ({ id, params })],
    ['mcp', ['mcp'], [initialize, { jsonrpc: '2.0', method: 'notifications/initialized' }], mcpCall],
  ] as const)('takes no more requests than somebody reads the answers of: %s', async (_, words, first, request) => {
    const child = started([...words, join(root, directoryName(0))]);
    const REQUESTS = 6000;
    const requests = Array.from({ length: REQUESTS }, (_, i) => request(i + 1, { limit: 200 }));
    child.stdin?.end([...first, ...requests].map((message) => `${JSON.stringify(message)}\n`).join(''));
    await once(child.stdout, 'readable');
    await stuck(child.pid);
    const held = megabytes(child.pid);
    let lines = 0;
    child.stdout.on('data', (data: Buffer) => {
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines++;
    });
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(lines).toBe(REQUESTS + (first.length > 0 ? 1 : 0));
    // With the answers to 512 calls that wait to be read it holds about 105; with all of them it would be 330.
    expect(held).toBeLessThan(160);
  });
});
