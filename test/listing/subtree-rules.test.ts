/** Rules in subtrees that the source writes: they hide there what they hide in a walk, and what git ignores. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import type { RuleSpec } from '../../src/rules/rule-spec.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { LARGEST_RULE_FILE } from '../../src/workspace/source.ts';
import { movedClock } from '../support/clock.ts';
import { descriptors } from '../support/descriptors.ts';
import { gitsFiles, REPOSITORY } from '../support/git.ts';
import { asNobody } from '../support/nobody.ts';
import { interceptBy, withoutTypes } from '../support/odd-calls.ts';
import { isolateGit } from '../support/repository.ts';
import { type Asked, around, compared, filesIn, hasCalls, readingsOf, written } from '../support/subtrees.ts';
import { addTree, makeChain, makeTree, type TreeLiteral } from '../support/tree.ts';

const GIT: RuleSpec = { kind: 'ignore-files', git: true, gemini: false };
const GEMINI: RuleSpec = { kind: 'ignore-files', git: false, gemini: true };
const BOTH: RuleSpec = { kind: 'ignore-files', git: true, gemini: true };
const BY_GIT: Asked = { query: { rules: [GIT] }, form: { isNull: true } };

isolateGit();

function repository(tree: TreeLiteral): string {
  return makeTree({ ...REPOSITORY, ...tree });
}

/** Both ways, and git's own; how many directories the walk itself opened. */
async function comparedWithGit(root: string): Promise<number> {
  const { text, walked } = await compared(root, BY_GIT);
  expect(filesIn(text)).toEqual(gitsFiles(root));
  return walked;
}

const PLACES = ['', 'src/', 'src/lib/in/', 'src/generated/deep/', 'a/b/', 'src/a/b/', 'x/y/', 'src/x/y/z/', 'Build/'];
const FILES = ['one.o', 'keep.o', 'two.ts', 'data.json', 'LOUD.TXT', 't1', 't2', 'logs', 'a*', '.hidden'];
const PROJECT: TreeLiteral = Object.assign(
  {
    'src/lib/logs/inner': '',
    'docs/logs/inner': '',
    'docs/x': '',
    'docs/keep/a/b': '',
    'src/lib/in/b/c/d.json': '',
    'src/lib/in/b/t1': '',
  },
  ...PLACES.flatMap((place) => FILES.map((name) => ({ [`${place}${name}`]: '' }))),
);

/** Patterns of which each has two ends. */
function manyPatterns(start: string, count: number): string {
  return Array.from({ length: count }, (_, i) => `${start}${i}*x\n`).join('');
}

describe.runIf(hasCalls)('an ordinary repository', () => {
  it.each<[string, TreeLiteral]>([
    ['a name', { '.gitignore': 'logs\n' }],
    ['a name, further down', { 'src/.gitignore': 'logs\n' }],
    ['an extension', { 'src/lib/.gitignore': '*.o\n' }],
    ['a name in a directory alone', { '.gitignore': 'logs/\n' }],
    ['a pattern of directories alone', { '.gitignore': 'd*s/\nt*1/\n*e?p/\n', 'src/.gitignore': '[a-b]/\nl*/\n' }],
    ['an anchored name', { 'src/.gitignore': '/a\n/one.o\n' }],
    ['a path', { '.gitignore': 'src/a/b\nx/y/t1\n', 'src/.gitignore': 'x/y/z/t2\n' }],
    ['a path of any directories', { '.gitignore': '**/x/y\n' }],
    ['what is in a directory', { '.gitignore': 'x/**\n', 'src/.gitignore': 'lib/in/**\n' }],
    ['what is in a directory, wherever that is', { '.gitignore': '**/y/**\n' }],
    [
      'what is brought back',
      { '.gitignore': '*.o\n!keep.o\n', 'src/.gitignore': '!one.o\nt?\n', 'a/.gitignore': '!*.o\n' },
    ],
    ['everything but some', { '.gitignore': '*\n!*/\n!*.ts\n' }],
    ['everything further down', { 'src/.gitignore': '*\n', 'a/b/.gitignore': '*\n!two.ts\n' }],
    ['brackets', { '.gitignore': 't[12]\n*.[oa]\n[[:upper:]]*\n' }],
    ['a bracket that no slash matches', { 'src/.gitignore': 'a[/]b\n[!a-z]*\n' }],
    ['an escaped star', { '.gitignore': 'a\\*\n' }],
    ['rules that sleep', { '.gitignore': '**/generated/**/*.json\n**/x/*/t1\n*/lib/**/d.json\n' }],
    [
      'rules that sleep, and others that bring back',
      { '.gitignore': '*.json\n!**/generated/**/*.json\n!*/lib/in/*.json\n' },
    ],
    ['rules that sleep further down', { 'src/.gitignore': '**/y/**/t1\n*/deep/*.o\n**/in/**\n' }],
    ['comments alone', { '.gitignore': '# nothing\n', 'src/.gitignore': '\n', 'docs/.gitignore': '' }],
    ['dotfiles', { '.gitignore': '.*\n!.gitignore\n' }],
    ['a file of the repository', { '.git/info/exclude': '*.o\n/src/a\n', 'src/.gitignore': '!keep.o\n' }],
    [
      'whatever the case',
      { '.git/config': '[core]\n\tignorecase = true\n', '.gitignore': 'build\n*.txt\nTWO*\nSRC/LIB\n**/X/*/T1\n' },
    ],
    [
      'in this very case',
      {
        '.git/config': '[core]\n\tignorecase = false\n',
        '.gitignore': 'build\n*.txt\nTWO*\nSRC/LIB\n**/X/*/T1\nBuild\n',
      },
    ],
    ['more than are looked at one by one', { '.gitignore': `${manyPatterns('t', 70)}o*e.o\n` }],
    [
      'more than that in several files',
      Object.fromEntries(
        ['', 'src/', 'src/lib/', 'src/lib/in/', 'src/lib/in/b/'].map((place, i) => [
          `${place}.gitignore`,
          `${manyPatterns(`${i}`, 15)}${'tdkoL'[i]}*[1nos]\n`,
        ]),
      ),
    ],
  ])('hides %s, without a walk', async (_, files) => {
    const root = repository({ ...PROJECT, ...files });
    expect(await comparedWithGit(root)).toBe(1);
  });

  it('hides what the user ignores everywhere', async () => {
    addTree(process.env.HOME as string, { '.config/git/ignore': 'logs/\n/x\n*.o\n' });
    const root = repository({ ...PROJECT, 'src/.gitignore': '!keep.o\n' });
    const { text, walked } = await compared(root, BY_GIT);
    expect(filesIn(text)).toEqual(gitsFiles(root, { HOME: process.env.HOME }));
    expect(text).not.toContain('logs/');
    expect(walked).toBe(1);
  });

  it.each(['src', 'src/lib', 'a'])('is listed from %s on', async (path) => {
    const rules = { '.gitignore': '*.o\nsrc/lib/in\n**/b/**/d.json\n', 'src/.gitignore': '!keep.o\n/a/b/t1\n' };
    const { text, walked } = await compared(repository({ ...PROJECT, ...rules }), { query: { path, rules: [GIT] } });
    expect(text).not.toContain('one.o');
    expect(text.includes('keep.o')).toBe(path === 'src');
    expect(walked).toBe(1);
  });

  it('is listed from below a directory that has the rules', async () => {
    const root = join(
      repository({ ...PROJECT, '.gitignore': 'src/lib/in\n*.o\n', 'src/.gitignore': 'x/y/z\n' }),
      'src',
    );
    const { text, walked } = await compared(root, BY_GIT);
    expect(filesIn(text)).toEqual(gitsFiles(root));
    expect(text).not.toMatch(/in\/t1|z\/t1/);
    expect(walked).toBe(1);
  });
});

describe.runIf(hasCalls)('rules together', () => {
  const NOISE: TreeLiteral = {
    ...PROJECT,
    'src/node_modules/p/index.js': '',
    'src/lib/dist': '',
    'docs/build/out': '',
    'docs/.cache/z': '',
    'src/.venv/z': '',
  };
  const rules = { '.gitignore': '*.o\n.h*\n', 'src/.gitignore': '!keep.o\ndist\nlib/in/t*\n' };

  it.each<[string, Asked['query'], TreeLiteral]>([
    ['dotfiles, noise and git', { rules: [{ kind: 'dotfiles' }, { kind: 'builtin-names' }, GIT] }, {}],
    ['git, dotfiles and noise', { rules: [GIT, { kind: 'dotfiles' }, { kind: 'builtin-names' }] }, {}],
    ['noise alone', { rules: [{ kind: 'builtin-names' }] }, {}],
    ['dotfiles and noise', { rules: [{ kind: 'dotfiles' }, { kind: 'builtin-names' }] }, {}],
    ['.git and dotfiles', { rules: [{ kind: 'git-directory' }, { kind: 'dotfiles' }] }, {}],
    ['.geminiignore', { rules: [GEMINI] }, { '.geminiignore': '*.json\n/src/a\n**/y/**/t1\n' }],
    ['.geminiignore and git', { rules: [BOTH] }, { '.geminiignore': '*.json\n/src/a\n' }],
    ['.geminiignore that brings back', { rules: [BOTH] }, { '.geminiignore': '!one.o\n!src/lib/dist\n!lib/in/t1\n' }],
    [
      '.geminiignore that brings back directories',
      { rules: [BOTH] },
      { 'a/.gitignore': 'b\n', '.geminiignore': '!a/b\n' },
    ],
    [
      'all of them',
      { rules: [{ kind: 'dotfiles' }, { kind: 'builtin-names' }, BOTH] },
      { '.geminiignore': '!*.o\nt1\n' },
    ],
    ['files alone', { rules: [BOTH], select: { pattern: null, types: 'files' } }, {}],
    ['directories alone', { rules: [BOTH], select: { pattern: null, types: 'directories' } }, {}],
    ['two levels', { rules: [GIT], depth: 2 }, {}],
    ['three levels of files', { rules: [GIT], depth: 3, select: { pattern: null, types: 'files' } }, {}],
    ['three levels of directories', { rules: [GIT], depth: 3, select: { pattern: null, types: 'directories' } }, {}],
  ])('%s hide the same, without a walk', async (_, query, more) => {
    const root = repository({ ...NOISE, ...rules, ...more });
    const { walked } = await compared(root, { query: { ...query } });
    expect(walked).toBe(1);
    const { hidden } = await written(root, true, { query: { ...query } });
    expect(hidden).not.toEqual([]);
  });

  it('a directory that is brought back comes with its contents, without a walk', async () => {
    const root = repository({
      ...NOISE,
      'a/.gitignore': 'b\n',
      'a/b/.gitignore': 't1\n',
      '.geminiignore': '!a/b\n*.ts\n',
    });
    const { text, walked } = await compared(root, { query: { rules: [BOTH] } });
    expect(text).toContain('\na/b/t1\n');
    expect(text).not.toContain('a/b/two.ts');
    expect(walked).toBe(1);
  });

  it.each<[string, readonly RuleSpec[]]>([
    ['patterns', [{ kind: 'patterns', patterns: ['t1', '*.json'] }, GIT]],
    ['patterns of names', [GIT, { kind: 'name-patterns', patterns: ['t*'] }]],
  ])('%s of a call hide the same, with a walk that reads each directory once', async (_, asked) => {
    const root = repository({ ...NOISE, ...rules });
    await compared(root, { query: { rules: asked } });
    const readings = (atOnce: boolean) => readingsOf(() => written(root, atOnce, { query: { rules: asked } }));
    expect(await readings(true)).toBe(await readings(false));
  });

  it('git has no say in an ignored directory that is listed, nor where there is no repository', async () => {
    const tree = { ...NOISE, '.gitignore': 'src\n', 'src/.gitignore': 'lib\n', 'src/lib/.gitignore': 't1\n' };
    const query = { path: 'src', rules: [{ ...GIT, showsListed: true }] };
    for (const root of [repository(tree), makeTree(tree)]) {
      const { text, walked } = await compared(root, { query });
      expect(text).toContain('lib/in/t1\n');
      expect(walked).toBe(1);
    }
    expect((await compared(repository(tree), { query: { path: 'src', rules: [GIT] } })).text).toBe('');
  });
});

/** In and around `m/k` each directory has something that a rule of its own, or of one above, hides. */
const RULED: TreeLiteral = {
  '.gitignore': '*.o\n/m/z/y/no\n**/k/**/*.tmp\n',
  'm/.gitignore': '!yes.o\nno\nk/b/never\n',
  'm/k/.gitignore': '!no\n/b/x\n*.ts\n',
  'm/z/.gitignore': 'file\n!no\n',
  ...Object.fromEntries(
    ['a/', 'm/', 'm/a/', 'm/k/', 'm/k/b/', 'm/k/c/d/', 'm/z/', 'm/z/y/', 'zz/'].flatMap((place) =>
      ['x.o', 'yes.o', 'no', 'x.ts', 'never', 'x.tmp'].map((name) => [`${place}${name}`, '']),
    ),
  ),
};

describe.runIf(hasCalls)('behind what is out of the ordinary, rules are as before', () => {
  it.each<[string, number, TreeLiteral]>([
    ['nothing', 1, {}],
    ['a link', 1, { 'm/k/link': { link: '..' } }],
    ['a link to a link', 2, { 'm/k/link': { link: 'b/other' }, 'm/k/b/other': { link: '../c' } }],
    ['a link that is hidden', 1, { 'm/k/link.o': { link: '..' } }],
    ['a name that is not ASCII', 2, { 'm/k/é': '' }],
    ['such a name that is hidden', 1, { 'm/k/é.ts': '' }],
    ['a directory of such a name', 3, { 'm/k/é/no': '', 'm/k/é/x.ts': '' }],
    ['a line end in a name', 2, { 'm/k/x\ny': '' }],
    ['a link in the directory that it begins with', 1, { 'm/link': { link: 'a' } }],
    [
      'one in each directory',
      9,
      Object.fromEntries(
        ['', 'a/', 'm/', 'm/a/', 'm/k/', 'm/k/b/', 'm/k/c/d/', 'm/z/', 'm/z/y/'].map((at) => [`${at}é`, '']),
      ),
    ],
  ])('%s', async (_, directories, obstacle) => {
    const root = repository(around({ ...RULED, ...obstacle }));
    expect(await comparedWithGit(root)).toBe(directories);
    for (const types of ['files', 'directories'] as const)
      await compared(root, { query: { rules: [GIT], select: { pattern: null, types }, depth: 4 } });
  });

  it('more entries than are sorted at once', async () => {
    const many = Array.from({ length: 10_100 }, (_, i) => [`m/k/c/f${i}`, ''] as const);
    const root = repository({ ...RULED, ...Object.fromEntries(many), 'm/k/.gitignore': 'f*7\n!no\n' });
    expect(await comparedWithGit(root)).toBe(2);
  });

  it('more directories inside each other than are held open', async () => {
    const root = repository({ '.gitignore': 'x\n**/d/**/*.tmp\n' });
    let level = 0;
    makeChain(root, 60, (directory) => {
      const rules = ['x\n', '!x\n', 'd/a/y\n', '/z/x\n'][level++ % 7];
      addTree(directory, { 'a/x': '', 'a/y': '', 'z/x': '', 'z/x.tmp': '', ...(rules && { '.gitignore': rules }) });
    });
    expect(await comparedWithGit(root)).toBeLessThan(10);
  });

  it('a path that is very long', async () => {
    const long = Array.from({ length: 12 }, (_, i) => `${i}${'long'.repeat(60)}`);
    const root = repository({ ...RULED, [`m/k/${long.join('/')}/x.ts`]: '' });
    for (const at of [2, 6, 10]) addTree(root, { [`m/k/${long.slice(0, at).join('/')}/.gitignore`]: '!*.ts\nno\n' });
    const form = { prefix: bytesOf('../'.repeat(500)) };
    expect((await compared(root, { ...BY_GIT, form })).walked).toBeGreaterThan(1);
    await comparedWithGit(root);
  });

  it('a file system that does not tell types', async () => {
    const root = repository(around({ ...RULED, 'm/k/link': { link: 'b' } }));
    const expected = await written(root, false, BY_GIT);
    onTestFinished(() => void interceptBy(null));
    interceptBy(withoutTypes);
    expect(await written(root, true, BY_GIT)).toEqual(expected);
  });

  it('directories and ignore files that must not be read', async () => {
    const root = repository(around(RULED));
    // A repository that belongs to somebody else has no say.
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', '65534', root]);
    for (const locked of [['m/k'], ['m/k/b'], ['m/k/.gitignore'], ['m/.gitignore', 'm/k/c']]) {
      await asNobody(root, locked, async () => {
        const { unreadable, notes } = await written(root, true, BY_GIT);
        expect(unreadable.length + notes.length).toBe(locked.length);
        await compared(root, BY_GIT);
      });
    }
  });

  it.each(['EACCES', 'EIO', 'ENOENT', 'ELOOP', 'EMFILE', 'ENOMEM'])('an ignore file that fails: %s', async (code) => {
    const root = repository(around(RULED));
    const before = descriptors();
    onTestFinished(() => void interceptBy(null));
    for (const failing of ['statx', 'openat']) {
      const run = async (atOnce: boolean) => {
        let count = 0;
        // The second is that of `m`.
        interceptBy((call, name) => (call === failing && name === '.gitignore' && ++count > 1 ? { code } : null));
        return written(root, atOnce, BY_GIT).catch((error) => `${error}`);
      };
      expect(await run(true)).toEqual(await run(false));
      interceptBy(null);
      expect(descriptors()).toBe(before);
    }
  });
});

describe.runIf(hasCalls)('a repository in another', () => {
  const inner = (path: string, tree: TreeLiteral) =>
    Object.fromEntries(Object.entries(tree).map(([name, content]) => [`${path}/${name}`, content]));

  it('has its own rules, and is walked through', async () => {
    const root = repository(around({ ...RULED, ...inner('m/k', REPOSITORY), 'm/k/c/.gitignore': 'never\n' }));
    const { text, walked } = await compared(root, BY_GIT);
    expect(filesIn(text).filter((path) => path.startsWith('m/k/'))).toEqual(
      gitsFiles(join(root, 'm/k')).map((path) => `m/k/${path}`),
    );
    // The rules of `m` and of the root hide nothing there, and everything as before behind it.
    expect(text).toContain('\0m/k/b/x.o\0');
    expect(text).not.toMatch(/m\/z\/x.o|m\/z\/file/);
    expect(walked).toBe(2);
  });

  it.each<[string, TreeLiteral]>([
    ['a file that leads to it', { '.git': 'gitdir: ../../.git\n' }],
    ['a file that leads nowhere', { '.git': 'gitdir: nowhere\n' }],
    ['nothing but the name', { '.git': null }],
    ['a link', { '.git': { link: '../../.git' } }],
    ['another name that ends or begins so', { '.gitx': '', 'x.git': '', '.gitignores': '', '.gitignorx': '' }],
    ['the name in capitals', { '.GIT/x': '' }],
    [
      'the name in capitals, and case does not count',
      { '.GIT/x': '', '../../.git/config': '[core]\n\tignorecase = true\n' },
    ],
  ])('or what looks like one: %s', async (_, tree) => {
    const root = repository(around({ ...RULED, ...inner('m/k', tree) }));
    const { walked } = await compared(root, BY_GIT);
    expect(walked).toBe('.git' in tree ? 2 : 1);
    for (const rules of [[{ kind: 'dotfiles' }, GIT], [{ kind: 'builtin-names' }], [GEMINI]] satisfies RuleSpec[][])
      await compared(root, { query: { rules } });
  });

  it('is met where the walk begins', async () => {
    const root = makeTree({
      ...inner('a', REPOSITORY),
      'a/.gitignore': '*.o\n',
      'a/x.o': '',
      'a/b/x.o': '',
      'b/x.o': '',
    });
    const { text } = await compared(root, BY_GIT);
    expect(filesIn(text)).toEqual(['a/.gitignore', 'b/x.o']);
  });
});

describe.runIf(hasCalls)('an ignore file that cannot be used', () => {
  it.each<[string, (path: string) => void]>([
    ['a link', (path) => addTree(path, { '.gitignore': { link: '../a' } })],
    ['a directory', (path) => addTree(path, { '.gitignore': null })],
    ['a directory with something in it', (path) => addTree(path, { '.gitignore/x.o': '' })],
    ['a pipe', (path) => execFileSync('mkfifo', [join(path, '.gitignore')])],
    ['too large', (path) => addTree(path, { '.gitignore': `x.ts\n${'#'.repeat(LARGEST_RULE_FILE)}` })],
  ])('%s', async (_, make) => {
    const { 'm/k/.gitignore': __, ...others } = RULED;
    const root = repository(around(others));
    make(join(root, 'm/k'));
    await compared(root, BY_GIT);
    const { text, notes } = await written(root, true, BY_GIT);
    expect(notes).toEqual([expect.stringContaining('m/k/.gitignore')]);
    // The rules above hold, and the others of their directories.
    expect(text).toContain('m/k/x.ts');
    expect(text).not.toMatch(/m\/k\/no|m\/k\/x.o|m\/z\/file/);
  });
});

describe.runIf(hasCalls)('many rules', () => {
  const KINDS = ['name', '*.ext', 'a*b', '/at', 'm/at', '**/in/**/of', 'm/**/x*', '[xyz]q', 'only/', '!back'];
  const many = (count: number) =>
    `${Array.from({ length: count }, (_, i) => `${KINDS[i % KINDS.length]}${i}`).join('\n')}\n*.o\n!yes.o\n`;

  it('at the root hide what they hide, without a walk', async () => {
    const root = repository(around({ ...RULED, '.gitignore': many(2000) }));
    expect(await comparedWithGit(root)).toBe(1);
  });

  it('further down take a walk', async () => {
    const root = repository(around({ ...RULED, 'm/k/.gitignore': many(3000) }));
    expect(await comparedWithGit(root)).toBe(2);
  });

  it('are read once', async () => {
    // Together they are more than half of what a call reads.
    const large = (i: number) => `#${'-'.repeat(1024 * 1024 - 100)}${i}\nno\n`;
    const ruled = Array.from({ length: 36 }, (_, i) => ({ [`m/d${i}/.gitignore`]: large(i), [`m/d${i}/no`]: '' }));
    const { text } = await compared(repository(Object.assign({}, ...ruled)), { query: { rules: [GIT] } });
    expect(text).not.toContain('/no\n');
  });

  describe('that cost much give others a turn', () => {
    // No end of a name tells that they do not match.
    const costly = (count: number) => Array.from({ length: count }, (_, i) => `${'*a'.repeat(20)}*${i}b*\n`).join('');
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`m/${i % 3}/${'a'.repeat(200)}${i}`, '']));
    /** The most work between two turns, by a clock that goes as fast as the work is done. */
    const longest = async (root: string, atOnce: boolean) => {
      let [last, most] = [0, 0];
      const budget: Budget = new Budget({
        timeLimit: Number.POSITIVE_INFINITY,
        onProgress: () => {
          most = Math.max(most, budget.work - last);
          last = budget.work;
        },
      });
      const clock = movedClock(() => (budget.work ?? 0) / 50_000);
      await written(root, atOnce, { ...BY_GIT, budget });
      clock.mockRestore();
      return { most, all: budget.work };
    };

    it('as often as in a walk', async () => {
      const root = repository({ '.gitignore': costly(300), ...files(180) });
      const [ours, walks] = [await longest(root, true), await longest(root, false)];
      // Of a directory some is done before it is left to the walk: 200,000 steps, and one name more.
      expect(ours.most).toBeLessThan(walks.most + 500_000);
      expect(ours.all).toBeGreaterThan(10 * ours.most);
    });

    it('and one name costs no more than its bound', async () => {
      const root = repository({ '.gitignore': costly(20_000), ...files(1) });
      for (const { most } of [await longest(root, true), await longest(root, false)]) {
        expect(most).toBeGreaterThan(900_000);
        expect(most).toBeLessThan(1_200_000);
      }
    });
  });
});

describe.runIf(hasCalls)('while others have a turn after each directory', () => {
  it('each walk has its own rules', async () => {
    const trees: TreeLiteral[] = [
      RULED,
      { ...RULED, 'm/k/é': '' },
      { ...RULED, '.gitignore': '*.ts\n', 'm/.gitignore': 'x.o\n', 'm/z/.gitignore': '*\n' },
    ];
    const roots = trees.map((tree) => repository(around(tree)));
    const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    const found = await Promise.all(roots.map((root) => written(root, true, BY_GIT)));
    due.mockRestore();
    for (const [i, root] of roots.entries()) expect(found[i]).toEqual(await written(root, false, BY_GIT));
  });
});

describe.runIf(hasCalls)('a walk with rules that has to end', () => {
  it.each(['aborted', 'timeout'] as const)('has what it had written, and nothing open: %s', async (reason) => {
    const root = repository(around({ ...RULED, 'm/k/é': '' }));
    const whole = await written(root, false, BY_GIT);
    const before = descriptors();
    for (let turns = 1; turns < 40; turns += 3) {
      let left = turns;
      const controller = new AbortController();
      const budget = reason === 'aborted' ? new Budget({ signal: controller.signal }) : Budget.unlimited();
      const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockImplementation(() => {
        if (left-- === 0) {
          if (reason === 'aborted') controller.abort();
          else budget.stopped ??= 'timeout';
        }
        return true;
      });
      const { text, stopped, totals } = await written(root, true, { ...BY_GIT, budget });
      due.mockRestore();
      expect(stopped).toBe(reason);
      expect(whole.text.startsWith(text)).toBe(true);
      // Each line is counted, and no other.
      expect(totals.file + totals.dir).toBe(text.split('\0').length - 1);
      expect(descriptors()).toBe(before);
    }
    await compared(root, BY_GIT);
  });

  it('while an ignore file is compiled', async () => {
    const root = repository(around(RULED));
    writeFileSync(join(root, 'm/k/.gitignore'), Array.from({ length: 9000 }, (_, i) => `compiled${i}\n`).join(''));
    const before = descriptors();
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const controller = new AbortController();
    const checkpoint = vi.spyOn(Budget.prototype, 'checkpoint').mockImplementation(async function (this: Budget) {
      // The walk is under way: what waits is a file.
      if (this.entriesRead > 0) controller.abort();
      this.throwIfOver();
    });
    const { stopped } = await written(root, true, { ...BY_GIT, budget: new Budget({ signal: controller.signal }) });
    checkpoint.mockRestore();
    expect(stopped).toBe('aborted');
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).not.toHaveBeenCalled();
    expect(descriptors()).toBe(before);
    await compared(root, BY_GIT);
  });
});
