/** A trace that somebody else has written or prepared: what is printed of it, where it is written, what it may open. */
import { execFileSync } from 'node:child_process';
import { chmodSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { TracedCalls } from '../../src/faces/view/call-log.ts';
import { call, openTrace } from '../../src/index.ts';
import { agentLs } from '../support/command-line.ts';
import { emptyDirectory, makeTree } from '../support/tree.ts';

/** Copies to the clipboard, clears the screen, hides, and turns the direction of writing. */
const HOSTILE = '\x1b]52;c;cm0gLXJm\x07\x1b[2J\x9b2J\u202e\u200b\r';
const CONTROL = /[\0-\x09\x0b-\x1f\x7f-\x9f\u200b\u202e]/;

function traceOf(root: string, changes: object): string {
  const file = join(emptyDirectory(), 'calls.jsonl');
  const record = {
    ...{ v: 1, kind: 'call', session: 's', n: 1, at: '2026-01-01T00:00:00.000Z', ms: 1, dialect: 'standard' },
    ...{ tool: 'LS', root, cwd: '.', params: {}, isError: false, text: 'before', ...changes },
  };
  writeFileSync(file, `${JSON.stringify(record)}\n`);
  return file;
}

describe.each(['session', 'at', 'dialect', 'tool', 'root', 'cwd', 'params', 'text', 'sent', 'undeclared'])(
  'a hostile %s',
  (field) => {
    const values = [HOSTILE, `LS${HOSTILE}`, { [HOSTILE]: HOSTILE }, [HOSTILE]];
    it.each(values.map((value) => [JSON.stringify(value), value]))('prints nothing raw: %s', async (_, value) => {
      const file = traceOf(makeTree({ a: '' }), { [field]: value });
      for (const words of [[], ['--json']]) {
        const { out, err } = await agentLs(['replay', file, ...words]);
        expect(out + err).not.toBe('');
        expect(out + err).not.toMatch(CONTROL);
      }
      const { calls } = await new TracedCalls(file).after(0, AbortSignal.abort());
      for (const { session, at, dialect, tool } of calls) {
        expect([session, at, dialect, tool].join()).not.toMatch(CONTROL);
      }
    });
  },
);

it.runIf(process.platform !== 'win32').each<[string, (file: string) => void, string]>([
  ['that everybody may write', (file) => chmodSync(file, 0o666), '(mode 0666); run chmod 600, or name another file'],
  ['that a group may read', (file) => chmodSync(file, 0o640), '(mode 0640); run chmod 600, or name another file'],
  ['with a second name', (file) => linkSync(file, `${file}2`), 'it has a second name (a hard link); name another file'],
])('a file %s is not written to', (_, prepare, reason) => {
  const file = join(emptyDirectory(), 'calls.jsonl');
  writeFileSync(file, 'old\n', { mode: 0o600 });
  openTrace(file).close();
  const before = readFileSync(file, 'utf8');
  prepare(file);
  expect(() => openTrace(file)).toThrow(reason);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it.runIf(process.platform !== 'win32')('a file of another user, a link and a pipe are not written to', () => {
  const place = emptyDirectory();
  const [file, link, pipe] = [join(place, 'calls'), join(place, 'link'), join(place, 'pipe')];
  writeFileSync(file, '', { mode: 0o600 });
  symlinkSync(file, link);
  execFileSync('mkfifo', ['-m', '600', pipe]);
  expect(() => openTrace(link)).toThrow('it is a link, and links are not followed');
  expect(() => openTrace(pipe)).toThrow('it is not a plain file');
  const me = process.getuid?.() ?? 0;
  vi.spyOn(process, 'getuid').mockReturnValue(me + 1);
  onTestFinished(() => void vi.restoreAllMocks());
  expect(() => openTrace(file)).toThrow('it belongs to another user; name another file');
});

describe('a root on the network, named by a line or a trace', () => {
  /** Counts who connects. */
  async function listener() {
    let count = 0;
    const server = createServer((socket) => {
      count++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    return { port: (server.address() as { port: number }).port, connections: () => count };
  }

  const ask = (root: string, words: string[]) =>
    agentLs(['call', '--stdin', '--root', makeTree({ a: '' }), ...words], { input: `${JSON.stringify({ root })}\n` });

  it.each(['s3://bucket/prefix', 'ssh://host/path'])('is refused: %s', async (root) => {
    expect(JSON.parse((await ask(root, [])).out).text).toContain('--allow-network-roots');
    const { out, status } = await agentLs(['replay', traceOf(root, {})]);
    expect(out).toContain('not run: its root is on another machine; name it with --root, or allow it with');
    expect(status).toBe(1);
  });

  it('makes no connection, unless an option allows it', async () => {
    const { port, connections } = await listener();
    const root = `ssh://me@127.0.0.1:${port}/srv`;
    await ask(root, []);
    await agentLs(['replay', traceOf(root, {})]);
    expect(connections()).toBe(0);
    expect(JSON.parse((await ask(root, ['--allow-network-roots'])).out).text).not.toContain('--allow-network-roots');
    expect(connections()).toBe(1);
    await agentLs(['replay', traceOf(root, {}), '--allow-network-roots']);
    expect(connections()).toBe(2);
    // The command line may name it: it replaces the recorded one.
    await agentLs(['replay', traceOf('/nowhere', {}), '--root', root]);
    expect(connections()).toBe(3);
  });

  it('any other root may be named', async () => {
    const other = makeTree({ b: '' });
    expect(JSON.parse((await ask(other, [])).out).text).toContain('b');
    await call('standard', {}, other);
  });
});
