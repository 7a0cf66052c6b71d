/** What git's history tells, and what a hostile repository would like to do on that occasion. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { activityIn } from '../../src/git/log.ts';
import { historyOf } from '../../src/git/shared-log.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { askGit, git, makeRepository } from '../support/git.ts';
import { enterRoot } from '../support/paths.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, emptyDirectory, makeTree, type TreeLiteral } from '../support/tree.ts';

isolateGit();

/** Paths and weights; null when there are none. */
async function activityOf(directory: string, signal = new AbortController().signal) {
  const workspace = await openWorkspace(directory);
  const root = enterRoot(workspace);
  try {
    const history = await historyOf(root, Budget.unlimited());
    const log = await (await history?.begin(signal))?.take();
    return history && log ? activityIn(log, history.directory) : null;
  } finally {
    root.leave();
    workspace.close();
  }
}

/** The paths, the heaviest first. */
async function ranking(directory: string): Promise<string[]> {
  return [...((await activityOf(directory)) ?? [])].sort(([, a], [, b]) => b - a).map(([path]) => path);
}

/** A repository with these commits after a first one, which never counts. */
function repositoryWith(...commits: TreeLiteral[]): string {
  const root = makeRepositoryTree({ first: '' });
  for (const tree of [{}, ...commits]) commit(root, tree);
  return root;
}

function commit(root: string, tree: TreeLiteral): void {
  addTree(root, tree);
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--allow-empty', '-m', 'x');
}

describe('recent activity', () => {
  it('weighs what was worked on more often and more recently', async () => {
    const root = repositoryWith({ old: '1' }, { often: '1' }, { often: '2' }, { new: '1' });
    expect(await ranking(root)).toEqual(['often', 'new', 'old']);
  });

  it('spreads the weight of a commit over its files', async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`many/${i}`, '']));
    const activity = await activityOf(repositoryWith({ alone: '1' }, many));
    expect(activity?.get(bytesOf('many/7'))).toBeLessThan((activity?.get(bytesOf('alone')) ?? 0) / 2);
  });

  it('takes nothing from a commit to a thousand files and from the first commit of all', async () => {
    const all = Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [`all/${i}`, '']));
    expect(await ranking(repositoryWith(all, { one: '1' }))).toEqual(['one']);
  });

  it('is told relative to the directory, of what is below it', async () => {
    const root = repositoryWith({ 'a/b/c': '1', 'a/d': '1', e: '1' });
    expect((await ranking(join(root, 'a'))).sort()).toEqual(['b/c', 'd']);
  });

  it('looks further back than to what happened elsewhere', async () => {
    const elsewhere = Array.from({ length: 5 }, (_, i) => ({ elsewhere: `${i}` }));
    const root = repositoryWith({ 'quiet/file': '1' }, ...elsewhere);
    const one = (await activityOf(join(root, 'quiet')))?.get(bytesOf('file'));
    expect(one).toBe((await activityOf(repositoryWith({ file: '1' })))?.get(bytesOf('file')));
  });

  it.each([
    ['letters of any script', 'é/日本 語'],
    ['line breaks', '\na\n\nb'],
    ['quotes and backslashes', '"a\\'],
    ['what looks like an option', '--output=x'],
  ])('has names with %s', async (_, name) => {
    expect(await ranking(repositoryWith({ [name]: '1' }))).toEqual([bytesOf(name)]);
  });

  it('has names that are not valid UTF-8, as bytes', async () => {
    const root = repositoryWith();
    writeFileSync(Buffer.from(`${root}/caf\xe9`, 'latin1'), '');
    commit(root, {});
    expect(await ranking(root)).toEqual(['caf\xe9']);
  });

  it('still has a file that is gone', async () => {
    const root = repositoryWith({ gone: '1' });
    rmSync(join(root, 'gone'));
    expect(await ranking(root)).toEqual(['gone']);
  });
});

describe('the history is found', () => {
  it('where refs are packed', async () => {
    const root = repositoryWith({ a: '1' });
    git(root, 'pack-refs', '--all');
    expect(existsSync(join(root, '.git/refs/heads/main'))).toBe(false);
    expect(await ranking(root)).toEqual(['a']);
  });

  it('where HEAD is detached', async () => {
    const root = repositoryWith({ a: '1' });
    git(root, 'checkout', '--quiet', '--detach');
    expect(await ranking(root)).toEqual(['a']);
  });

  it('where objects are packed, with a graph of the commits', async () => {
    const root = repositoryWith({ a: '1' });
    git(root, 'gc', '--quiet');
    git(root, 'commit-graph', 'write');
    expect(await ranking(root)).toEqual(['a']);
  });

  it('where names of objects are longer', async () => {
    const root = makeTree({ first: '' });
    git('/', 'init', '--quiet', '--object-format=sha256', '--initial-branch=main', root);
    for (const name of ['first', 'second']) commit(root, { [name]: '1' });
    expect(await ranking(root)).toEqual(['second']);
  });

  it('in a shallow clone, as far as it goes', async () => {
    const clone = join(emptyDirectory(), 'clone');
    const root = repositoryWith({ a: '1' }, { b: '1' }, { c: '1' });
    git('/', 'clone', '--quiet', '--depth=3', `file://${root}`, clone);
    expect(await ranking(clone)).toEqual(['c', 'b']);
  });

  it('of a commit that was made a moment ago', async () => {
    const root = repositoryWith({ a: '1' });
    expect(await ranking(root)).toEqual(['a']);
    commit(root, { b: '1' });
    expect(await ranking(root)).toEqual(['b', 'a']);
  });
});

describe('there is no activity', () => {
  it('without a repository', async () => {
    expect(await activityOf(makeTree({ a: '' }))).toBeNull();
  });

  it('without a commit', async () => {
    expect(await activityOf(makeRepositoryTree({ a: '' }))).toBeNull();
  });

  it('in a shallow clone of one commit, which would name every file', async () => {
    const clone = join(emptyDirectory(), 'clone');
    git('/', 'clone', '--quiet', '--depth=1', `file://${repositoryWith({ a: '1' })}`, clone);
    expect(await activityOf(clone)).toBeNull();
  });

  it('without git', async () => {
    const root = repositoryWith({ a: '1' });
    vi.stubEnv('PATH', emptyDirectory());
    expect(await activityOf(root)).toBeNull();
  });

  it('on macOS, where /usr/bin/git opens a dialog if nothing else is installed, however PATH leads there', async () => {
    const links = emptyDirectory();
    symlinkSync('/usr/bin/git', join(links, 'git'));
    const { platform } = process;
    const paths = ['/usr/bin', '/usr/bin/', '/usr/../usr/bin', links];
    for (const path of paths) {
      vi.stubEnv('PATH', path);
      expect(await activityOf(repositoryWith({ a: '1' })), path).not.toBeNull();
    }
    Object.defineProperty(process, 'platform', { value: 'darwin' });
    try {
      for (const path of paths) {
        // A PATH is searched once, so this is another.
        vi.stubEnv('PATH', `${path}:`);
        expect(await activityOf(repositoryWith({ a: '1' })), path).toBeNull();
      }
    } finally {
      Object.defineProperty(process, 'platform', { value: platform });
    }
  });

  it('where the branch is kept in a way that is not known', async () => {
    const root = repositoryWith({ a: '1' });
    writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
    expect(await activityOf(root)).toBeNull();
  });

  it('where the commit is not there, and git says nothing', async () => {
    const root = repositoryWith({ a: '1' });
    writeFileSync(join(root, '.git/HEAD'), `${'0123456789'.repeat(4)}\n`);
    expect(await activityOf(root)).toBeNull();
  });

  it('after an abort, before or meanwhile', async () => {
    const root = repositoryWith({ a: '1' });
    expect(await activityOf(root, AbortSignal.abort())).toBeNull();
    const controller = new AbortController();
    const pending = activityOf(root, controller.signal);
    controller.abort();
    expect(await pending).toBeNull();
  });

  it('when git is killed, though it told something', async () => {
    const root = repositoryWith({ a: '1' });
    fakeGit(`printf '\\0x\\0\\na\\0\\0x\\0\\nb\\0'; kill -9 $$`);
    expect(await activityOf(root)).toBeNull();
  });

  it('when nobody waits any more for a git that takes long', async () => {
    const root = repositoryWith({ a: '1' });
    const begun = join(emptyDirectory(), 'begun');
    fakeGit(`: > '${begun}'; exec /bin/sleep 1000`);
    const controller = new AbortController();
    const pending = activityOf(root, controller.signal);
    while (!existsSync(begun)) await new Promise(setImmediate);
    controller.abort();
    expect(await pending).toBeNull();
  });
});

it('what a git told that does not stop talking is enough', async () => {
  const root = repositoryWith({ x: '1' });
  fakeGit(`printf '\\0x\\0\\na\\0\\0x\\0\\n'; exec /usr/bin/yes`);
  expect([...((await activityOf(root))?.keys() ?? [])]).toEqual(['a']);
});

/** Puts a script in git's place. */
function fakeGit(script: string): void {
  const programs = emptyDirectory();
  program(join(programs, 'git'), script);
  vi.stubEnv('PATH', programs + delimiter + process.env.PATH);
}

function program(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

describe('a hostile repository', () => {
  /** What a trap is given: the repository, and a program that leaves a file behind. */
  interface Ground {
    readonly root: string;
    readonly trap: string;
    readonly config: (...pairs: [string, string][]) => void;
  }

  function ground(): Ground & { readonly sprung: () => boolean } {
    const root = repositoryWith({ a: '1', b: '1' });
    const place = emptyDirectory();
    const [trap, mark] = [join(place, 'trap'), join(place, 'sprung')];
    program(trap, `echo "$0 $*" >> '${mark}'`);
    const config = (...pairs: [string, string][]) => {
      for (const [key, value] of pairs) git(root, 'config', '--add', key, value);
    };
    return { root, trap, config, sprung: () => existsSync(mark) };
  }

  /** Signed by nobody, which is enough for a signature to be checked. */
  function signLastCommit(root: string): void {
    const content = askGit(root, ['cat-file', 'commit', 'HEAD']) ?? '';
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n';
    const id = askGit(
      root,
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      {},
      content.replace('\n\n', `\n${signature}\n`),
    );
    git(root, 'update-ref', 'HEAD', (id ?? '').trim());
  }

  /** Takes the newest tree away, as in a clone without trees. */
  function removeTree(root: string): void {
    const tree = (askGit(root, ['rev-parse', 'HEAD^{tree}']) ?? '').trim();
    rmSync(join(root, '.git/objects', tree.slice(0, 2), tree.slice(2)));
  }

  /** Each with a command that anybody would have written, which springs it: a trap that does not work proves nothing. */
  const TRAPS: [string, (ground: Ground) => void, string[]][] = [
    [
      'checks signatures',
      ({ root, trap, config }) => {
        config(['log.showSignature', 'true'], ['gpg.program', trap]);
        signLastCommit(root);
      },
      ['log', '--name-only'],
    ],
    ['compares with a program', ({ trap, config }) => config(['diff.external', trap]), ['log', '--ext-diff', '-p']],
    [
      'has its files converted',
      ({ root, trap, config }) => {
        config(['diff.x.textconv', trap], ['diff.x.command', trap]);
        commit(root, { '.gitattributes': '* diff=x', c: '1' });
      },
      ['log', '-p'],
    ],
    ['watches its files', ({ trap, config }) => config(['core.fsmonitor', trap]), ['status']],
    [
      'is a partial clone whose origin is a program',
      ({ root, trap, config }) => {
        config(['core.repositoryFormatVersion', '1'], ['extensions.partialClone', 'origin']);
        config(['remote.origin.promisor', 'true'], ['remote.origin.url', `ext::${trap} x`]);
        config(['protocol.allow', 'always'], ['protocol.ext.allow', 'always']);
        removeTree(root);
      },
      ['log', '--name-only'],
    ],
    [
      'is a partial clone whose origin is reached by a program',
      ({ root, trap, config }) => {
        config(['core.repositoryFormatVersion', '1'], ['extensions.partialClone', 'origin']);
        config(['remote.origin.promisor', 'true'], ['remote.origin.url', 'ssh://x/y'], ['core.sshCommand', trap]);
        removeTree(root);
      },
      ['log', '--name-only'],
    ],
    [
      'is a partial clone of a directory with a program of its own',
      ({ root, trap, config }) => {
        config(['core.repositoryFormatVersion', '1'], ['extensions.partialClone', 'origin']);
        config(['remote.origin.promisor', 'true'], ['remote.origin.url', root], ['remote.origin.uploadpack', trap]);
        removeTree(root);
      },
      ['log', '--name-only'],
    ],
  ];

  it.each(TRAPS)('that %s starts nothing', async (_, set, careless) => {
    const naive = ground();
    set(naive);
    askGit(naive.root, careless, { ...process.env });
    expect(naive.sprung()).toBe(true);

    const careful = ground();
    set(careful);
    await activityOf(careful.root);
    expect(careful.sprung()).toBe(false);
  });

  it.each(TRAPS.slice(0, 4))('that %s still has its activity', async (_, set) => {
    const { root, trap, config } = ground();
    set({ root, trap, config });
    expect(await ranking(root)).toEqual(expect.arrayContaining(['a', 'b']));
  });

  it('that stands in the files of another is none', async () => {
    const root = repositoryWith({ a: '1' });
    const bare = join(root, 'bare');
    git('/', 'clone', '--quiet', '--bare', repositoryWith({ inner: '1' }), bare);
    expect(askGit(bare, ['log', '--format=%H'])).not.toBeNull();
    expect(await activityOf(bare)).toBeNull();
  });

  it('finds nothing written to it', async () => {
    const { root } = ground();
    const files = () => readdirSync(root, { recursive: true }).sort();
    const before = files();
    await activityOf(root);
    expect(files()).toEqual(before);
  });
});

describe("the caller's environment", () => {
  it('does not lead to another repository', async () => {
    const [root, other] = [repositoryWith({ a: '1' }), repositoryWith({ other: '1' })];
    vi.stubEnv('GIT_DIR', join(other, '.git'));
    vi.stubEnv('GIT_WORK_TREE', other);
    expect(await ranking(root)).toEqual(['a']);
  });

  it('writes no trace', async () => {
    const trace = join(emptyDirectory(), 'trace');
    vi.stubEnv('GIT_TRACE', trace);
    expect(await ranking(repositoryWith({ a: '1' }))).toEqual(['a']);
    // The git of this test has an environment of its own, so any trace would be ours.
    expect(existsSync(trace)).toBe(false);
  });

  it('adds no setting', async () => {
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'diff.algorithm');
    vi.stubEnv('GIT_CONFIG_VALUE_0', 'nonsense');
    expect(await ranking(repositoryWith({ a: '1' }))).toEqual(['a']);
  });
});

it('a nested repository tells of itself alone', async () => {
  const root = repositoryWith({ a: '1' });
  const inner = join(root, 'inner');
  mkdirSync(inner);
  makeRepository(inner);
  for (const name of ['first', 'second']) commit(inner, { [name]: '1' });
  expect(await ranking(inner)).toEqual(['second']);
});
