import { mkdirSync, writeFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWorkspace } from '../../src/disk/disk-source.ts';
import { repositoryAround } from '../../src/git/surroundings.ts';
import { type Bytes, below, bytesOf } from '../../src/names/bytes.ts';
import { AT_ROOT, asGiven } from '../../src/names/paths.ts';
import { type IgnoreFileChoice, ignoreFiles } from '../../src/rules/ignore-files.ts';
import { innerPlaceOf, type Scope, type Verdict, verdictOn } from '../../src/rules/rule.ts';
import { splitPath } from '../../src/workspace/argument.ts';
import { Budget } from '../../src/workspace/budget.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { askGit, makeRepository } from '../support/git.ts';
import { asNobody } from '../support/nobody.ts';
import { enterAt } from '../support/paths.ts';
import { isolateGit } from '../support/repository.ts';
import { makeTree, type TreeLiteral } from '../support/tree.ts';

isolateGit();

const GIT: IgnoreFileChoice = { git: true, gemini: false };
const BOTH: IgnoreFileChoice = { git: true, gemini: true };

/** The rules bound to the directory itself. */
async function bound(
  workspace: Workspace,
  at: string,
  choice: IgnoreFileChoice,
  call = Budget.unlimited(),
): Promise<Scope> {
  const directory = workspace.enter(asGiven(at === '' ? '.' : at));
  try {
    return await ignoreFiles(choice)(directory, call);
  } finally {
    directory.leave();
  }
}

/** The rules bound to the root, and entered from there name by name. */
async function entered(
  workspace: Workspace,
  at: string,
  choice: IgnoreFileChoice,
  call = Budget.unlimited(),
): Promise<Scope> {
  let scope = await bound(workspace, '', choice, call);
  let path = AT_ROOT;
  for (const name of splitPath(bytesOf(at)).names) {
    path = below(path, name);
    const directory = enterAt(workspace, path);
    scope = await scope.enter(
      name,
      innerPlaceOf(directory, () => true),
    );
    directory.leave();
  }
  return scope;
}

async function inWorkspace<T>(root: string, ask: (workspace: Workspace) => T | Promise<T>): Promise<T> {
  const workspace = await openWorkspace(root);
  try {
    return await ask(workspace);
  } finally {
    workspace.close();
  }
}

function makeRepositories(tree: TreeLiteral, repositories: readonly string[]): string {
  const top = makeTree(tree);
  for (const directory of repositories) makeRepository(join(top, directory));
  return top;
}

const WAYS = [bound, entered];

interface Case {
  readonly clause: string;
  readonly tree: TreeLiteral;
  readonly repositories?: readonly string[];
  /** The repository that the directory belongs to. */
  readonly repository?: string;
  /** The workspace's root, from the tree's. */
  readonly root?: string;
  /** The directory, from the workspace's root. */
  readonly at?: string;
  /** Names of entries; those that end in a slash are directories. */
  readonly names: readonly string[];
}

describe('names the same rule of the same file as git', () => {
  it.each<Case>([
    {
      clause: 'in the root',
      tree: { '.gitignore': 'a\n!b\nd/\n' },
      names: ['a', 'b', 'c', 'd', 'd/'],
    },
    {
      clause: 'below it, by the file there and by those above',
      tree: { '.gitignore': '*.x\n/s/t/q\n', 's/.gitignore': '!b.x\n', 's/t/.gitignore': 'z\n' },
      at: 's/t',
      names: ['a.x', 'b.x', 'q', 'z', 'n'],
    },
    {
      clause: 'where the workspace begins further down',
      tree: { '.gitignore': '*.x\n/s/t/u/q\n', 's/.gitignore': '!b.x\n', 's/t/.gitignore': 'z\n', 's/t/u': null },
      root: 's/t',
      at: 'u',
      names: ['a.x', 'b.x', 'q', 'z', 'n'],
    },
    {
      clause: 'where the workspace begins right below the repository’s root',
      tree: { '.gitignore': '/s/q\nz\n', 's/.gitignore': '!z\n' },
      root: 's',
      names: ['q', 'z', 'n'],
    },
    {
      clause: 'in a directory that is ignored',
      tree: { '.gitignore': '/out\n', 'out/s/.gitignore': '!*\n' },
      at: 'out/s',
      names: ['a', 'b/'],
    },
    {
      clause: 'where the workspace lies in a directory that is ignored',
      tree: { '.gitignore': '/out\n', 'out/s/.gitignore': '!*\n' },
      root: 'out',
      at: 's',
      names: ['a', 'b/'],
    },
    {
      clause: 'in a repository inside of another, by its own rules alone',
      tree: { '.gitignore': '*.x\n', 's/in/.gitignore': 'q\n', 's/in/t': null },
      repositories: ['.', 's/in'],
      repository: 's/in',
      at: 's/in/t',
      names: ['a.x', 'q', 'n'],
    },
    {
      clause: 'which another ignores',
      tree: { '.gitignore': 's\n', 's/in/.gitignore': 'q\n' },
      repositories: ['.', 's/in'],
      repository: 's/in',
      at: 's/in',
      names: ['a', 'q'],
    },
    {
      clause: 'in which the workspace begins',
      tree: { '.gitignore': '*.x\n', 's/in/.gitignore': 'q\n', 's/in/t/u': null },
      repositories: ['.', 's/in'],
      repository: 's/in',
      root: 's/in/t',
      at: 'u',
      names: ['a.x', 'q', 'n'],
    },
    {
      clause: 'below a workspace that is none',
      tree: { '.gitignore': '*\n', 'in/.gitignore': 'q\n', 'in/t': null },
      repositories: ['in'],
      repository: 'in',
      at: 'in/t',
      names: ['a', 'q'],
    },
  ])('$clause', async ({ tree, repositories = ['.'], repository = '.', root = '', at = '', names }) => {
    const top = makeRepositories(tree, repositories);
    const asked = names.map((name) => `${join(top, root, at, name)}\0`).join('');
    const args = ['check-ignore', '-v', '-n', '-z', '--no-index', '--stdin'];
    const fields = (askGit(join(top, repository), args, undefined, asked) ?? '').split('\0');
    const byGit = names.map((_, i) => {
      const [source = '', line, pattern] = fields.slice(4 * i);
      return source === '' ? '' : `${join(top, repository, source)}:${line}:${pattern}`;
    });
    expect(byGit.some((rule) => rule !== '')).toBe(true);
    await inWorkspace(join(top, root), async (workspace) => {
      for (const way of WAYS) {
        const { judge } = await way(workspace, at, GIT);
        const ours = names.map((name) => {
          const verdict = verdictOn(bytesOf(name.replace(/\/$/, '')), name.endsWith('/') ? 'dir' : 'file', judge);
          if (verdict === null) return '';
          expect(verdict).toMatchObject({ by: 'git', hidden: !verdict.pattern.startsWith('!') });
          return `${join(top, root, verdict.source ?? '')}:${verdict.line}:${verdict.pattern}`;
        });
        expect({ way: way.name, rules: ours }).toEqual({ way: way.name, rules: byGit });
      }
    });
  });

  it('also where the workspace is the root of the disk', async () => {
    const top = makeRepositories({ '.gitignore': 'a\n/s/b\n', s: null }, ['.']);
    await inWorkspace(parse(top).root, async (workspace) => {
      for (const way of WAYS) {
        const { judge } = await way(workspace, join(top, 's'), GIT);
        const found = ['a', 'b', 'c'].map((name) => verdictOn(bytesOf(name), 'file', judge)?.pattern);
        expect({ way: way.name, found }).toEqual({ way: way.name, found: ['a', '/s/b', undefined] });
      }
    });
  });
});

const DOT_GIT = 'git .git';
const said = (verdict: Verdict | null) =>
  verdict === null ? null : `${verdict.by} ${verdict.hidden ? '' : 'shows '}${verdict.pattern}`;

describe('verdicts', () => {
  const TREE: TreeLiteral = {
    '.gitignore': 'both\ngit\n!shown\ndist/\n/kept\n!gem\n',
    '.geminiignore': 'both\ngem\n!back\n!dist/\n/s/own\n/hid\n!/kept/inner\n!free\n!shown\n',
    'dist/in/.gitignore': '*\n',
    'dist/repo/.gitignore': 'x\n',
    ...{ 'kept/inner/deep': null, 's/.geminiignore': '*\n', 'hid/deep': null, '.git/hooks/deep': null },
    ...{ free: null, shown: null },
  };

  it.each<[string, string, IgnoreFileChoice, Record<string, string | null>]>([
    ['git’s alone', '', GIT, { git: 'git git', both: 'git both', gem: 'git shows !gem', back: null, '.git': DOT_GIT }],
    [
      'of both',
      '',
      BOTH,
      {
        ...{ git: 'git git', both: 'git both', gem: 'gemini gem', shown: 'gemini shows !shown', other: null },
        ...{ back: 'gemini shows !back', dist: 'gemini shows !dist/', GEM: null, '.git': DOT_GIT },
      },
    ],
    [
      'gemini’s alone',
      '',
      { git: false, gemini: true },
      { git: null, both: 'gemini both', gem: 'gemini gem', shown: 'gemini shows !shown', '.git': null },
    ],
    ['of neither', '', { git: false, gemini: false }, { git: null, both: null, gem: null, '.git': null }],
    ['.geminiignore is the root’s, seen from below', 's', BOTH, { own: 'gemini /s/own', both: 'git both', x: null }],
    ['a directory that .geminiignore hides', 'hid', BOTH, { x: 'gemini /hid' }],
    ['and what lies deeper', 'hid/deep', BOTH, { x: 'gemini /hid' }],
    ['a directory that is brought back', 'dist', BOTH, { git: null, both: 'gemini both', gem: 'gemini gem' }],
    ['and what lies deeper there', 'dist/in', BOTH, { git: null, both: 'gemini both', x: null, '.git': DOT_GIT }],
    ['a repository in it has its own rules', 'dist/repo', BOTH, { x: 'git x', git: null, gem: 'gemini gem' }],
    ['in one that git has not ignored its rules stay', 'free', BOTH, { git: 'git git', gem: 'gemini gem', x: null }],
    ['also where both show it', 'shown', BOTH, { git: 'git git', gem: 'gemini gem', x: null }],
    ['brought back in an ignored directory', 'kept', BOTH, { x: 'git /kept', inner: 'gemini shows !/kept/inner' }],
    ['with its contents, too', 'kept/inner', BOTH, { x: null, git: null, both: 'gemini both' }],
    ['without .geminiignore it stays ignored', 'kept/inner', GIT, { x: 'git /kept', git: 'git /kept' }],
    ['in .git everything is hidden', '.git/hooks', GIT, { x: DOT_GIT, '.git': DOT_GIT }],
    ['whatever lies deeper there', '.git/hooks/deep', BOTH, { x: DOT_GIT, back: DOT_GIT }],
    ['but to those who do not respect git', '.git/hooks', { git: false, gemini: true }, { x: null, gem: 'gemini gem' }],
  ])('%s', async (_, at, choice, expected) => {
    const top = makeRepositories(TREE, ['.', 'dist/repo']);
    await inWorkspace(top, async (workspace) => {
      for (const way of WAYS) {
        const { judge } = await way(workspace, at, choice);
        const found = Object.keys(expected).map((name) => [name, said(verdictOn(bytesOf(name), 'dir', judge))]);
        expect({ way: way.name, ...Object.fromEntries(found) }).toEqual({ way: way.name, ...expected });
      }
    });
  });

  it('only a directory is one: not a link to one, not a file', async () => {
    const top = makeRepositories({ '.gitignore': 'd/\n', '.geminiignore': 'e/\n' }, ['.']);
    await inWorkspace(top, async (workspace) => {
      const { judge } = await bound(workspace, '', BOTH);
      const found = (['dir', 'file', 'link', 'other'] as const).map((type) =>
        ['d', 'e'].map((name) => said(verdictOn(bytesOf(name), type, judge))),
      );
      expect(found).toEqual([
        ['git d/', 'gemini e/'],
        [null, null],
        [null, null],
        [null, null],
      ]);
    });
  });

  it.each([
    ['true', DOT_GIT],
    ['false', null],
  ])('.GIT is .git where core.ignorecase is %s', async (value, expected) => {
    const top = makeRepositories({ s: null }, ['.']);
    expect(askGit(top, ['config', 'core.ignorecase', value])).not.toBeNull();
    await inWorkspace(top, async (workspace) => {
      for (const way of WAYS) {
        for (const at of ['', 's'])
          expect(said(verdictOn(bytesOf('.GIT'), 'dir', (await way(workspace, at, GIT)).judge))).toBe(expected);
      }
    });
  });

  it('in .GIT everything is hidden where it is .git', async () => {
    const top = makeRepositories({ '.GIT/x': '' }, ['.']);
    askGit(top, ['config', 'core.ignorecase', 'true']);
    await inWorkspace(top, async (workspace) => {
      for (const way of WAYS)
        expect(said(verdictOn(bytesOf('x'), 'file', (await way(workspace, '.GIT', GIT)).judge))).toBe(DOT_GIT);
    });
  });
});

describe('where the listed directory is shown although git ignores it', () => {
  const SHOWS: IgnoreFileChoice = { ...GIT, showsListed: true };

  it.each<[string, string, Record<string, string | null>]>([
    ['one that is not ignored keeps its rules', '', { a: 'git a', out: 'git /out/', '.git': 'builtin .git', b: null }],
    ['nor is one below it', 's', { a: 'git a', b: null }],
    ['in one that is, git has no say', 'out', { a: null, b: null, '.git': 'builtin .git' }],
    ['nor in what lies deeper', 'out/deep', { a: null, b: null, c: null }],
    ['.git itself is one', '.git/hooks', { a: null, x: null, '.git': 'builtin .git' }],
    ['a repository in it has its own rules', 'out/repo', { a: null, c: 'git c' }],
  ])('%s', async (_, at, expected) => {
    const tree = { '.gitignore': 'a\n/out/\n', 'out/deep/.gitignore': 'c\n', 'out/repo/.gitignore': 'c\n', s: null };
    const top = makeRepositories({ ...tree, '.git/hooks/x': '' }, ['.', 'out/repo']);
    await inWorkspace(top, async (workspace) => {
      const { judge } = await bound(workspace, at, SHOWS);
      const found = Object.keys(expected).map((name) => [name, said(verdictOn(bytesOf(name), 'dir', judge))]);
      expect(Object.fromEntries(found)).toEqual(expected);
    });
  });

  it('its key tells that it is', async () => {
    const top = makeRepositories({ '.gitignore': '/out\n', 'out/.gitignore': 'a\n', s: null }, ['.']);
    await inWorkspace(top, async (workspace) => {
      const keys = async (at: string) => [
        // Apart from how `.git` is hidden.
        (await bound(workspace, at, SHOWS)).key().replace('builtin', 'git'),
        (await bound(workspace, at, GIT)).key(),
      ];
      const [out, s] = [await keys('out'), await keys('s')];
      expect([new Set(out).size, new Set(s).size]).toEqual([2, 1]);
    });
  });

  it('a repository further down has its own rules again', async () => {
    const top = makeRepositories({ '.gitignore': 'a\n/out\n', 'out/repo/.gitignore': 'c\n' }, ['.', 'out/repo']);
    await inWorkspace(top, async (workspace) => {
      const directory = workspace.enter(asGiven('out/repo'));
      const outer = await bound(workspace, 'out', SHOWS);
      const scope = await outer.enter(
        bytesOf('repo'),
        innerPlaceOf(directory, () => true),
      );
      directory.leave();
      expect(['a', 'c'].map((name) => said(verdictOn(bytesOf(name), 'file', scope.judge)))).toEqual([null, 'git c']);
    });
  });

  it('also where the workspace itself lies in what is ignored', async () => {
    const top = makeRepositories({ '.gitignore': '/out\n', 'out/ws/s': null }, ['.']);
    await inWorkspace(join(top, 'out/ws'), async (workspace) => {
      expect(verdictOn(bytesOf('a'), 'file', (await bound(workspace, 's', SHOWS)).judge)).toBeNull();
      expect(verdictOn(bytesOf('a'), 'file', (await bound(workspace, '', SHOWS)).judge)).toBeNull();
      expect(said(verdictOn(bytesOf('a'), 'file', (await bound(workspace, 's', GIT)).judge))).toBe('git /out');
    });
  });
});

describe('what is read', () => {
  /** All that a place can be asked for, as a place that notes it. */
  const QUESTIONS = ['readFile', 'fileAt', 'entryAt'] as const;

  it('neither .git nor .gitignore is looked for where it cannot be', async () => {
    const top = makeRepositories({ '.gitignore': 'a\n', 's/.gitignore': 'b\n' }, ['.', 's']);
    await inWorkspace(top, async (workspace) => {
      const directory = workspace.enter(asGiven('s'));
      const asked: Bytes[] = [];
      const place = innerPlaceOf(directory, (name) => {
        asked.push(name);
        return false;
      });
      const spies = QUESTIONS.map((question) => vi.spyOn(place, question));
      const { judge } = await (await bound(workspace, '', GIT)).enter(bytesOf('s'), place);
      directory.leave();
      expect(asked).toEqual(['.git', '.gitignore']);
      expect(spies.map((spy) => spy.mock.calls)).toEqual([[], [], []]);
      expect(['a', 'b'].map((name) => said(verdictOn(bytesOf(name), 'file', judge)))).toEqual(['git a', null]);
    });
  });

  it('nor for those who do not respect git', async () => {
    const top = makeRepositories({ s: null }, ['.']);
    await inWorkspace(top, async (workspace) => {
      const directory = workspace.enter(asGiven('s'));
      const place = innerPlaceOf(directory, () => true);
      const spies = QUESTIONS.map((question) => vi.spyOn(place, question));
      (await bound(workspace, '', { git: false, gemini: true })).enter(bytesOf('s'), place);
      directory.leave();
      expect(spies.map((spy) => spy.mock.calls)).toEqual([[], [], []]);
    });
  });

  it('where all of it is small nothing is waited for further down', async () => {
    const top = makeRepositories({ '.gitignore': 'a\n', 's/.gitignore': 'b\n' }, ['.']);
    await inWorkspace(top, async (workspace) => {
      const scope = await bound(workspace, '', BOTH);
      const directory = workspace.enter(asGiven('s'));
      expect(
        scope.enter(
          bytesOf('s'),
          innerPlaceOf(directory, () => true),
        ),
      ).not.toBeInstanceOf(Promise);
      directory.leave();
    });
  });

  it('a call that has to end ends', async () => {
    const top = makeRepositories({ '.gitignore': 'a\n', s: null }, ['.']);
    const ending = Object.assign(Budget.unlimited(), { checkpoint: () => Promise.reject(new Error('it is over')) });
    await inWorkspace(top, async (workspace) => {
      await expect(bound(workspace, 's', GIT, ending)).rejects.toThrow('it is over');
    });
  });
});

describe('what cannot be used is noted, and the rest counts', () => {
  const LARGE = `x\n${'#'.repeat(2 ** 20)}`;

  it.each<[string, TreeLiteral, string, string[]]>([
    [
      'a .gitignore that is a link',
      { '.gitignore': { link: 'y' }, y: 'x\n' },
      '',
      ["'.gitignore' is a link, and is not used"],
    ],
    [
      'a .gitignore of more than a megabyte',
      { '.gitignore': LARGE },
      '',
      ["'.gitignore' is larger than 1 MB, and is not used"],
    ],
    [
      'a .gitignore that is a directory',
      { '.gitignore/x': '' },
      '',
      ["'.gitignore' is not a plain file, and is not used"],
    ],
    [
      'a .gitignore further down',
      { 's/.gitignore': { link: '../y' }, y: 'x\n' },
      's',
      ["'s/.gitignore' is a link, and is not used"],
    ],
    [
      'a .geminiignore that is a link',
      { '.geminiignore': { link: 'y' }, y: 'x\n' },
      '',
      ["'.geminiignore' is a link, and is not used"],
    ],
    [
      'a .geminiignore of more than a megabyte',
      { '.geminiignore': LARGE },
      's',
      ["'.geminiignore' is larger than 1 MB, and is not used"],
    ],
    [
      'an info/exclude that is a link',
      { '.git/info/exclude': { link: '../../y' }, y: 'x\n' },
      's',
      ["'.git/info/exclude' is a link, and is not used"],
    ],
  ])('%s', async (_, tree, at, notes) => {
    const top = makeRepositories({ ...tree, 's/t/.gitignore': 'z\n' }, ['.']);
    await inWorkspace(top, async (workspace) => {
      for (const way of WAYS) {
        const call = Budget.unlimited();
        const { judge } = await way(workspace, at, BOTH, call);
        expect({ way: way.name, notes: call.notes }).toEqual({ way: way.name, notes });
        expect([verdictOn(bytesOf('x'), 'file', judge), said(verdictOn(bytesOf('.git'), 'dir', judge))]).toEqual([
          null,
          DOT_GIT,
        ]);
      }
      expect(said(verdictOn(bytesOf('z'), 'file', (await bound(workspace, 's/t', BOTH)).judge))).toBe('git z');
    });
  });

  it('a .gitignore that may not be read', async () => {
    const top = makeRepositories({ '.gitignore': 'x\n', 's/.gitignore': 'z\n' }, ['.']);
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'safe.directory');
    vi.stubEnv('GIT_CONFIG_VALUE_0', '*');
    const call = Budget.unlimited();
    await inWorkspace(top, async (workspace) => {
      const { judge } = await asNobody(top, ['.gitignore'], () => bound(workspace, 's', GIT, call));
      expect(['x', 'z'].map((name) => said(verdictOn(bytesOf(name), 'file', judge)))).toEqual([null, 'git z']);
    });
    expect(call.notes).toEqual(["'.gitignore' cannot be read, and is not used"]);
  });

  it('of a .gitignore at exactly a megabyte nothing is noted', async () => {
    const top = makeRepositories({ '.gitignore': LARGE.slice(0, 2 ** 20) }, ['.']);
    await inWorkspace(top, async (workspace) => {
      const call = Budget.unlimited();
      expect(said(verdictOn(bytesOf('x'), 'file', (await bound(workspace, '', GIT, call)).judge))).toBe('git x');
      expect(call.notes).toEqual([]);
    });
  });
});

describe('other than in git, a repository whose git directory must not be used has its .gitignore files', () => {
  const LEADS_OUT = "'s/.git' leads out of the workspace, and is not followed";
  const THROUGH_LINK = "'s/.git' leads through a link, and is not followed";

  it.each<[string, TreeLiteral, string[]]>([
    ['a .git file that leads nowhere', { 's/.git': 'gitdir: nowhere\n' }, []],
    ['a .git file through a link', { 's/.git': 'gitdir: ../l/.git\n', l: { link: 'other' } }, [THROUGH_LINK]],
    ['a .git file to a repository outside', { 's/.git': 'gitdir: ../../beside/.git\n' }, [LEADS_OUT]],
    ['a link to a git directory outside', { 's/.git': { link: '../../beside/.git' } }, [LEADS_OUT]],
  ])('%s', async (_, tree, notes) => {
    const top = makeRepositories({ '.gitignore': 'a\n', 's/.gitignore': 'b\n', 's/t': null, ...tree }, [
      '.',
      'other',
      '../beside',
    ]);
    writeFileSync(join(top, '../beside/.git/config'), '[core]\nignoreCase = true\nrepositoryFormatVersion = 0\n');
    mkdirSync(join(top, '../beside/.git/info'), { recursive: true });
    writeFileSync(join(top, '../beside/.git/info/exclude'), 'c\n');
    await inWorkspace(top, async (workspace) => {
      for (const way of WAYS) {
        const call = Budget.unlimited();
        const { judge } = await way(workspace, 's/t', GIT, call);
        const rules = ['a', 'b', 'c', 'B', '.git'].map((name) => said(verdictOn(bytesOf(name), 'dir', judge)));
        expect({ way: way.name, rules }).toEqual({ way: way.name, rules: [null, 'git b', null, null, DOT_GIT] });
        expect(call.notes).toEqual(notes);
      }
    });
  });
});

// Windows names no owners.
describe.runIf(process.geteuid !== undefined)('a repository of another user', () => {
  const beAnother = () => {
    const spy = vi.spyOn(process, 'geteuid').mockReturnValue(12_345);
    onTestFinished(() => spy.mockRestore());
  };
  const TREE: TreeLiteral = { '.gitignore': 'a\n', 's/.gitignore': 'b\n', 's/t/.gitignore': 'c\n' };
  const NAMES = ['a', 'b', 'c', 'd', '.git'];

  it.each<[string, string, string, string, readonly (string | null)[]]>([
    ['above the workspace gives no rules from there', 's', 't', '{TOP}', [null, 'git b', 'git c', null, DOT_GIT]],
    ['above it, in the root', 's', '', '{TOP}', [null, 'git b', null, null, DOT_GIT]],
    ['in the workspace has its .gitignore files', '', 's/t', '.', ['git a', 'git b', 'git c', null, DOT_GIT]],
  ])('%s', async (_, root, at, name, expected) => {
    const top = makeRepositories({ ...TREE, '.git/info/exclude': 'd\n' }, ['.']);
    beAnother();
    await inWorkspace(join(top, root), async (workspace) => {
      for (const way of WAYS) {
        const call = Budget.unlimited();
        const { judge } = await way(workspace, at, GIT, call);
        const rules = NAMES.map((one) => said(verdictOn(bytesOf(one), 'dir', judge)));
        expect({ way: way.name, rules }).toEqual({ way: way.name, rules: expected });
        expect(call.notes).toEqual([
          `the repository in '${name.replace('{TOP}', top)}' belongs to another user; its settings are not read`,
        ]);
      }
    });
  });

  it('that the user names safe is as any other', async () => {
    const top = makeRepositories({ ...TREE, '.git/info/exclude': 'd\n' }, ['.']);
    writeFileSync(join(process.env.HOME as string, '.gitconfig'), `[safe]\ndirectory = ${top}\n`);
    beAnother();
    await inWorkspace(join(top, 's'), async (workspace) => {
      const call = Budget.unlimited();
      const { judge } = await bound(workspace, 't', GIT, call);
      expect(NAMES.map((name) => said(verdictOn(bytesOf(name), 'dir', judge)))).toEqual([
        'git a',
        'git b',
        'git c',
        'git d',
        DOT_GIT,
      ]);
      expect(call.notes).toEqual([]);
    });
  });
});

it('keys tell what the verdicts depend on, whichever way a directory was reached', async () => {
  const top = makeRepositories({ '.gitignore': 'a\n', '.geminiignore': 'b\n', 's/.gitignore': 'c\n' }, ['.']);
  const choices = [GIT, BOTH, { git: false, gemini: true }, { git: false, gemini: false }];
  const keysOf = (workspace: Workspace, way: typeof bound) =>
    Promise.all(
      choices.map((choice) => Promise.all(['', 's'].map(async (at) => (await way(workspace, at, choice)).key()))),
    );
  await inWorkspace(top, async (workspace) => {
    const keys = await keysOf(workspace, bound);
    expect(await keysOf(workspace, entered)).toEqual(keys);
    // Without git both directories are alike.
    expect(keys.map((both) => new Set(both).size)).toEqual([2, 2, 1, 1]);
    expect(new Set(keys.flat()).size).toBe(6);
  });
  const keysOutside = await inWorkspace(makeTree({}), (workspace) =>
    Promise.all(choices.map(async (one) => (await bound(workspace, '', one)).key())),
  );
  // `.git` is hidden there, too.
  expect(new Set(keysOutside).size).toBe(2);
});

describe('a directory is in a repository', () => {
  it.each<[string, readonly string[], string, string, boolean]>([
    ['that it is the root of', ['.'], '', '', true],
    ['above it', ['.'], '', 'ws/s', true],
    ['above the workspace', ['.'], 'ws', '', true],
    ['far above the workspace', ['.'], 'ws/s', '', true],
    ['inside of the workspace', ['ws'], '', 'ws/s', true],
    ['but not in one beside it', ['other'], '', 'ws/s', false],
    ['nor in one below it', ['ws/s'], '', 'ws', false],
    ['nor in none', [], 'ws', 's', false],
  ])('%s', async (_, repositories, root, at, expected) => {
    const top = makeRepositories({ 'ws/s': null, other: null }, repositories);
    await inWorkspace(join(top, root), async (workspace) => {
      const directory = workspace.enter(asGiven(at === '' ? '.' : at));
      expect((await repositoryAround(directory, Budget.unlimited())) !== null).toBe(expected);
      directory.leave();
    });
  });
});
