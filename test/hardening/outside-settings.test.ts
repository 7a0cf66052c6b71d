/**
 * A `.git` in the workspace can be written by whoever writes there. Whatever it names outside, nothing can be learnt of
 * it: not what stands there, nor whether anything does. Each trick is played in a world where its target is there and
 * in one where it is not, and every answer has to be the same in both.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { call } from '../../src/faces/library/call.ts';
import { explain } from '../../src/faces/library/explain.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { git, makeRepository } from '../support/git.ts';
import { indexOf } from '../support/indexes.ts';
import { isolateGit } from '../support/repository.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

isolateGit();

/** A repository `ws`, and what lies beside it. */
interface World {
  readonly workspace: string;
  readonly outside: string;
}

function world(): World {
  const base = emptyDirectory();
  const [workspace, outside] = [join(base, 'ws'), join(base, 'outside')];
  mkdirSync(outside);
  makeRepository(workspace);
  addTree(workspace, { '.gitignore': '*.log\n', 'a.log': '', secret: '', plain: '' });
  return { workspace, outside };
}

/** All that can be asked about rules, with the world's own paths taken out. */
async function answersIn({ workspace, outside }: World): Promise<string> {
  const opened = await openWorkspace(workspace);
  try {
    const listed = await call('gemini', { path: workspace }, opened, { cache: false });
    const explained = await explain(['a.log', 'A.LOG', 'secret', 'plain', 'other'], opened);
    const map = await call('standard', { path: '.', include_hidden: true }, opened, { cache: false });
    const ofTree = await explain(['a.log', 'secret'], opened, { dialect: 'standard', tool: 'Tree' });
    const text = JSON.stringify([listed, explained, map.text, ofTree]);
    return text
      .replaceAll(workspace, 'WS')
      .replaceAll(outside, 'OUTSIDE')
      .replaceAll(/"time_ms":\d+/g, '');
  } finally {
    opened.close();
  }
}

const setting = (name: string, path: string) => (at: World) =>
  git(at.workspace, 'config', name, path.replace('OUTSIDE', at.outside));

const SECRETS = 'secret\nplain\n';

/** What is there in one world and missing in the other: by its path from `outside`. */
const TRICKS: [string, Record<string, string>, (world: World) => void][] = [
  ['an ignore file', { rules: SECRETS }, setting('core.excludesFile', 'OUTSIDE/rules')],
  ['an ignore file by a relative path', { rules: SECRETS }, setting('core.excludesFile', '../outside/rules')],
  ['settings', { config: '[core]\nignoreCase = true\n' }, setting('include.path', 'OUTSIDE/config')],
  ['settings by a relative path', { config: '[core]\nignoreCase\n' }, setting('include.path', '../../outside/config')],
  [
    'settings under a condition',
    { config: '[core]\nignoreCase\n' },
    setting('includeIf.onbranch:main.path', 'OUTSIDE/config'),
  ],
  [
    'settings in a file that is included from inside',
    { config: '[core]\nignoreCase\n' },
    (at) => {
      addTree(at.workspace, { '.git/more': `[include]\npath = ${at.outside}/config\n` });
      setting('include.path', 'more')(at);
    },
  ],
  [
    'a branch',
    { branch: 'ref: refs/heads/x\n' },
    (at) => {
      addTree(at.workspace, { '.git/ignore-case': '[core]\nignoreCase\n', '.git/rules': '' });
      writeFileSync(join(at.workspace, '.git/HEAD'), 'ref: refs/heads/../../../../outside/branch\n');
      setting('includeIf.onbranch:x.path', 'ignore-case')(at);
    },
  ],
  [
    'a directory of refs behind a link',
    { 'heads/main': 'ref: refs/heads/x\n' },
    (at) => {
      rmSync(join(at.workspace, '.git/refs/heads'), { recursive: true });
      addTree(at.workspace, {
        '.git/refs/heads': { link: `${at.outside}/heads` },
        '.git/case': '[core]\nignoreCase\n',
      });
      setting('includeIf.onbranch:x.path', 'case')(at);
    },
  ],
  [
    'excludes behind a link',
    { 'info/exclude': SECRETS },
    (at) => {
      rmSync(join(at.workspace, '.git/info'), { recursive: true, force: true });
      addTree(at.workspace, { '.git/info': { link: `${at.outside}/info` } });
    },
  ],
  [
    'an index behind a link',
    { index: indexOf(['a.log']) },
    (at) => addTree(at.workspace, { '.git/index': { link: `${at.outside}/index` } }),
  ],
  [
    'a shared index behind a link',
    { index: indexOf(['a.log']) },
    (at) =>
      addTree(at.workspace, {
        '.git/index': indexOf([], `link\0\0\0\x14${'a'.repeat(20)}`),
        [`.git/sharedindex.${'61'.repeat(20)}`]: { link: `${at.outside}/index` },
      }),
  ],
  [
    'a repository that a .git file names',
    {
      'x.git/HEAD': 'ref: refs/heads/main\n',
      'x.git/objects/x': '',
      'x.git/refs/x': '',
      'x.git/info/exclude': SECRETS,
    },
    (at) => {
      rmSync(join(at.workspace, '.git'), { recursive: true });
      addTree(at.workspace, { '.git': `gitdir: ${at.outside}/x.git\n` });
    },
  ],
  [
    'a repository behind a link',
    {
      'x.git/HEAD': 'ref: refs/heads/main\n',
      'x.git/objects/x': '',
      'x.git/refs/x': '',
      'x.git/info/exclude': SECRETS,
    },
    (at) => {
      rmSync(join(at.workspace, '.git'), { recursive: true });
      addTree(at.workspace, { '.git': { link: `${at.outside}/x.git` } });
    },
  ],
  [
    'a common directory',
    { 'x.git/objects/x': '', 'x.git/refs/x': '', 'x.git/info/exclude': SECRETS },
    (at) => addTree(at.workspace, { '.git/commondir': `${at.outside}/x.git\n` }),
  ],
  [
    'an ignore file that is a link',
    { rules: SECRETS },
    (at) => {
      rmSync(join(at.workspace, '.gitignore'));
      addTree(at.workspace, { '.gitignore': { link: `${at.outside}/rules` } });
    },
  ],
];

describe('nothing is learnt of', () => {
  it.each(TRICKS)('%s outside', async (_, target, play) => {
    const [there, missing] = [world(), world()];
    addTree(there.outside, target);
    for (const one of [there, missing]) play(one);
    const answers = await answersIn(there);
    expect(answers).toBe(await answersIn(missing));
    // Neither is hidden, and neither is named by a rule.
    expect(answers).not.toMatch(/"hidden":true[^}]*(?:secret|plain)|OUTSIDE\/(?:rules|x\.git)/);
  });
});

it('nor of a directory on the way back to a repository inside, which counts all the same', async () => {
  const [there, missing] = [world(), world()];
  addTree(there.outside, { 'way/x': '' });
  for (const at of [there, missing]) {
    renameSync(join(at.workspace, '.git'), join(at.workspace, 'real'));
    addTree(at.workspace, { '.git': `gitdir: ${at.outside}/way/../../ws/real\n`, 'real/info/exclude': SECRETS });
  }
  expect(await answersIn(there)).toBe(await answersIn(missing));
  expect(await answersIn(there)).toContain('"source":"real/info/exclude"');
});

it.each(TRICKS.slice(0, 6))('and a note says that it is not read: %s', async (_, _target, play) => {
  const at = world();
  play(at);
  expect(await answersIn(at)).toMatch(/names a file outside the workspace \((?:core\.excludesFile|include\.path)\)/);
});

it('what a repository names inside the workspace counts as in git', async () => {
  const at = world();
  addTree(at.workspace, { rules: 'secret\n', '.git/more': '[core]\nignoreCase = true\n' });
  setting('core.excludesFile', 'rules')(at);
  setting('include.path', 'more')(at);
  const opened = await openWorkspace(at.workspace);
  const [secret, log] = await explain(['SECRET', 'A.LOG'], opened);
  expect([secret?.source, log?.source]).toEqual(['rules', '.gitignore']);
  opened.close();
});

it('the settings of the user count as in git, wherever they lead', async () => {
  const at = world();
  addTree(at.outside, { rules: 'secret\n' });
  addTree(process.env.HOME as string, { '.gitconfig': `[core]\nexcludesFile = ${at.outside}/rules\n` });
  const opened = await openWorkspace(at.workspace);
  const [secret] = await explain(['secret'], opened);
  expect(secret).toMatchObject({ hidden: true, source: `${at.outside}/rules`, line: 1 });
  opened.close();
});

it.each(['root', 'nobody-of-that-name'])('nor whether there is a user: %s', async (user) => {
  const at = world();
  addTree(at.workspace, { '.git/case': '[core]\nignoreCase\n' });
  setting('core.excludesFile', `~${user}/x`)(at);
  setting(`includeIf.gitdir:~${user}/.path`, 'case')(at);
  const answers = await answersIn(at);
  expect(answers).toContain('names a file outside the workspace (core.excludesFile)');
  expect(answers).toContain('"path":"A.LOG","hidden":false');
});

describe('nothing is opened that is not a plain file', () => {
  /** Somebody who waits to write into a pipe: whoever opens it lets them through, and then nobody is left to be read. */
  async function pipeAt(path: string) {
    spawnSync('mkfifo', [path]);
    const writer = spawn('sh', ['-c', `echo ready; echo x > '${path}'`], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => {
      writer.kill('SIGKILL');
    });
    await once(writer.stdout, 'data');
    return {
      isStillWaiting: () => spawnSync('timeout', ['10', 'cat', path], { encoding: 'utf8' }).stdout === 'x\n',
    };
  }

  it.each<[string, (at: World, pipe: string) => void]>([
    [
      'named by the user',
      (_, pipe) => addTree(process.env.HOME as string, { '.gitconfig': `[core]\nexcludesFile = ${pipe}\n` }),
    ],
    [
      'included by the user',
      (_, pipe) => addTree(process.env.HOME as string, { '.gitconfig': `[include]\npath = ${pipe}\n` }),
    ],
    ['named by the repository', (at, pipe) => setting('core.excludesFile', pipe)(at)],
  ])('a pipe outside, %s', async (_, play) => {
    const at = world();
    const pipe = join(at.outside, 'pipe');
    const { isStillWaiting } = await pipeAt(pipe);
    play(at, pipe);
    await answersIn(at);
    expect(isStillWaiting()).toBe(true);
  });

  it.each(['.git/config', '.git/HEAD', '.git/info/exclude', '.gitignore', '.geminiignore', '.geminiconfig', '.git'])(
    'a pipe in place of %s',
    async (name) => {
      const at = world();
      rmSync(join(at.workspace, name), { recursive: true, force: true });
      mkdirSync(join(at.workspace, name, '..'), { recursive: true });
      const { isStillWaiting } = await pipeAt(join(at.workspace, name));
      await answersIn(at);
      expect(isStillWaiting()).toBe(true);
    },
  );
});

/** Only root can give a file away. */
const isRoot = process.getuid?.() === 0;

describe('a repository of another user, which git refuses', () => {
  const OTHER = 12345;
  const parts: [string, (at: World) => string][] = [
    ['its .git', ({ workspace }) => join(workspace, '.git')],
    ['its work tree', ({ workspace }) => workspace],
  ];

  it.each(isRoot ? parts : [])('gives no settings and no excludes, but its ignore files count: %s', async (_, part) => {
    const at = world();
    addTree(at.workspace, { '.git/info/exclude': SECRETS, '.git/more': '[core]\nignoreCase\n' });
    setting('include.path', 'more')(at);
    chownSync(part(at), OTHER, OTHER);
    const refused = spawnSync('git', ['status'], {
      cwd: at.workspace,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });
    expect(refused.stderr).toContain('dubious ownership');
    const opened = await openWorkspace(at.workspace);
    const found = await explain(['a.log', 'A.LOG', 'secret'], opened);
    expect(found.map(({ hidden }) => hidden)).toEqual([true, false, false]);
    const listed = await call('gemini', { path: at.workspace }, opened);
    expect(JSON.stringify(listed)).toContain(
      "the repository in '.' belongs to another user; its settings are not read",
    );
    opened.close();
  });

  it.each(isRoot ? parts : [])('gives no rules from above the root: %s', async (_, part) => {
    const at = world();
    addTree(at.workspace, { 'inner/.gitignore': 'plain\n', 'inner/a.log': '', 'inner/plain': '' });
    chownSync(part(at), OTHER, OTHER);
    const opened = await openWorkspace(join(at.workspace, 'inner'));
    const found = await explain(['a.log', 'plain'], opened);
    expect(found.map(({ hidden }) => hidden)).toEqual([false, true]);
    opened.close();
  });

  it.each(isRoot ? ['*', 'WS'] : [])('counts where the settings of the user call it safe: %s', async (directory) => {
    const at = world();
    addTree(at.workspace, { '.git/info/exclude': SECRETS });
    chownSync(at.workspace, OTHER, OTHER);
    const safe = directory.replace('WS', at.workspace);
    addTree(process.env.HOME as string, { '.gitconfig': `[safe]\ndirectory = ${safe}\n` });
    const opened = await openWorkspace(at.workspace);
    expect((await explain(['secret'], opened))[0]?.hidden).toBe(true);
    opened.close();
  });

  it.each(isRoot ? ['*'] : [])('does not count because it calls itself safe: %s', async (directory) => {
    const at = world();
    addTree(at.workspace, { '.git/info/exclude': SECRETS });
    setting('safe.directory', directory)(at);
    chownSync(at.workspace, OTHER, OTHER);
    const opened = await openWorkspace(at.workspace);
    expect((await explain(['secret'], opened))[0]?.hidden).toBe(false);
    opened.close();
  });
});

describe('a gitdir outside', () => {
  it('counts where it names this worktree in return', async () => {
    const at = world();
    git(at.workspace, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    addTree(at.workspace, { '.git/info/exclude': SECRETS });
    git(at.workspace, 'worktree', 'add', '--quiet', join(at.outside, 'linked'));
    const opened = await openWorkspace(join(at.outside, 'linked'));
    expect((await explain(['secret'], opened))[0]?.hidden).toBe(true);
    opened.close();
  });

  it('does not where it names another one', async () => {
    const at = world();
    git(at.workspace, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    addTree(at.workspace, { '.git/info/exclude': SECRETS });
    git(at.workspace, 'worktree', 'add', '--quiet', join(at.outside, 'linked'));
    const thief = join(at.outside, 'thief');
    addTree(thief, { '.git': `gitdir: ${at.workspace}/.git/worktrees/linked\n` });
    const opened = await openWorkspace(thief);
    expect((await explain(['secret'], opened))[0]?.hidden).toBe(false);
    opened.close();
  });
});

it('a file that must not be read is told, and the others count', async () => {
  const at = world();
  if (isRoot) writeFileSync(join(at.workspace, '.geminiignore'), Buffer.alloc(1024 * 1024 + 1, '#'));
  else {
    addTree(at.workspace, { '.geminiignore': 'plain\n' });
    chmodSync(join(at.workspace, '.geminiignore'), 0);
  }
  const opened = await openWorkspace(at.workspace);
  const { llmContent } = (await call('gemini', { path: at.workspace }, opened)) as { llmContent: string };
  expect(llmContent).toMatch(
    /\n\('\.geminiignore' (?:is larger than 1 MB|cannot be read), and is not used: there may be fewer items hidden\)$/,
  );
  expect(llmContent).not.toContain('a.log');
  expect(existsSync(join(at.workspace, 'a.log'))).toBe(true);
  opened.close();
});
