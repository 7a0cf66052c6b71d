/** The server of the page through the built command: who may ask, and that nothing outside of the roots is answered. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { emptyDirectory, makeTree } from '../support/tree.ts';

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

interface View {
  readonly port: number;
  readonly token: string;
  ask(name: string, body: object, headers?: Record<string, string>): Promise<{ status: number; body: never }>;
  readonly child: ChildProcess;
}

async function startView(...words: string[]): Promise<View> {
  const child = spawn(process.execPath, [COMMAND, 'view', '--no-open', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
  });
  let said = '';
  for await (const chunk of child.stderr) {
    said += chunk;
    const [, port, token] = /agent-ls view: http:\/\/127\.0\.0\.1:(\d+)\/#token=(\S+)\n/.exec(said) ?? [];
    if (port === undefined || token === undefined) continue;
    return {
      port: Number(port),
      token,
      child,
      ask: (name, body, headers) => ask(Number(port), token, name, body, headers),
    };
  }
  throw new Error(said);
}

async function ask(port: number, token: string, name: string, body: object, more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
  const { status, text } = await send(port, `/api/${name}`, 'POST', headers, JSON.stringify(body));
  return { status, body: JSON.parse(text) as never };
}

function send(port: number, path: string, method: string, headers: Record<string, string>, body = '') {
  return new Promise<{ status: number; text: string; headers: Record<string, unknown> }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const PROJECT = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects': null,
  '.git/refs': null,
  '.gitignore': '*.log\n',
  'a.log': '',
  'src/one.ts': '',
  'src/two.ts': '',
};

const GEMINI = { dialect: 'gemini', tool: 'list_directory' };

describe('agent-ls view', () => {
  it('serves a page that runs nothing but its own program, and ends when it is told to', async () => {
    const { port, child } = await startView(makeTree(PROJECT));
    const { status, headers, text } = await send(port, '/', 'GET', {});
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(text).not.toMatch(/<script>|style=| on\w+=/);
    for (const path of ['/page.js', '/page.css', '/icon.svg'])
      expect((await send(port, path, 'GET', {})).status).toBe(200);
    for (const path of ['/../package.json', '/api/none', '/page/page.js'])
      expect((await send(port, path, 'GET', {})).status).toBe(404);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  });

  it('answers nobody else than its own page', async () => {
    const { port, token } = await startView(makeTree({}));
    const host = `127.0.0.1:${port}`;
    const authorization = `Bearer ${token}`;
    const rows: [Record<string, string>, number][] = [
      [{ host, authorization }, 200],
      [{ host: `localhost:${port}`, authorization, origin: `http://localhost:${port}` }, 200],
      [{ host, authorization, origin: 'https://example.com' }, 403],
      [{ host, authorization, origin: `http://${host}.example.com` }, 403],
      [{ host, authorization, origin: 'null' }, 403],
      [{ host, authorization, 'sec-fetch-site': 'cross-site' }, 403],
      [{ host: '127.0.0.1', authorization }, 403],
      [{ host: `example.com:${port}`, authorization }, 403],
      [{ host }, 401],
      [{ host, authorization: 'Bearer wrong' }, 401],
      [{ host, authorization: `Bearer ${token}x` }, 401],
      [{ host, authorization, 'content-type': 'text/plain' }, 415],
    ];
    for (const [headers, expected] of rows) {
      const { status } = await send(
        port,
        '/api/start',
        'POST',
        { 'content-type': 'application/json', ...headers },
        '{}',
      );
      expect([headers, status]).toEqual([headers, expected]);
    }
  });

  it('says what is there, hidden or not, by pages, and why', async () => {
    const root = makeTree(PROJECT);
    const view = await startView(root);
    const level = (more: object) => view.ask('level', { root: 0, path: root, ...GEMINI, offset: 0, limit: 9, ...more });
    const { body } = await level({});
    const rule = { by: 'git', pattern: '*.log', source: '.gitignore', line: 1 };
    expect(body).toMatchObject({
      total: 4,
      entries: [
        { label: '.git', hidden: true },
        { label: 'src', type: 'dir', hidden: false, rule: null },
        { label: '.gitignore', hidden: false },
        { label: 'a.log', path: join(root, 'a.log'), hidden: true, rule },
      ],
    });
    expect((await level({ offset: 3, limit: 1 })).body).toMatchObject({ entries: [{ label: 'a.log' }] });
    expect((await view.ask('rule', { root: 0, source: '.gitignore', line: 1 })).body).toMatchObject({
      lines: [{ number: 1, text: '*.log' }],
    });
  });

  it('says where an entry is among all that a page shows, and what each tool does with a path', async () => {
    const root = makeTree(PROJECT);
    const view = await startView(root);
    const { body } = await view.ask('places', { root: 0, paths: ['src/two.ts', 'src', '.', 'src/none/x.log'] });
    const top = { path: root, position: 1, total: 4 };
    expect(body).toEqual({
      places: [
        {
          ...{ label: 'two.ts', path: join(root, 'src/two.ts'), type: 'file', total: null },
          steps: [top, { path: join(root, 'src'), position: 1, total: 2 }],
        },
        { label: 'src', path: join(root, 'src'), type: 'dir', total: 2, steps: [top] },
        { label: '', path: root, type: 'dir', total: 4, steps: [] },
        { label: 'src/none/x.log', path: 'src/none/x.log', type: null, total: null, steps: null },
      ],
    });
    const explained: { verdicts: { tool: string; hidden: boolean }[] } = (
      await view.ask('explain', { root: 0, path: 'src/none/x.log' })
    ).body;
    expect(explained.verdicts.map(({ tool, hidden }) => [tool, hidden])).toEqual([
      ...[
        ['LS', false],
        ['Tree', true],
        ['Find', true],
        ['list_directory', true],
        ['LS', false],
        ['list_dir', false],
      ],
    ]);
  });

  it('does not start for a root that is not there, and says so of one that went', async () => {
    const root = makeTree({ 'sub/a.txt': '' });
    await expect(startView(join(root, 'none'))).rejects.toThrow(/none/);
    const view = await startView(join(root, 'sub'));
    expect((await view.ask('roots', {})).body).toMatchObject({ roots: [{ problem: null }] });
    rmSync(join(root, 'sub'), { recursive: true });
    expect((await view.ask('roots', {})).body).toMatchObject({ roots: [{ problem: 'the root is gone' }] });
  });

  it('answers nothing about what is outside, and reads no file but those of rules', async () => {
    const root = makeTree({ ...PROJECT, 'secret.txt': 'TOP SECRET' });
    writeFileSync(join(dirname(root), '.gitignore'), 'TOP SECRET');
    const view = await startView(root);
    const outside: [string, object][] = [
      ['level', { path: '/', ...GEMINI, offset: 0, limit: 9 }],
      ['level', { path: join(root, '..'), ...GEMINI, offset: 0, limit: 9 }],
      ['level', { path: '.', dialect: 'gemini', tool: 'none', offset: 0, limit: 9 }],
      ['explain', { path: '/etc/passwd' }],
      ['places', { paths: ['/etc/passwd'] }],
      ['level', { root: 1, path: '.', ...GEMINI, offset: 0, limit: 9 }],
      ['level', { path: 7, ...GEMINI, offset: 0, limit: 9 }],
      ['level', { path: '.', ...GEMINI, dialect: 'none', offset: 0, limit: 9 }],
      ['level', { path: '.', ...GEMINI, offset: -1, limit: 9 }],
    ];
    for (const [name, body] of outside) {
      const answer = await view.ask(name, { root: 0, ...body });
      expect([name, body, answer.status]).toEqual([name, body, 400]);
      expect(Object.keys(answer.body)).toEqual(['error']);
    }
    for (const source of [
      'secret.txt',
      '../.gitignore',
      'src/../../.gitignore',
      '/etc/passwd',
      join(root, '..', '.gitignore'),
    ]) {
      const { body } = await view.ask('rule', { root: 0, source, line: 1 });
      expect(JSON.stringify(body)).not.toMatch(/TOP SECRET|root:/);
    }
    const params = { path: '/etc' };
    const { body } = await view.ask('call', { root: 0, dialect: 'standard', tool: 'LS', params });
    expect(body).toMatchObject({ isError: true });
  });

  it('follows a trace that grows, and shows it without its broken lines', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    const line = (n: number, text: string) => callLine(root, n, text);
    writeFileSync(file, `${line(1, 'first')}\nbroken\n{"half`);
    const view = await startView(root, '--trace', file);
    const first: { calls: { id: number; looked: string[] }[]; next: number } = (await view.ask('calls', { after: 0 }))
      .body;
    expect(first.calls).toMatchObject([{ n: 1, tokens: 1, looked: [join(root, 'src')] }]);
    setTimeout(() => appendFileSync(file, `\n${line(2, 'sécond')}\n`), 100);
    const second: typeof first = (await view.ask('calls', { after: first.next })).body;
    expect(second.calls).toMatchObject([{ n: 2 }]);
    const text = (await view.ask('watched', { id: second.calls[0]?.id })).body;
    expect(text).toEqual({ text: 'sécond' });
  });

  it('shows the long answers of a trace, and each call with its own answer after bytes that are no text', async () => {
    const root = makeTree(PROJECT);
    const file = join(emptyDirectory(), 'calls.jsonl');
    const long = 'x'.repeat(1_200_000);
    const endless = callLine(root, 3, 'x').replace('"ms":1', '"ms":1e999');
    writeFileSync(file, `${callLine(root, 1, long)}\n${endless}\n`);
    appendFileSync(file, Buffer.from([0xff, 0xfe, 0x0a]));
    appendFileSync(file, `${callLine(root, 2, 'short')}\n`);
    const view = await startView(root, '--trace', file);
    const { calls }: { calls: { id: number; n: number }[] } = (await view.ask('calls', { after: 0 })).body;
    expect(calls.map(({ n }) => n)).toEqual([1, 2]);
    const texts = calls.map(async ({ id }) => (await view.ask('watched', { id })).body);
    expect(await Promise.all(texts)).toEqual([{ text: long }, { text: 'short' }]);
  });
});

function callLine(root: string, n: number, text: string): string {
  return JSON.stringify({
    ...{ v: 1, kind: 'call', session: 's', n, at: '2026-01-01T00:00:00.000Z', ms: 1, dialect: 'standard' },
    ...{ tool: 'LS', root, cwd: '.', params: { path: 'src' }, isError: false, text },
  });
}
