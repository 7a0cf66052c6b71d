/** The project that the cases are about, what lies beside it, and the ways to ask about it. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

const FILES = {
  'proj/.git/HEAD': 'ref: refs/heads/main\n',
  // As git writes it on Windows.
  'proj/.git/config': '[core]\n\trepositoryformatversion = 0\n\tignorecase = true\n\tsymlinks = false\n',
  'proj/.git/info/exclude': 'From-Info.txt\n',
  'proj/.git/objects/pack/none': '',
  'proj/.git/refs/heads/none': '',
  'proj/.gitignore': 'Build/\r\n*.log\r\nSecret.txt\r\n',
  'proj/.geminiignore': 'Private/\n',
  'proj/README.md': 'read',
  'proj/Secret.txt': 'secret',
  'proj/From-Info.txt': '',
  'proj/debug.LOG': '',
  'proj/run.cmd': '',
  'proj/Build/out.js': '',
  'proj/Private/keys.txt': '',
  'proj/docs/Guide.md': '',
  'proj/docs/.gitignore': 'Draft*\n',
  'proj/docs/draft-1.md': '',
  'proj/src/index.ts': 'x',
  'proj/src/Deep/b.ts': '',
  'proj/src/Deep/Inner/a.ts': '',
  'proj/src/café/Ñandú.txt': '',
  'proj-sibling/other.txt': '',
  'outside/secret.txt': '',
  'home/.gitconfig': '',
};

/** Windows itself may write a temporary directory in its short form. */
export function makeProject() {
  const top = realpathSync.native(mkdtempSync(join(realpathSync.native(tmpdir()), 'Agent-ls ')));
  for (const [path, content] of Object.entries(FILES)) write(join(top, path), content);
  for (let i = 0; i < 150; i++) write(join(top, 'proj', 'Many', `File-${String(i).padStart(3, '0')}.txt`), '');
  const root = join(top, 'proj');
  return { top, root, run: (words, options) => run(words, { cwd: root, home: join(top, 'home'), ...options }) };
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Runs the command. Returns its exit status, and the lines of its output and its complaints. */
function run(words, { cwd, home, input = '' }) {
  const env = { ...process.env, USERPROFILE: home, HOME: home, PATH: `${process.env.SystemRoot}\\System32` };
  const child = spawn(process.execPath, [COMMAND, ...words], { cwd, env });
  const parts = { stdout: [], stderr: [] };
  for (const name of ['stdout', 'stderr']) child[name].on('data', (data) => parts[name].push(data));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const text = (name) => Buffer.concat(parts[name]).toString();
  return new Promise((resolve) => {
    child.on('close', (status) => resolve({ status, out: text('stdout'), err: text('stderr') }));
  });
}

/** Starts the command, for a conversation in lines of JSON. */
export function converse(words, { cwd, home }) {
  const child = spawn(process.execPath, [COMMAND, ...words], { cwd, env: { ...process.env, USERPROFILE: home } });
  let rest = '';
  const waiting = [];
  const lines = [];
  child.stdout.on('data', (data) => {
    const parts = (rest + data).split('\n');
    rest = parts.pop();
    for (const line of parts) {
      const next = waiting.shift();
      if (next === undefined) lines.push(line);
      else next(JSON.parse(line));
    }
  });
  return {
    send: (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`),
    receive: async () =>
      lines.length > 0 ? JSON.parse(lines.shift()) : new Promise((resolve) => waiting.push(resolve)),
    end: () =>
      new Promise((resolve) => {
        child.on('close', resolve);
        child.stdin.end();
      }),
  };
}
