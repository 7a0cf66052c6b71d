/** FIFOs, sockets and devices: nothing may wait for somebody at their other end. */
import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addTree, emptyDirectory, makeTree } from '../support/tree.ts';
import { WAYS } from './asking.ts';
import { agentLs, askInEveryWay } from './command.ts';

const fifo = (path: string) => execFileSync('mkfifo', [path]);

async function socket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => {
    server.close();
  });
}

const NOT_A_DIRECTORY: Readonly<Record<string, (path: string) => string>> = {
  standard: (path) => `'${path}' is a file, not a directory. Use 'Read' tool to view its content.`,
  gemini: (path) => `Error: Path is not a directory: ${path}`,
  mycode: () => 'Not a directory',
  codex: () => 'failed to read directory: Not a directory (os error 20)',
};

function expectRefusals(root: string, path: string): void {
  const answers = askInEveryWay(root, path);
  for (const { name, dialect } of WAYS) {
    const expected = (NOT_A_DIRECTORY[dialect] as (path: string) => string)(path);
    expect([name, answers.get(name)?.text.split('\n')[0]]).toEqual([name, expected]);
  }
}

describe('as the path argument', () => {
  it('a FIFO is no directory', () => {
    const root = makeTree({});
    fifo(join(root, 'pipe'));
    expectRefusals(root, join(root, 'pipe'));
    // A person may name it, and sees its name; it is not opened.
    expect(agentLs([join(root, 'pipe')])).toMatchObject({ status: 0, stdout: `${join(root, 'pipe')}\n` });
    expect(agentLs([join(root, 'pipe/')])).toMatchObject({ status: 1, stdout: '' });
    expect(agentLs(['call', '{}', '--root', join(root, 'pipe')])).toMatchObject({ status: 1, stdout: '' });
  });

  it('a socket is no directory', async () => {
    const root = emptyDirectory();
    await socket(join(root, 's'));
    expectRefusals(root, join(root, 's'));
  });

  it('a device is no directory', () => {
    expectRefusals('/dev', '/dev/null');
    expectRefusals('/dev', '/dev/tty');
  });

  it('a FIFO on the way is a path to nothing', () => {
    const root = makeTree({});
    fifo(join(root, 'pipe'));
    const answers = askInEveryWay(root, join(root, 'pipe/x'));
    for (const { name } of WAYS) expect(answers.get(name)?.text).toMatch(/not exist|not found|Not a directory/);
  });
});

describe('as an entry', () => {
  it('a FIFO and a socket are listed, and not opened', async () => {
    const root = join(emptyDirectory(), 'root');
    addTree(root, { file: '', 'd/file': '' });
    fifo(join(root, 'pipe'));
    fifo(join(root, 'd/pipe'));
    await socket(join(root, 'socket'));
    for (const [name, { text }] of askInEveryWay(root, root)) {
      expect([name, text]).toEqual([name, expect.stringMatching(/pipe.*socket|socket.*pipe/s)]);
    }
    const long = agentLs(['-lR', '--root', root]);
    expect(long.status).toBe(0);
    expect(long.stdout).toMatch(/^prw.* pipe$/m);
    expect(long.stdout).toMatch(/^srw.* socket$/m);
    expect(agentLs(['-R', '--root', root]).stdout).toBe('d/\nd/file\nd/pipe\nfile\npipe\nsocket\n');
  });

  it.runIf(existsSync('/dev/pts/ptmx'))('devices are', () => {
    for (const [name, { text }] of askInEveryWay('/dev/pts', '/dev/pts')) {
      expect([name, text]).toEqual([name, expect.stringContaining('ptmx')]);
    }
  });
});

describe('in place of a file that holds rules', () => {
  const RULES = [
    ...['.gitignore', 'd/.gitignore', '.geminiignore', '.geminiconfig'],
    ...['.git', '.git/config', '.git/HEAD', '.git/info/exclude', '.git/commondir'],
  ];

  it.each(RULES)('a FIFO as %s counts as not there', (path) => {
    const root = makeTree({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/config': '',
      '.git/objects/x': '',
      '.git/refs/x': '',
      '.git/info/exclude': '',
      '.gitignore': '',
      '.geminiignore': '',
      '.geminiconfig': '{}',
      'd/.gitignore': '',
      'd/known': '',
    });
    rmSync(join(root, path), { recursive: true, force: true });
    fifo(join(root, path));
    for (const [name, { text }] of askInEveryWay(root, join(root, 'd'))) {
      expect([name, text]).toEqual([name, expect.stringContaining('known')]);
    }
    const { status, stderr } = agentLs(['explain', 'd/known', '--root', root]);
    expect(status).toBe(0);
    // Of what is not a file of rules in the first place nothing is said.
    expect(stderr).toMatch(/^(?:agent-ls: .* is not a plain file(?:, and is not used)?\n)?$/);
  });
});
