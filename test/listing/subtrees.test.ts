/** What the source writes of a subtree is what a walk through it writes, byte by byte, and counted alike. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ENTRY } from '../../src/listing/entry.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { descriptors } from '../support/descriptors.ts';
import { asNobody } from '../support/nobody.ts';
import { interceptBy, withoutTypes } from '../support/odd-calls.ts';
import { rounds } from '../support/rounds.ts';
import {
  type Asked,
  around,
  compared,
  counting,
  hasCalls,
  listed,
  literalOf,
  type Node,
  nested,
  readingsOf,
  surveyed,
  written,
} from '../support/subtrees.ts';
import { addTree, emptyDirectory, makeChain, makeTree, type TreeLiteral } from '../support/tree.ts';

describe.runIf(hasCalls)('an ordinary subtree', () => {
  it('is written without a walk through it', async () => {
    const { text, walked } = await compared(makeTree(nested(4, 'file')));
    expect(text.split('\n')).toHaveLength(1 + Object.keys(nested(4, 'file')).length + 6 * (1 + 3 + 9 + 27));
    // The directory that was asked for, and no other.
    expect(walked).toBe(1);
  });

  it.each<[string, Asked]>([
    ['with NULs', { form: { isNull: true } }],
    ['behind a prefix', { form: { prefix: bytesOf('../some where/') } }],
    ['behind a prefix that has to be quoted', { form: { prefix: bytesOf('é/') } }],
    ['two levels deep', { query: { depth: 2 } }],
    ['three levels deep', { query: { depth: 3 } }],
    ['without dotfiles', { query: { rules: [{ kind: 'dotfiles' }] } }],
    ['in another order', { query: { order: 'name' } }],
    ['the other way round', { query: { order: 'name', reverse: true } }],
    ['directories alone', { query: { select: { pattern: null, types: 'directories' } } }],
    ['files alone', { query: { select: { pattern: null, types: 'files' } } }],
    ['files of two levels', { query: { select: { pattern: null, types: 'files' }, depth: 2 } }],
    ['directories of two levels', { query: { select: { pattern: null, types: 'directories' }, depth: 2 } }],
    ['what matches a pattern', { query: { select: { pattern: '*x', types: 'files' } } }],
    [
      'without what git ignores',
      { query: { rules: [{ kind: 'git-directory' }, { kind: 'ignore-files', git: true, gemini: false }] } },
    ],
  ])('%s', async (_, asked) => {
    const root = makeTree({ ...nested(3, '.hidden'), 'a/b.ts/.gitignore': 'x\n', 'c/.dir/x': '', 'D/e/f/g': '' });
    await compared(root, asked);
  });

  it('has names that are equal but for case, or as far as they go, in order', async () => {
    const long = 'sameBeginning'.repeat(4);
    const names = ['', '1', '2', 'A', 'a', 'aA', 'Aa', 'aa', 'AA', '_', '~', '-', ' ', 'Z', 'z'].flatMap((end) => [
      `${long}${end}`,
      `${long.toUpperCase()}${end}`,
      `same${end}`,
      `x${end}`,
      `sevenn${end}.ts`,
    ]);
    const files = names.map((name, i) => [`in/${name}${i % 3 === 0 ? '/inner' : ''}`, ''] as const);
    const { walked } = await compared(makeTree(Object.fromEntries(files)));
    expect(walked).toBe(1);
  });
});

describe.runIf(hasCalls)('entries of a subtree', () => {
  const files: Asked = { query: { select: { pattern: null, types: 'files' } } };

  it('are taken without a walk, past links to links where these are not selected', async () => {
    const root = makeTree({ ...nested(3, 'file'), 'a/link': { link: '.' }, 'c/gone': { link: 'nowhere' } });
    expect((await compared(root)).walked).toBe(1);
    addTree(root, { 'a/again': { link: 'link' }, 'c/again': { link: 'gone' } });
    expect((await compared(root, files)).walked).toBe(1);
    expect((await compared(root)).walked).toBe(3);
  });

  it('counts once what is on the last level of an obstacle', async () => {
    const root = makeTree({ ...nested(2, 'file'), 'm/a/x': '', 'm/b/x': '', 'm/é': '', 'm/z': '' });
    await compared(root, { query: { select: { pattern: null, types: 'files' }, depth: 2 } });
  });

  it('are of each type', async () => {
    const root = makeTree(nested(2, 'file'));
    execFileSync('mkfifo', [join(root, 'a/pipe')]);
    const { entries, totals } = await listed(root, true, ENTRY, {});
    expect(totals).toMatchObject({ link: 0, other: 1 });
    expect(entries).toContainEqual(expect.objectContaining({ name: 'pipe', parent: 'a', type: 'other' }));
    expect((await compared(root)).walked).toBe(1);
    expect((await compared(root, files)).text).not.toContain('pipe');
  });

  it.each([true, false])(
    'are the same when others have a turn after each directory, or after none: %s',
    async (isDue) => {
      const shorts = Array.from({ length: 3 * 6000 }, (_, i) => [`m/${i % 3}/${i.toString(36)}`, ''] as const);
      const root = makeTree(isDue ? nested(3, 'file') : Object.fromEntries(shorts));
      const expected = await listed(root, false, ENTRY, {});
      const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(isDue);
      const found = await listed(root, true, ENTRY, {});
      due.mockRestore();
      expect(found).toEqual(expected);
    },
  );
});

describe.runIf(hasCalls)('names of any bytes', () => {
  const rules: Asked = {
    query: { rules: [{ kind: 'git-directory' }, { kind: 'ignore-files', git: true, gemini: false }] },
  };
  const words = [
    'Ärger',
    'ärger',
    'é',
    'É.md',
    'z',
    'Z',
    'ключ',
    'КЛЮЧ',
    '日本',
    'İ',
    'ß',
    '😀',
    'x\ny',
    '\x7f',
    'A',
    'ﬀ',
  ];

  const kinds = [null, '', { link: '.' }, { link: 'nothing' }];
  const places = ['in', 'in/Ärger', 'in/日本'];
  const all = places.flatMap((place) => words.map((word, i) => [`${place}/${word}`, kinds[i % kinds.length] ?? null]));
  const repository = { '.git/HEAD': 'ref: refs/heads/main', '.git/objects': null, '.git/refs': null };
  const literal = { ...repository, ...Object.fromEntries(all), 'in/Ärger/.gitignore': 'клю*\n' };

  it.each([
    [{}, 0],
    [rules, 1],
  ])('are in the order of a walk, which no directory takes', async (asked, ignored) => {
    const root = makeTree(literal);
    for (const byte of [0x80, 0xc3, 0xff]) {
      writeFileSync(Buffer.concat([Buffer.from(`${root}/in/Z`), Buffer.of(byte)]), '');
      mkdirSync(Buffer.concat([Buffer.from(`${root}/in/日本/`), Buffer.of(byte)]));
    }
    const { found, opened } = await counting(() => surveyed(root, true, asked));
    expect(found).toEqual(await surveyed(root, false, asked));
    const shown = found.seen.filter(({ links }) => links.includes(bytesOf('ключ')));
    expect(shown).toHaveLength(places.length - ignored);
    expect(opened).toBe(1);
    await compared(root, asked);
  });

  it('take a walk where there are too many to sort at once', async () => {
    const names = Array.from({ length: 600 }, (_, i) => `é${i}`);
    const root = makeTree(Object.fromEntries(names.map((name) => [`in/${name}`, ''])));
    const { found, opened } = await counting(() => surveyed(root, true));
    expect(found).toEqual(await surveyed(root, false));
    expect(opened).toBe(2);
  });
});

/** A tree by chance: mostly ordinary. */
const NAMES = [
  'a',
  'A',
  'b.ts',
  'Foo',
  'foo',
  'foo-bar',
  'node_modules',
  'a b',
  '.h',
  'x.test.ts',
  'eightlet',
  'ninelette',
];
const ODD = ['é', '日本', 'x\ny', '"q', '\x7f', ...NAMES, ...NAMES, ...NAMES, ...NAMES];
const trees = fc.letrec<{ node: Node; directory: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    { arbitrary: fc.constant(null), weight: 4 },
    { arbitrary: fc.constantFrom('.', '..', 'a', '/', 'nothing').map((link) => ({ link })), weight: 1 },
    { arbitrary: tie('directory'), weight: 6 },
  ),
  directory: fc.dictionary(fc.constantFrom(...ODD), tie('node'), { maxKeys: 7, noNullPrototype: true }),
})).directory;

describe.runIf(hasCalls)('any tree', () => {
  it('reads the same', async () => {
    const home = emptyDirectory();
    const asks: Asked[] = [
      {},
      { query: { rules: [{ kind: 'dotfiles' }], depth: 3 } },
      { query: { order: 'name' }, form: { isNull: true } },
      { query: { select: { pattern: null, types: 'files' }, rules: [{ kind: 'dotfiles' }] } },
      { query: { select: { pattern: null, types: 'directories' }, depth: 2 } },
      { query: { select: { pattern: null, types: 'files' }, depth: 2 } },
    ];
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        const root = join(home, 'root');
        mkdirSync(root);
        try {
          addTree(root, literalOf(tree));
          for (const asked of asks) await compared(root, asked);
        } finally {
          rmSync(root, { recursive: true });
        }
      }),
      { numRuns: rounds(15) },
    );
  });
});

describe.runIf(hasCalls)('what is out of the ordinary', () => {
  it.each<[string, number, TreeLiteral]>([
    ['a name that is not ASCII', 2, { 'm/k/é': '', 'm/k/b/x': '' }],
    ['a directory of such a name', 4, { 'm/é/x': '', 'm/é/b/x': '' }],
    ['a name that has to be quoted', 2, { 'm/k/x\ny': '', 'm/k/b/x': '' }],
    ['a link to a directory', 1, { 'm/k/link': { link: '../a' }, 'm/k/b/x': '' }],
    ['a link out of the root', 1, { 'm/k/link': { link: '../../..' }, 'm/k/b/x': '' }],
    ['a link through a link', 2, { 'm/k/link': { link: '../way/a' }, 'm/way': { link: '.' }, 'm/k/b/x': '' }],
    ['a link up again', 2, { 'm/k/link': { link: 'b/../../a' }, 'm/k/b/x': '' }],
    ['an absolute link', 2, { 'm/k/link': { link: '/' }, 'm/k/b/x': '' }],
    ['a link in the directory that it begins with', 1, { 'm/link': { link: 'a' } }],
    ['many links', 2, Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`m/k/link${i}`, { link: '../a' }]))],
  ])('%s is walked through, and the rest is written', async (_, directories, obstacle) => {
    const { walked } = await compared(makeTree(around(obstacle)));
    // The first of them is the one that was asked for.
    expect(walked).toBe(directories);
  });

  it('more directories inside each other than are held open', async () => {
    const root = makeTree({});
    makeChain(root, 120, (directory) => addTree(directory, { 'a/x': '', 'z/x': '' }));
    let [open, most] = [0, 0];
    onTestFinished(() => void interceptBy(null));
    interceptBy((call) => {
      open += call === 'openat' ? 1 : call === 'close' ? -1 : 0;
      most = Math.max(most, open);
      return null;
    });
    const { text, walked } = await compared(root);
    expect(text.split('\n').length).toBe(120 * 5 + 1);
    expect(walked).toBeLessThan(20);
    // A careful system allows 64 descriptors, of which Node has some.
    expect(most).toBeLessThan(54);
  });

  it('a path that is very long', async () => {
    const inner = Array.from({ length: 12 }, () => 'long'.repeat(60)).join('/');
    const form = { prefix: bytesOf(`${'../'.repeat(500)}`) };
    const { text, walked } = await compared(makeTree(around({ [`m/k/${inner}/x`]: '' })), { form });
    expect(text).toContain(`${inner}/x\n`);
    expect(walked).toBeGreaterThan(1);
  });

  it('more entries than are sorted at once', async () => {
    const names = Array.from({ length: 10_000 }, (_, i) => [`m/k/f${(i * 7919) % 10_007}`, ''] as const);
    const root = makeTree(around(Object.fromEntries(names)));
    expect((await compared(root)).walked).toBe(1);
    addTree(root, { 'm/k/oneMore': '' });
    expect((await compared(root)).walked).toBe(2);
  });

  it('a directory that is much larger, of which it does not read all before', async () => {
    const names = Array.from({ length: 15_000 }, (_, i) => [`m/k/${'long'.repeat(15)}${i}`, ''] as const);
    const root = makeTree(Object.fromEntries(names));
    const readings = (atOnce: boolean) => readingsOf(() => written(root, atOnce));
    // It reads 32 KB at a time; 10,000 such entries take 27 times that, all of them 41.
    expect((await readings(true)) - (await readings(false))).toBeLessThan(32);
  });

  it('more bytes than there is room for', async () => {
    const namesIn = (directory: string) =>
      Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${directory}/${i}${'n'.repeat(240)}`, '']));
    const root = makeTree({ ...namesIn('m/k'), ...namesIn('m/k/l') });
    expect((await compared(root)).walked).toBe(1);
    addTree(root, namesIn('m/k/l/p'));
    expect((await compared(root)).walked).toBe(2);
  });

  it('a directory that must not be read', async () => {
    const root = makeTree(around({ 'm/k/x': '' }));
    await asNobody(root, ['m/k'], async () => {
      expect((await written(root, true)).unreadable).toEqual([
        { path: 'm/k', reason: expect.stringContaining('denied') },
      ]);
      await compared(root);
    });
  });

  it.each(['EACCES', 'EIO', 'ENOENT', 'ENOTDIR', 'ELOOP', 'EMFILE', 'ENOMEM'])(
    'a directory that cannot be opened: %s',
    async (code) => {
      const root = makeTree(around({ 'm/k/x': '' }));
      onTestFinished(() => void interceptBy(null));
      interceptBy((call, name) => (call === 'openat' && name === 'k' ? { code } : null));
      const failure = (error: unknown) => `${error}`;
      expect(await written(root, true).catch(failure)).toEqual(await written(root, false).catch(failure));
    },
  );

  it('a directory that cannot be read to its end', async () => {
    const root = makeTree(around({ 'm/k/x': '' }));
    onTestFinished(() => void interceptBy(null));
    let isInside = false;
    interceptBy((call, name) => {
      if (call === 'openat') isInside = name === 'k';
      return call === 'getdents64' && isInside ? { code: 'EIO' } : null;
    });
    const { text, unreadable } = await written(root, true);
    expect(unreadable).toEqual([{ path: 'm/k', reason: expect.any(String) }]);
    expect(text).toBe((await written(root, false)).text);
  });

  it('a file system that does not tell types', async () => {
    const root = makeTree(around({ 'm/link': { link: 'a' } }));
    const expected = await written(root, false);
    onTestFinished(() => void interceptBy(null));
    interceptBy(withoutTypes);
    expect(await written(root, true)).toEqual(expected);
  });

  it('answers that come in pieces, and calls that a signal interrupts', async () => {
    const root = makeTree(around({}));
    const expected = await written(root, false);
    onTestFinished(() => void interceptBy(null));
    let count = 0;
    interceptBy((call) => {
      if (call !== 'getdents64' && call !== 'openat') return null;
      if (++count % 3 === 0) return { code: 'EINTR' };
      return call === 'getdents64' ? { most: 40 } : null;
    });
    expect(await written(root, true)).toEqual(expected);
  });
});

describe.runIf(hasCalls)('a walk that has to end', () => {
  it.each([true, false])('closes what it takes over, and what it has, when it cannot go on: %s', async (atOnce) => {
    const deep = Array.from({ length: 45 }, (_, i) => `d${i}`);
    const root = makeTree({ [`${deep.join('/')}/x`]: '' });
    for (let i = 1; i < 7; i++) addTree(root, { [`${deep.slice(0, i).join('/')}/é`]: '' });
    const before = descriptors();
    onTestFinished(() => void interceptBy(null));
    let opened = 0;
    interceptBy((call, name) => {
      if (call === 'openat') opened++;
      return call === 'statx' && name === '' && opened > 30 ? { code: 'EIO' } : null;
    });
    await written(root, atOnce).catch(() => {});
    interceptBy(null);
    expect(descriptors()).toBe(before);
  });

  it('closes what is open, and the next begins anew', async () => {
    const files = Array.from({ length: 5000 }, (_, i) => [`a/b/c/d/${'long'.repeat(20)}${i}`, ''] as const);
    const root = makeTree(Object.fromEntries(files));
    const before = descriptors();
    const controller = new AbortController();
    const budget = new Budget({ signal: controller.signal });
    const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockImplementation(function (this: Budget) {
      if (this.entriesRead >= 5000) controller.abort();
      return true;
    });
    const { stopped, text } = await written(root, true, { budget });
    due.mockRestore();
    expect(stopped).toBe('aborted');
    expect(text.length).toBeGreaterThan(0);
    expect(text.split('\n').length).toBeLessThan(5000);
    expect(descriptors()).toBe(before);
    await compared(root);
  });

  it('and another that goes on meanwhile do not meet', async () => {
    const trees = ['one', 'two'].map((name) => makeTree(nested(4, name)));
    const due = vi.spyOn(Budget.prototype, 'isDue', 'get').mockReturnValue(true);
    const found = await Promise.all(trees.map((root) => written(root, true)));
    due.mockRestore();
    for (const [i, root] of trees.entries()) expect(found[i]).toEqual(await written(root, false));
  });
});
