/** A revision of a repository as a root: what it names, what it shows, and what a repository cannot make git do. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { call, explain, list, openWorkspace, tree, type Workspace } from '../../src/index.ts';
import { parseGitAddress } from '../../src/sources/git/git-address.ts';
import { agentLs } from '../support/command-line.ts';
import { askGit, git, makeRepository } from '../support/git.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { RUNTIME, RUNTIME_OPTIONS } from '../support/runtime.ts';
import { addTree, emptyDirectory, type TreeLiteral } from '../support/tree.ts';

isolateGit();

function commit(root: string, tree: TreeLiteral, message: string): void {
  addTree(root, tree);
  git(root, 'add', '-f', '-A');
  git(root, 'commit', '-q', '-m', message);
}

/** Two commits, a tag, and something that is not committed. */
function makeProject(): string {
  const root = makeRepositoryTree({});
  commit(
    root,
    { 'old.txt': 'first', 'src/a.ts': 'a', '.gitignore': '*.log\n', 'src/x.log': '', run: '#!/bin/sh\n' },
    'one',
  );
  git(root, 'tag', '-a', 'v1', '-m', 'v1');
  chmodSync(join(root, 'run'), 0o755);
  commit(
    root,
    { 'new.txt': 'second!', 'src/deep/b.ts': 'b', 'src/.gitignore': 'deep/\n', link: { link: 'src' } },
    'two',
  );
  addTree(root, { 'uncommitted.txt': '' });
  return root;
}

const names = async (workspace: Workspace, path = '.') =>
  (await list({ path }, workspace)).entries.map(({ name }) => name);

async function opened<T>(address: string, use: (workspace: Workspace) => Promise<T>): Promise<T> {
  const workspace = await openWorkspace(address);
  try {
    return await use(workspace);
  } finally {
    workspace.close();
  }
}

describe('an address', () => {
  it.each([
    ['git:.@HEAD', '.', 'HEAD', ''],
    ['git:.', '.', 'HEAD', ''],
    ['git:@v1', '.', 'v1', ''],
    ['git:/a/b.git@v1:src/deep', '/a/b.git', 'v1', 'src/deep'],
    ['git:/a/b@c@HEAD@{1}:x:y', '/a/b@c', 'HEAD@{1}', 'x:y'],
    ['git:.@main:./src//', '.', 'main', 'src'],
  ])('%s', (address, repository, revision, path) => {
    const isThere = (found: string) => ['.', '/a/b.git', '/a/b@c'].includes(found);
    expect(parseGitAddress(address, isThere)).toEqual({ repository, revision, path });
  });
});

describe('a revision', () => {
  it('is named as in git, of a work tree or a bare repository, from anywhere inside', async () => {
    const root = makeProject();
    const bare = join(emptyDirectory(), 'bare.git');
    git('/', 'clone', '-q', '--bare', root, bare);
    const id = askGit(root, ['rev-parse', 'HEAD~1^{tree}'])?.trim();
    const before = ['src', '.gitignore', 'old.txt', 'run'];
    for (const address of ['HEAD~1', 'v1', 'v1^{}', 'main~1', id]) {
      for (const place of [root, join(root, 'src'), bare]) {
        expect([address, await opened(`git:${place}@${address}`, names)]).toEqual([address, before]);
      }
    }
    expect(await opened(`git:${root}`, names)).toEqual(['link', 'src', '.gitignore', 'new.txt', 'old.txt', 'run']);
  });

  it('may be a part of it, below which nothing else can be reached', async () => {
    const root = makeProject();
    await opened(`git:${root}@HEAD:src`, async (workspace) => {
      expect(workspace.realPath).toBe(`${root}@HEAD/src`);
      expect(await names(workspace)).toEqual(['deep', '.gitignore', 'a.ts', 'x.log']);
      await expect(names(workspace, '..')).rejects.toMatchObject({ kind: 'outside' });
      const [verdict] = await explain(['x.log'], workspace);
      expect(verdict).toMatchObject({ hidden: true, source: 'HEAD:.gitignore', line: 1 });
    });
  });

  it('shows what git keeps, and leaves out what it does not', async () => {
    const root = makeProject();
    const { entries } = await opened(`git:${root}@HEAD`, (workspace) => list({ metadata: true }, workspace));
    const told = entries.map(({ name, metadata }) => [name, metadata.size, metadata.permissions, metadata.modified]);
    expect(told).toEqual([
      ['link', 3, 'l?????????', null],
      ['src', Number.NaN, 'd?????????', null],
      ['.gitignore', 6, '-rw-r--r--', null],
      ['new.txt', 7, '-rw-r--r--', null],
      ['old.txt', 5, '-rw-r--r--', null],
      ['run', 10, '-rwxr-xr-x', null],
    ]);
  });

  it('has its own ignore rules, and says in which file of which revision', async () => {
    const root = makeProject();
    await opened(`git:${root}@HEAD~1`, async (workspace) => {
      const [log, deep] = await explain(['src/x.log', 'src/deep'], workspace);
      expect(log).toMatchObject({ hidden: true, by: 'git', source: 'HEAD~1:.gitignore', line: 1, pattern: '*.log' });
      expect(deep).toMatchObject({ hidden: false });
    });
    const [deep] = await opened(`git:${root}@HEAD`, (workspace) => explain(['src/deep/b.ts'], workspace));
    expect(deep).toMatchObject({ hidden: true, source: 'HEAD:src/.gitignore', pattern: 'deep/' });
  });

  it('weighs a map by the history before it', async () => {
    const root = makeRepositoryTree({});
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`src/part${i}/file${i}.ts`, '']));
    commit(root, files, 'all');
    for (let i = 0; i < 5; i++) commit(root, { 'src/part33/file33.ts': `early ${i}` }, 'early');
    const before = askGit(root, ['rev-parse', 'HEAD'])?.trim();
    for (let i = 0; i < 9; i++) commit(root, { 'src/part44/file44.ts': `late ${i}` }, 'late');
    const text = (address: string) =>
      opened(address, async (workspace) => (await tree({ budget: 130 }, workspace)).text);
    const early = await text(`git:${root}@${before}`);
    expect(early).toContain('file33');
    expect(early).not.toContain('file44');
    expect(await text(`git:${root}@HEAD`)).toContain('file44');
  });

  it('without a history before it is mapped without asking git for one', async () => {
    const root = makeProject();
    const shallow = join(emptyDirectory(), 'shallow');
    git('/', 'clone', '-q', '--depth=1', `file://${root}`, shallow);
    const place = emptyDirectory();
    const [real, asked] = [execFileSync('which', ['git']).toString().trim(), join(place, 'asked')];
    writeFileSync(join(place, 'git'), `#!/bin/sh\necho "$*" >> ${asked}\nexec ${real} "$@"\n`, { mode: 0o755 });
    vi.stubEnv('PATH', place);
    const logsOf = async (address: string) => {
      writeFileSync(asked, '');
      await opened(address, (workspace) => tree({ budget: 100 }, workspace, { cache: false }));
      return readFileSync(asked, 'latin1').match(/ log /g)?.length ?? 0;
    };
    expect(await logsOf(`git:${root}@v1`)).toBe(0);
    expect(await logsOf(`git:${shallow}@HEAD`)).toBe(0);
    expect(await logsOf(`git:${root}@HEAD`)).toBe(1);
  });

  it('shows a submodule, and says why it is closed', async () => {
    const inner = makeRepositoryTree({});
    commit(inner, { 'x.txt': '' }, 'inner');
    const root = makeRepositoryTree({});
    git(root, 'submodule', '--quiet', 'add', inner, 'lib');
    commit(root, { 'a.txt': '' }, 'outer');
    await opened(`git:${root}@HEAD`, async (workspace) => {
      const walked = await list({ depth: Infinity }, workspace);
      expect(walked.entries.map(({ path }) => path)).toEqual(['lib', '.gitmodules', 'a.txt']);
      expect(walked.failures).toEqual([
        { path: 'lib', reason: expect.stringMatching(/^a submodule at commit [0-9a-f]{12}: /) },
      ]);
      await expect(names(workspace, 'lib')).rejects.toThrow('its files are in another repository');
    });
  });

  it('of a partial clone is listed without a download', async () => {
    const origin = makeProject();
    git(origin, 'config', 'uploadpack.allowFilter', 'true');
    const clone = join(emptyDirectory(), 'clone.git');
    git('/', 'clone', '-q', '--bare', '--filter=blob:none', `file://${origin}`, clone);
    const before = readdirSync(join(clone, 'objects/pack'));
    await opened(`git:${clone}@HEAD`, async (workspace) => {
      const { entries } = await list({ metadata: true, gitIgnore: true }, workspace);
      expect(entries.find(({ name }) => name === 'new.txt')?.metadata.size).toBeNaN();
    });
    expect(readdirSync(join(clone, 'objects/pack'))).toEqual(before);
  });

  it('of a clone without trees, or with a reftable, says why it cannot be listed', async () => {
    const origin = makeProject();
    git(origin, 'config', 'uploadpack.allowFilter', 'true');
    const clone = join(emptyDirectory(), 'clone.git');
    git('/', 'clone', '-q', '--bare', '--filter=tree:0', `file://${origin}`, clone);
    await expect(openWorkspace(`git:${clone}@HEAD`)).rejects.toThrow('but not its files: it is a partial clone');
    addTree(clone, { reftable: null });
    await expect(openWorkspace(`git:${clone}@other`)).rejects.toThrow('in a reftable, which is not read');
  });

  it('starts no program that a repository names', async () => {
    const root = makeProject();
    const mark = join(emptyDirectory(), 'ran');
    const program = join(emptyDirectory(), 'evil.sh');
    writeFileSync(program, `#!/bin/sh\necho > ${mark}\n`, { mode: 0o755 });
    for (const [name, value] of [
      ['core.fsmonitor', program],
      ['core.pager', program],
      ['core.sshCommand', program],
      ['core.hooksPath', join(program, '..')],
      ['filter.x.smudge', program],
      ['alias.cat-file', `!${program}`],
      ['core.alternateRefsCommand', program],
    ] as const) {
      git(root, 'config', name, value);
    }
    await opened(`git:${root}@HEAD`, async (workspace) => {
      await call('standard', {}, workspace);
      await list({ depth: 9, metadata: true }, workspace);
      await tree({}, workspace);
    });
    expect(existsSync(mark)).toBe(false);
  });

  it('may have any name that git takes', async () => {
    const root = makeProject();
    for (const name of ['ветка', 'voilà', 'no\u00a0break']) {
      git(root, 'branch', name);
      await opened(`git:${root}@${name}`, async (workspace) => {
        expect((await list({}, workspace)).totals.file).toBeGreaterThan(0);
      });
    }
  });

  it('leaves nothing behind', async () => {
    const root = makeProject();
    const place = emptyDirectory();
    vi.stubEnv('TMPDIR', place);
    await opened(`git:${root}@HEAD`, (workspace) => tree({}, workspace));
    await expect(openWorkspace(`git:${root}@nothing`)).rejects.toThrow();
    vi.unstubAllEnvs();
    expect(readdirSync(place)).toEqual([]);
  });

  it.runIf(existsSync(`/proc/self/task/${process.pid}/children`)).each([
    ['that a signal ends', '', [null, 'SIGTERM']],
    [
      'that handles the signal, once',
      "let times = 0; process.on('SIGTERM', () => { times++; setTimeout(() => process.exit(times), 50); });",
      [1, null],
    ],
    ['that a signal ends when git is gone', 'while (await endedGit());', [null, 'SIGTERM']],
  ])('leaves nothing behind in a program %s', async (_, before, ending) => {
    const place = emptyDirectory();
    const program = `import { readFileSync } from 'node:fs';
      import { setImmediate } from 'node:timers/promises';
      import { openWorkspace, tree } from '${new URL('../../dist/index.js', import.meta.url)}';
      async function endedGit() {
        const children = readFileSync('/proc/self/task/' + process.pid + '/children', 'utf8').trim();
        for (const child of children.split(' ').filter(Boolean)) process.kill(Number(child));
        await setImmediate();
        return children !== '';
      }
      const workspace = await openWorkspace(${JSON.stringify(`git:${makeProject()}@HEAD`)});
      await tree({}, workspace);
      ${before}
      setInterval(() => {}, 1000);
      console.log('ready');`;
    const child = spawn(RUNTIME, [...RUNTIME_OPTIONS, '--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: place },
    });
    await once(child.stdout, 'data');
    expect(readdirSync(place)).toHaveLength(1);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual(ending);
    expect(readdirSync(place)).toEqual([]);
  });

  it('HEAD of a repository without commits', async () => {
    const root = emptyDirectory();
    makeRepository(root);
    await expect(openWorkspace(`git:${root}@HEAD`)).rejects.toThrow(
      "no revision 'HEAD'; its current branch has no commits yet",
    );
  });

  it.each([
    ['@nothing', 'missing', "has no revision 'nothing'"],
    ['@HEAD:none', 'missing', "'HEAD' has no directory 'none'"],
    ['@HEAD:new.txt', 'missing', "'HEAD' has no directory 'new.txt'"],
    ['@--help', 'missing', "has no revision '--help'"],
    ['@HEAD\ninfo HEAD', 'missing', 'has no revision'],
    ['@HEAD@{1}', 'missing', 'reflogs are not read'],
    ['@blob', 'missing', 'is neither a commit nor a tree'],
  ])('that is not there: %j', async (suffix, kind, message) => {
    const root = makeProject();
    git(root, 'tag', 'blob', 'HEAD:new.txt');
    await expect(openWorkspace(`git:${root}${suffix}`)).rejects.toMatchObject({
      kind,
      message: expect.stringContaining(message),
    });
  });

  it('needs a repository, and git', async () => {
    await expect(openWorkspace(`git:${emptyDirectory()}@HEAD`)).rejects.toThrow('there is no git repository at');
    const root = makeProject();
    await expect(openWorkspace(`git:${root}`, { git: false })).rejects.toThrow('git must not be started here');
    vi.stubEnv('AGENT_LS_NO_GIT', '1');
    await expect(openWorkspace(`git:${root}`)).rejects.toThrow('cannot start git');
  });

  it('answers 64 calls at once', async () => {
    const root = makeProject();
    await opened(`git:${root}@HEAD`, async (workspace) => {
      const calls = Array.from({ length: 64 }, (_, i) =>
        i % 2 === 0 ? names(workspace, 'src') : list({ depth: 9 }, workspace),
      );
      const answers = await Promise.all(calls);
      expect(answers[0]).toEqual(['deep', '.gitignore', 'a.ts', 'x.log']);
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(2);
    });
  });
});

describe('a repository that leads elsewhere', () => {
  /** Another repository, and one that somebody else has written. */
  function makeThief(dotGit: (victim: string) => TreeLiteral): { victim: string; thief: string } {
    const victim = makeProject();
    const thief = emptyDirectory();
    addTree(thief, { 'only-file': '', ...dotGit(victim) });
    return { victim, thief };
  }

  const head = (root: string) => String(askGit(root, ['rev-parse', 'HEAD'])).trim();
  const own = (victim: string) => ({ '.git/HEAD': `${head(victim)}\n`, '.git/refs/heads/x': `${head(victim)}\n` });
  const packOf = (root: string) => {
    git(root, 'gc', '-q');
    return readdirSync(join(root, '.git/objects/pack')).filter((name) => /\.(?:pack|idx)$/.test(name));
  };

  it.each<[string, (victim: string) => TreeLiteral]>([
    ['by a .git file', (victim) => ({ '.git': `gitdir: ${victim}/.git\n` })],
    ['by a .git that is a link', (victim) => ({ '.git': { link: `${victim}/.git` } })],
    ['by its commondir', (victim) => ({ '.git/HEAD': 'ref: refs/heads/main\n', '.git/commondir': `${victim}/.git\n` })],
    ['by its objects', (victim) => ({ ...own(victim), '.git/objects': { link: `${victim}/.git/objects` } })],
    [
      'by a directory of objects',
      (victim) => {
        packOf(victim);
        return { ...own(victim), '.git/objects/pack': { link: `${victim}/.git/objects/pack` } };
      },
    ],
    [
      'by a pack',
      (victim) => {
        const links = packOf(victim).map((name) => [
          `.git/objects/pack/${name}`,
          { link: `${victim}/.git/objects/pack/${name}` },
        ]);
        return { ...own(victim), ...Object.fromEntries(links) };
      },
    ],
  ])('%s is not followed', async (_, dotGit) => {
    const { thief } = makeThief(dotGit);
    await expect(openWorkspace(`git:${thief}@HEAD`)).rejects.toThrow(
      `the repository at '${thief}' keeps its objects elsewhere, and that is not followed`,
    );
  });

  it('is followed where that names it in return: a linked worktree, and a submodule', async () => {
    const root = makeProject();
    for (const name of ['linked', 'verbündet']) {
      const linked = join(emptyDirectory(), name);
      git(root, 'worktree', 'add', '--quiet', linked);
      expect(await opened(`git:${linked}@HEAD~1`, names)).toContain('old.txt');
    }
    const outer = makeRepositoryTree({ x: '' });
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'inner');
    expect(await opened(`git:${join(outer, 'inner')}@HEAD`, names)).toContain('new.txt');
  });

  it('may be named itself', async () => {
    const { victim } = makeThief((at) => ({ '.git': `gitdir: ${at}/.git\n` }));
    expect(await opened(`git:${victim}/.git@HEAD`, names)).toContain('new.txt');
  });
});

it('has paths that the command lists themselves', async () => {
  const root = makeRepositoryTree({ 'sub/deep/f': '', z: '', ln: { link: 'sub/deep' } });
  git(root, 'add', '-A');
  git(root, 'commit', '--quiet', '--message', 'one');
  const found = (...words: string[]) => agentLs(['--root', `git:${root}@HEAD`, ...words]);
  expect((await found('-d', 'ln', 'sub')).out.split('\n')).toEqual(['ln', 'sub/']);
  expect((await found('ln', 'sub', 'z')).out.split('\n')).toEqual(['z', 'ln/f', 'sub/deep/']);
  expect((await found('z', 'zz')).err).toContain("cannot list 'zz': no such file or directory");
});
