/**
 * Nothing of a workspace runs. `Tree` starts git to learn what was worked on lately: here a program that leaves a mark
 * stands in git's place wherever somebody who writes into a workspace, or names one, could put it.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { askGit, git, makeRepository } from '../support/git.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';
import { COMMAND, FOREVER } from './command.ts';

type Environment = Readonly<Record<string, string>>;

/** A workspace with a history, and a place beside it. */
interface Ground {
  readonly workspace: string;
  readonly outside: string;
  /** A program that leaves a mark. */
  readonly trap: string;
  readonly isSprung: () => boolean;
}

const WORKED_ON = 'src/part-k/kappa.ts';

function ground(): Ground {
  const base = emptyDirectory();
  const [workspace, outside] = [join(base, 'ws'), join(base, 'outside')];
  for (const directory of [workspace, outside]) mkdirSync(directory);
  const [trap, mark] = [join(outside, 'trap'), join(outside, 'mark')];
  program(trap, `echo sprung >> '${mark}'`);
  makeRepository(workspace);
  // So many files that a small map asks what matters, and one that was worked on.
  const directories = [...'abcdefghijklmnopqrst'].map((letter) => `src/part-${letter}`);
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa', 'lambda', 'mu'];
  // No two directories are alike, or one line would show them all.
  const files = directories.flatMap((directory, i) =>
    names.map((name, j) => [`${directory}/${j === 9 ? name : `${names[(i + j) % 12]}${i}${name}`}.ts`, '']),
  );
  commit(workspace, { 'package.json': '{ "name": "x" }', ...Object.fromEntries(files) });
  for (const content of '12') commit(workspace, { [WORKED_ON]: content });
  return { workspace, outside, trap, isSprung: () => existsSync(mark) };
}

function commit(root: string, tree: Parameters<typeof addTree>[1]): void {
  addTree(root, tree);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '-m', 'x');
}

function program(path: string, script: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** A trap by the name of git. */
function trapAt(path: string, { trap }: Ground): void {
  mkdirSync(dirname(path), { recursive: true });
  copyFileSync(trap, path);
}

const MAP = { budget: 100 };

/** Each asks for a map in a process of its own, started in the workspace, and gives its text. */
const FACES: readonly [string, (workspace: string, env: Environment, ...words: string[]) => Promise<string>][] = [
  ['agent-ls tree', async (cwd, env, ...words) => command(['tree', '--budget', '100', ...words], cwd, env)],
  [
    'agent-ls call',
    async (cwd, env, ...words) =>
      command(['call', '--tool', 'Tree', '--text', JSON.stringify(MAP), ...words], cwd, env),
  ],
  ['MCP', (cwd, env, ...words) => overMcp([cwd, ...words], cwd, env)],
];

function command(words: readonly string[], cwd: string, env: Environment): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...words], {
    cwd,
    env,
    encoding: 'utf8',
    timeout: FOREVER,
  });
  if (status !== 0) throw new Error(`it ended with ${status}: ${stderr}`);
  return stdout;
}

async function overMcp(words: readonly string[], cwd: string, env: Environment): Promise<string> {
  const child = spawn(process.execPath, [COMMAND, 'mcp', ...words], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'test', version: '1' };
  say({ id: 0, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
  say({ method: 'notifications/initialized' });
  say({ id: 1, method: 'tools/call', params: { name: 'Tree', arguments: MAP } });
  for await (const message of messagesOf(child)) {
    if (message.id === 1) return message.result?.content[0]?.text ?? JSON.stringify(message);
  }
  throw new Error('the server ended without an answer');
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
}

async function* messagesOf(child: ChildProcess): AsyncGenerator<Message> {
  let rest = '';
  for await (const chunk of child.stdout as NodeJS.ReadableStream) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    for (const line of lines) yield JSON.parse(line);
  }
}

const HOME = { HOME: '/nonexistent' };

/** Where PATH leads, in a workspace that has a program `git`. */
const PATHS: [string, (ground: Ground) => Environment][] = [
  ['there is no PATH', () => HOME],
  ['PATH is empty', () => ({ ...HOME, PATH: '' })],
  ['PATH is a dot', () => ({ ...HOME, PATH: '.' })],
  ['PATH has an empty part', () => ({ ...HOME, PATH: `${delimiter}/nonexistent${delimiter}` })],
  ['PATH is node_modules/.bin', () => ({ ...HOME, PATH: 'node_modules/.bin' })],
  ['PATH is the workspace', ({ workspace }) => ({ ...HOME, PATH: workspace })],
  [
    'PATH names the workspace through a link',
    ({ workspace, outside }) => {
      symlinkSync(workspace, join(outside, 'link'));
      return { ...HOME, PATH: join(outside, 'link') };
    },
  ],
  [
    'a link by the name of git leads into the workspace',
    ({ workspace, outside }) => {
      mkdirSync(join(outside, 'bin'));
      symlinkSync(join(workspace, 'git'), join(outside, 'bin/git'));
      return { ...HOME, PATH: join(outside, 'bin') };
    },
  ],
  [
    'a link outside leads on through the workspace to a program that the workspace chose',
    (hostile) => {
      trapAt(join(hostile.outside, 'downloads/git'), hostile);
      addTree(hostile.workspace, { 'bin/git': { link: join(hostile.outside, 'downloads/git') } });
      addTree(hostile.outside, { 'bin/git': { link: join(hostile.workspace, 'bin/git') } });
      return { ...HOME, PATH: join(hostile.outside, 'bin') };
    },
  ],
  [
    'a directory of the workspace leads out to a program that the workspace chose',
    (hostile) => {
      trapAt(join(hostile.outside, 'downloads/git'), hostile);
      symlinkSync(join(hostile.outside, 'downloads'), join(hostile.workspace, 'tools'));
      return { ...HOME, PATH: join(hostile.workspace, 'tools') };
    },
  ],
];

it.each(PATHS)('nothing of the workspace is started where %s', async (_, environment) => {
  const hostile = ground();
  for (const place of ['git', 'node_modules/.bin/git']) trapAt(join(hostile.workspace, place), hostile);
  const env = environment(hostile);
  for (const [, draw] of FACES) expect(await draw(hostile.workspace, env)).toMatch(/^# \.: 24\d files/);
  expect(hostile.isSprung()).toBe(false);
  // A trap that cannot be sprung proves nothing: whoever asks the system for `git` here springs it.
  const PATH = env.PATH || '.';
  spawnSync('git', ['log'], { cwd: hostile.workspace, env: { PATH: PATH.startsWith(delimiter) ? '.' : PATH } });
  expect(hostile.isSprung()).toBe(true);
});

describe('with several roots', () => {
  it('starts no program that lies in another root', async () => {
    const [first, second] = [ground(), ground()];
    trapAt(join(second.workspace, 'bin/git'), first);
    const PATH = join(second.workspace, 'bin');
    expect(await overMcp([first.workspace, second.workspace], first.workspace, { ...HOME, PATH })).toContain(' files');
    expect(first.isSprung()).toBe(false);
  });
});

/** A git that notes how it was started, and then is git. */
function recorder(directory = emptyDirectory()): { readonly env: Environment; readonly starts: () => string[] } {
  const log = join(directory, 'log');
  const real = spawnSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).stdout.trim();
  program(join(directory, 'git'), `{ pwd; /usr/bin/env; echo END; } >> '${log}'\nexec '${real}' "$@"`);
  const starts = () => (existsSync(log) ? readFileSync(log, 'utf8').split('END\n').slice(0, -1) : []);
  return { env: { ...HOME, PATH: `${directory}${delimiter}${process.env.PATH}` }, starts };
}

describe('git is started', () => {
  it.each(FACES)('outside of the workspace, with an environment of its own: %s', async (_, draw) => {
    const { workspace } = ground();
    const { env, starts } = recorder();
    const text = await draw(workspace, { ...env, GIT_TRACE: '1', LD_LIBRARY_PATH: '/x', SECRET: 'x' });
    // It counts for something.
    expect(text).toMatch(/part-k\/\+11 kappa\.ts/);
    expect(starts()).toHaveLength(1);
    const [directory, ...variables] = (starts()[0] as string).trim().split('\n');
    expect(directory?.startsWith(workspace)).toBe(false);
    const names = variables
      .map((line) => line.replace(/=.*/, ''))
      .filter((name) => !/^(?:GIT_|_$|PWD$|LC_ALL$)/.test(name));
    expect(names).toEqual(['PATH']);
    expect(variables.join('\n')).not.toMatch(/GIT_TRACE|SECRET/);
    // Where it ran is gone.
    expect(existsSync(directory as string)).toBe(false);
  });

  it.each<[string, (ground: Ground) => void]>([
    [
      'a partial clone',
      ({ workspace }) => {
        git(workspace, 'config', 'core.repositoryFormatVersion', '1');
        git(workspace, 'config', 'extensions.partialClone', 'origin');
      },
    ],
    ['a clone with a promisor', ({ workspace }) => git(workspace, 'config', 'remote.x.promisor', 'true')],
    [
      'a clone whose promisor is named in a file that it includes',
      ({ workspace }) => {
        addTree(workspace, { '.git/more': '[remote "x"]\npartialCloneFilter = blob:none\n' });
        git(workspace, 'config', 'include.path', 'more');
      },
    ],
    [
      'a repository with objects elsewhere',
      ({ workspace, outside }) => addTree(workspace, { '.git/objects/info/alternates': `${outside}\n` }),
    ],
    [
      'a repository that names objects elsewhere behind a link',
      ({ workspace, outside }) => {
        spawnSync('rm', ['-rf', join(workspace, '.git/objects/info')]);
        addTree(workspace, { 'x/alternates': `${outside}\n`, '.git/objects/info': { link: '../../x' } });
      },
    ],
    [
      'a repository whose packs are a link',
      ({ workspace, outside }) => {
        spawnSync('rm', ['-rf', join(workspace, '.git/objects/pack')]);
        addTree(workspace, { '.git/objects/pack': { link: outside } });
      },
    ],
    [
      'a repository with an object that is a link',
      ({ workspace }) => addTree(workspace, { [`.git/objects/00/${'0'.repeat(38)}`]: { link: '/dev/zero' } }),
    ],
    [
      'a repository with an object that is a pipe',
      ({ workspace }) => {
        mkdirSync(join(workspace, '.git/objects/00'), { recursive: true });
        spawnSync('mkfifo', [join(workspace, '.git/objects/00', '0'.repeat(38))]);
      },
    ],
    [
      'a repository of another user',
      ({ workspace }) => {
        chownSync(join(workspace, '.git'), 12345, 12345);
      },
    ],
    [
      'a work tree of another user',
      ({ workspace }) => {
        chownSync(workspace, 12345, 12345);
      },
    ],
    [
      'a repository that only names another one',
      ({ workspace, outside }) => {
        spawnSync('mv', [join(workspace, '.git'), join(outside, 'real.git')]);
        writeFileSync(join(workspace, '.git'), `gitdir: ${outside}/real.git\n`);
      },
    ],
    [
      'a repository that is a link to another one',
      ({ workspace, outside }) => {
        spawnSync('mv', [join(workspace, '.git'), join(outside, 'real.git')]);
        symlinkSync(join(outside, 'real.git'), join(workspace, '.git'));
      },
    ],
  ])('never for %s, and the map is good without it', async (_, change) => {
    const hostile = ground();
    change(hostile);
    const { env, starts } = recorder();
    expect(command(['tree', '--budget', '100'], hostile.workspace, env)).toMatch(/^# \.: 24\d files/);
    expect(starts()).toEqual([]);
  });

  it.each<[string, string[], Environment]>([
    ['--no-git', ['--no-git'], {}],
    ['AGENT_LS_NO_GIT', [], { AGENT_LS_NO_GIT: '1' }],
  ])('never with %s, whatever the face', async (_, words, variables) => {
    for (const [, draw] of FACES) {
      const { env, starts } = recorder();
      expect(await draw(ground().workspace, { ...env, ...variables }, ...words)).toContain(' files');
      expect(starts()).toEqual([]);
    }
  });

  it.each(['itself', 'a link that leads out'])('never where the temporary directory is %s in the workspace', (way) => {
    const { workspace, outside } = ground();
    const { env, starts } = recorder();
    const TMPDIR = join(workspace, 'tmp');
    if (way === 'itself') mkdirSync(TMPDIR);
    else symlinkSync(outside, TMPDIR);
    expect(command(['tree', '--budget', '100'], workspace, { ...env, TMPDIR })).toContain(' files');
    expect(starts()).toEqual([]);
  });

  it('in memory, and in the temporary directory where memory is in a root', async () => {
    const { workspace } = ground();
    const directory = mkdtempSync('/tmp/git-');
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const { env, starts } = recorder(directory);
    for (const roots of [[workspace], [workspace, '/dev/shm']]) {
      expect(await overMcp(roots, workspace, env)).toMatch(/part-k\/\+11 kappa\.ts/);
    }
    const places = starts().map((start) => start.replace(/agent-ls-.*/s, ''));
    expect(places).toEqual(['/dev/shm/', '/tmp/']);
  });

  it('for a linked worktree and a submodule, which the repository outside names in return', async () => {
    const { workspace, outside } = ground();
    git(workspace, 'worktree', 'add', '--quiet', join(outside, 'linked'));
    const { env, starts } = recorder();
    expect(command(['tree', '--budget', '100'], join(outside, 'linked'), env)).toMatch(/part-k\/\+11 kappa\.ts/);
    expect(starts()).toHaveLength(1);
    const above = join(outside, 'above');
    makeRepository(above);
    git(above, 'submodule', '--quiet', 'add', workspace, 'inner');
    expect(command(['tree', '--budget', '100', '--root', 'inner'], above, env)).toMatch(/part-k\/\+11 kappa\.ts/);
    expect(starts()).toHaveLength(2);
  });

  it('and ended as a whole when its time is over, with whatever it has started', async () => {
    const { workspace } = ground();
    const directory = emptyDirectory();
    const note = join(directory, 'processes');
    // Its own, for another run on this machine has its directories in the usual place.
    const TMPDIR = emptyDirectory();
    program(join(directory, 'git'), `/bin/sleep 1000 &\necho $$ $! > '${note}'\nwait`);
    command(['tree', '--budget', '100'], workspace, { ...HOME, PATH: directory, TMPDIR });
    const processes = readFileSync(note, 'utf8').trim().split(' ').map(Number);
    expect(processes).toHaveLength(2);
    for (const id of processes) await vi.waitFor(() => expect(() => process.kill(id, 0)).toThrow(), FOREVER);
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});

it('a repository that would run a shell in git 2.40 to 2.43.3 is not asked', () => {
  const hostile = ground();
  const { workspace, outside, trap } = hostile;
  const tree = (askGit(workspace, ['rev-parse', 'HEAD^{tree}']) ?? '').trim();
  spawnSync('rm', ['-f', join(workspace, '.git/objects', tree.slice(0, 2), tree.slice(2))]);
  mkdirSync(join(outside, 'objects'));
  addTree(workspace, { '.git/objects/info/alternates': `${outside}/objects\n` });
  for (const [name, value] of [
    ['core.repositoryFormatVersion', '1'],
    ['extensions.partialClone', 'origin'],
    ['remote.origin.promisor', 'true'],
    ['remote.origin.url', workspace],
    ['fetch.bundleURI', `file://${outside}/bundle`],
    ['core.alternateRefsCommand', trap],
  ] as const) {
    git(workspace, 'config', name, value);
  }
  const files = () => readdirSync(join(workspace, '.git'), { recursive: true }).sort();
  const before = files();
  const { env, starts } = recorder();
  expect(command(['tree', '--budget', '100'], workspace, env)).toMatch(/^# \.: 24\d files/);
  expect(starts()).toEqual([]);
  expect(hostile.isSprung()).toBe(false);
  expect(files()).toEqual(before);
});
