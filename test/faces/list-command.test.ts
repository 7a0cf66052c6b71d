/** The command for people who know ls, fd and eza: each option that they would type. */
import { chmodSync, linkSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { displayWidth } from '../../src/text/display-width.ts';
import { agentLs } from '../support/command-line.ts';
import { addTree, makeTree } from '../support/tree.ts';

const HERE = process.cwd();
afterEach(() => process.chdir(HERE));

/** Makes a tree, and goes there. */
function inTree(tree: Parameters<typeof makeTree>[0]): string {
  const root = makeTree(tree);
  process.chdir(root);
  return root;
}

const lines = async (...words: string[]) => (await agentLs(words)).out.split('\n');
const seen = async (...words: string[]) =>
  (await agentLs(words, { isTerminal: true, environment: { TERM: 'dumb' } })).out;

describe('paths that can be piped on', () => {
  beforeEach(() => void inTree({ 'src/lib/a b.ts': '', 'src/x.ts': '', '-dir/y': '', 'z.md': '' }));

  it.each([
    [
      ['-R', 'src', '--files'],
      ['src/lib/a b.ts', 'src/x.ts'],
    ],
    [['-R', './src/', '--dirs'], ['src/lib/']],
    [
      ['-L', '1', 'src'],
      ['lib/', 'x.ts'],
    ],
    [
      ['--depth', '2', 'src', '--sort', 'name', '-r'],
      ['src/x.ts', 'src/lib/', 'src/lib/a b.ts'],
    ],
    [
      ['-R', '--files', '-p', '*.ts'],
      ['src/lib/a b.ts', 'src/x.ts'],
    ],
    [['-R', '--', '-dir'], ['./-dir/y']],
    [['src'], ['lib/', 'x.ts']],
  ])('%j', async (words, expected) => {
    expect(await lines(...words)).toEqual(expected);
  });

  it('are absolute where the path is', async () => {
    expect(await lines('-R', '--files', join(process.cwd(), 'src/lib'))).toEqual([`${process.cwd()}/src/lib/a b.ts`]);
  });

  it('lead up where the path does', async () => {
    process.chdir('src');
    expect(await lines('-R', '--files', '../-dir')).toEqual(['../-dir/y']);
  });

  it('end with NUL by -0, byte by byte, also on a terminal', async () => {
    addTree('.', { 'src/new\nline': '' });
    for (const isTerminal of [false, true]) {
      const { out } = await agentLs(['-0', '-R', 'src', '--files'], { isTerminal });
      expect(out).toBe('src/lib/a b.ts\0src/new\nline\0src/x.ts\0');
      expect((await agentLs(['--null', 'src'], { isTerminal })).out).toBe('lib/\0new\nline\0x.ts\0');
    }
    expect(await agentLs(['-0', '-l'])).toMatchObject({ status: 2, err: expect.stringContaining('--null and --long') });
  });

  it('of a long listing have the same beginning', async () => {
    expect((await lines('-lR', 'src')).map((line) => line.split('  ').at(-1))).toEqual([
      ...['src/lib/', 'src/lib/a b.ts', 'src/x.ts'],
    ]);
  });
});

describe('several paths', () => {
  beforeEach(() => void inTree({ 'src/x.ts': '', 'src/.env': '', 'docs/a.md': '', 'z.md': '', link: { link: 'src' } }));

  it('print files first, and each entry with its path', async () => {
    expect(await lines('src', 'z.md', 'docs')).toEqual(['z.md', 'src/x.ts', 'docs/a.md']);
  });

  it('have headings on a terminal', async () => {
    expect(await seen('src', 'z.md', 'docs')).toBe(
      'z.md\n\nsrc:\nx.ts\n1 hidden (1 dotfile); -a shows it\n\ndocs:\na.md',
    );
  });

  it('may be a file alone, also a hidden one, in detail and confined', async () => {
    expect(await lines('z.md')).toEqual(['z.md']);
    expect(await lines('src/.env')).toEqual(['src/.env']);
    expect(await lines('-l', 'z.md')).toEqual([expect.stringMatching(/^-rw.* {2}0 {2}\S+ \S+ {2}z\.md$/)]);
    expect(await lines('x.ts', '--root', 'src')).toEqual(['x.ts']);
    expect(JSON.parse((await agentLs(['z.md', '--json'])).out)).toMatchObject({
      entries: [{ path: 'z.md', type: 'file' }],
    });
  });

  it('may be a link alone that leads nowhere', async () => {
    symlinkSync('nowhere', 'broken');
    expect(await lines('broken')).toEqual(['broken']);
    expect((await lines('-l', 'broken')).at(-1)).toMatch(/broken -> nowhere$/);
  });

  it('have no status of git, and that is said', async () => {
    const { out, err } = await agentLs(['-l', '--git', 'z.md']);
    expect(out).toContain('z.md');
    expect(err).toContain('--git shows the status of entries in a directory');
  });

  it('-d lists directories themselves, and links', async () => {
    expect(await lines('-d', 'src', 'link', '.', 'z.md')).toEqual(['./', 'link', 'src/', 'z.md']);
    expect(await lines('-d')).toEqual(['./']);
    expect((await lines('-ld', 'link')).at(-1)).toMatch(/link -> src$/);
  });

  it('that are not there do not keep the others from being listed', async () => {
    const { status, out, err } = await agentLs(['src', 'zz.md', 'docs']);
    expect({ status, out }).toEqual({ status: 1, out: 'src/x.ts\ndocs/a.md' });
    expect(err).toBe("agent-ls: cannot open 'zz.md': no such file or directory\nDid you mean 'z.md'?");
  });

  it('are a JSON object each', async () => {
    const { out } = await agentLs(['src', 'docs', '--json']);
    expect(out.split('\n').map((line) => JSON.parse(line).path)).toEqual(['src', 'docs']);
  });
});

describe('what people who know ls type', () => {
  beforeEach(() => {
    inTree({ 'old.txt': 'xx', 'new.txt': 'x', '.dot': '', 'run.sh': '#!/bin/sh\n' });
    for (const [name, time] of Object.entries({ 'old.txt': 1, 'run.sh': 2, 'new.txt': 3 }))
      utimesSync(name, time, time);
    chmodSync('run.sh', 0o755);
  });

  it.each([
    [['-t'], ['new.txt', 'run.sh', 'old.txt']],
    [
      ['--sort', 'time', '-r'],
      ['old.txt', 'run.sh', 'new.txt'],
    ],
    [['-S'], ['run.sh', 'old.txt', 'new.txt']],
    [['-A'], ['.dot', 'new.txt', 'old.txt', 'run.sh']],
    [['-1'], ['new.txt', 'old.txt', 'run.sh']],
    [
      ['--sort', 'extension'],
      ['run.sh', 'new.txt', 'old.txt'],
    ],
  ])('%j', async (words, expected) => {
    expect(await lines(...words)).toEqual(expected);
  });

  it('-1 is a column on a terminal, with a mark for executables', async () => {
    expect(await seen('-1A')).toBe('.dot\nnew.txt\nold.txt\nrun.sh*');
    expect(await seen()).toBe('new.txt  old.txt  run.sh*\n1 hidden (1 dotfile); -a shows it');
  });

  it('-a is suggested only where it shows all that is hidden', async () => {
    inTree({ '.env': '', 'a.md': '', b: '' });
    expect((await seen('-1')).split('\n').at(-1)).toBe('1 hidden (1 dotfile); -a shows it');
    expect((await seen('-1', '-p', '*.md')).split('\n').at(-1)).toBe('1 hidden (1 dotfile)');
  });

  it('--git says why a revision has no status', async () => {
    const { err } = await agentLs(['-l', '--git', `git:${HERE}`]);
    expect(err).toBe("agent-ls: git's status is not shown: only files on this machine have one");
  });

  it('-h beside another option does nothing; alone it is the help', async () => {
    expect(await lines('-lh')).toEqual(await lines('-l'));
    expect((await lines('-h'))[0]).toBe('Usage: agent-ls [PATH...] [options]');
    expect((await lines('-l', '--help'))[0]).toBe('Usage: agent-ls [PATH...] [options]');
  });

  it('orders cannot be mixed', async () => {
    expect(await agentLs(['-t', '-S'])).toMatchObject({ status: 2, err: expect.stringContaining('one of -t, -S and') });
  });
});

describe('agent-ls help', () => {
  it('shows what --help does', async () => {
    expect(await agentLs(['help'])).toEqual(await agentLs(['--help']));
    expect(await agentLs(['help', 'call'])).toEqual(await agentLs(['call', '--help']));
  });

  it('says which command may have been meant', async () => {
    expect(await agentLs(['help', 'cal'])).toMatchObject({
      status: 2,
      err: expect.stringContaining("Did you mean 'call'?"),
    });
  });

  it('--man is the source of the manual page in a pipe, and text on a terminal', async () => {
    expect((await agentLs(['help', '--man'])).out).toMatch(/^\.TH AGENT-LS 1/);
    const text = await seen('help', '--man');
    expect(text).toContain('Usage: agent-ls envelope');
    expect(text).toContain('agent-ls help --man | man -l -');
  });
});

describe('natural order', () => {
  const names = [
    'v10',
    'v2',
    'v1',
    'V3',
    'a',
    'v02',
    'v100000000000000000001',
    'v100000000000000000000',
    'x9y10',
    'x9y9',
  ];
  const natural = ['a', 'v1', 'v02', 'v2', 'V3', 'v10'];

  it('is the default on a terminal, and is asked for elsewhere', async () => {
    inTree(Object.fromEntries(names.map((name) => [name, ''])));
    const expected = [...natural, 'v100000000000000000000', 'v100000000000000000001', 'x9y9', 'x9y10'];
    expect((await seen('-1')).split('\n')).toEqual(expected);
    expect(await lines('--sort', 'natural')).toEqual(expected);
    expect(await lines('--sort', 'natural', '-r')).toEqual(expected.toReversed());
    expect((await lines()).slice(1, 4)).toEqual(['v02', 'v1', 'v10']);
    expect((await seen('-1', '--sort', 'name')).split('\n').slice(1, 4)).toEqual(['v02', 'v1', 'v10']);
  });

  it('holds in every directory of a tree, directories and links to them first', async () => {
    inTree({ 'd10/x': '', 'd9/f10': '', 'd9/f9': '', d11: { link: 'd9' }, e1: '' });
    expect(await lines('-R', '--sort', 'natural')).toEqual(['d9/', 'd9/f9', 'd9/f10', 'd10/', 'd10/x', 'd11', 'e1']);
  });
});

describe('columns of a long listing', () => {
  beforeEach(() => {
    inTree({ 'src/a.ts': 'x'.repeat(3000), 'src/lib/b.ts': 'x'.repeat(2000), 'one.txt': 'x' });
    linkSync('one.txt', 'two.txt');
    utimesSync('one.txt', Date.now() / 1000 - 3 * 86_400, Date.now() / 1000 - 3 * 86_400);
    chmodSync('one.txt', 0o640);
  });

  it.each([
    [['--octal', 'one.txt'], /^0640 {2}-rw-r-----/],
    [['--links', 'one.txt'], /^-rw-r----- {2}2 {2}/],
    [['-n', 'one.txt'], /^-rw-r----- {2}\d+ {2}\d+ {2}1 {2}/],
    [['-i', 'one.txt'], /^\d+ {2}-rw-r-----/],
    [['--time-style', 'relative', 'one.txt'], / {2}3 days ago {2}one\.txt$/],
    [['--time-style', 'iso', 'one.txt'], / {2}\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d {2}one\.txt$/],
  ])('%j', async (words, expected) => {
    expect((await lines(...words)).at(-1)).toMatch(expected);
  });

  it('-l on a terminal leaves out a group of the same name, and this year', async () => {
    const year = new Date().getFullYear();
    utimesSync('two.txt', new Date(year - 2, 3, 5), new Date(year - 2, 3, 5));
    utimesSync('src', new Date(year, 0, 2, 3, 4), new Date(year, 0, 2, 3, 4));
    const [directory = '', , file = ''] = (await seen('-l')).split('\n');
    expect(directory).toMatch(/^drwx\S+ {2}\S+ {2} *- {2}01-02 03:04 {2}src\/$/);
    expect(file).toMatch(new RegExp(`^-rw\\S+ {2}\\S+ {2}1 B {2}${year - 2}-04-05 {3}two\\.txt$`));
    // A program gets every column.
    expect((await lines('-l'))[0]).toMatch(/^drwx\S+ {2}\S+ {2}\S+ +- {2}\d{4}-01-02 03:04 {2}src\/$/);
  });

  it('-l on a terminal shortens long names and targets in the middle, and wraps no line', async () => {
    const long = `${'begin'.repeat(12)}-${'end'.repeat(20)}.txt`;
    addTree('.', { [`dir/${long}`]: '', 'dir/link': { link: long }, [`dir/deep/${'n'.repeat(99)}`]: '' });
    for (const words of [
      ['-l', 'dir'],
      ['-lR', 'dir'],
    ]) {
      const shown = (await seen(...words)).split('\n');
      for (const line of shown) expect(displayWidth(line)).toBeLessThanOrEqual(80);
      expect(shown.some((line) => /beginbegin\S*…\S*endend\.txt$/.test(line))).toBe(true);
      expect(shown.some((line) => / link -> begin\S*…\S*end\.txt$/.test(line))).toBe(true);
    }
    expect((await lines('-l', 'dir')).some((line) => line.endsWith(long))).toBe(true);
  });

  it('--header names them, each above its column', async () => {
    const [header = '', first = ''] = await lines('--header', '--octal', '--inode', '--links');
    expect(header.split(/ +/).filter(Boolean)).toEqual([
      ...['Inode', 'Octal', 'Mode', 'Links', 'User', 'Group', 'Size', 'Modified', 'Name'],
    ]);
    expect(header.indexOf('Name')).toBe(first.indexOf('src/'));
  });

  it('--total-size has the sizes of directories, by which they can be ordered', async () => {
    const sizes = async (...words: string[]) =>
      (await lines(...words)).map((line) => line.replace(/^\S+ +\S+ +\S+ +(\S+) .* (\S+)$/, '$1 $2'));
    expect(await sizes('--total-size')).toEqual(['5000 src/', '1 one.txt', '1 two.txt']);
    expect(await sizes('--total-size', '-R', '--dirs')).toEqual(['5000 src/', '2000 src/lib/']);
    expect(await sizes('--total-size', '-S', '-R', '--limit', '2')).toEqual(['5000 src/', '3000 src/a.ts']);
    expect((await seen('--total-size')).split('\n').at(-1)).toBe('1 directory, 2 files, 4.9 KB');
  });

  it('-R is a tree with columns on a terminal', async () => {
    const text = await seen('-lR');
    expect(text.split('\n').map((line) => line.replace(/^.*-\d\d(?: \d\d:\d\d| {6})? {2}/, ''))).toEqual([
      ...['├── src/', '│   ├── lib/', '│   │   └── b.ts', '│   └── a.ts', '├── one.txt', '└── two.txt'],
      '2 directories, 4 files, 4.9 KB',
    ]);
  });

  it('--limit says how much there is', async () => {
    addTree('many', Object.fromEntries(Array.from({ length: 1200 }, (_, i) => [`f${i}`, ''])));
    expect((await seen('many', '--limit', '40')).split('\n').at(-1)).toBe('40 of 1,200 shown');
  });

  it('--icons are for terminals that have them', async () => {
    addTree('.', { 'a.ts': '', 'b.md': '', 'c.odd': '' });
    const icons = (await seen('-1', '--icons')).split('\n').map((line) => line.split(' ')[0]);
    expect(new Set(icons).size).toBe(5);
    const environment = { AGENT_LS_ICONS: 'di=📁:fi=:*.txt=\x1b[31m:*.ts=T' };
    const { out } = await agentLs(['-1', '--icons', '-I', 'b.md'], { isTerminal: true, environment });
    expect(out.split('\n').slice(0, 4)).toEqual(['📁 src/', 'T a.ts', 'c.odd', '\uf15c one.txt']);
    expect((await lines('--icons'))[0]).toBe('src/');
    const inAscii = { isTerminal: true, environment: { TERM: 'dumb', LANG: 'C' } };
    expect((await agentLs(['-1', '--icons'], inAscii)).out).toMatch(/^src\//);
  });
});

it('-x fills the rows of the columns first', async () => {
  inTree(Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [name.repeat(24), ''])));
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => name.repeat(24));
  expect(await seen('-x')).toBe(`${a}  ${b}  ${c}\n${d}  ${e}`);
  expect(await seen('-CFG', '--group-directories-first')).toBe(`${a}  ${c}  ${e}\n${b}  ${d}`);
});

describe('filters', () => {
  beforeEach(() => {
    inTree({ 'src/a.ts': 'x'.repeat(2048), 'src/b.TSX': '', 'c.md': 'xx', 'run.sh': 'x', '.d.ts': '' });
    symlinkSync('c.md', 'link');
    chmodSync('run.sh', 0o755);
    const hoursAgo = (hours: number) => Date.now() / 1000 - hours * 3600;
    utimesSync('c.md', hoursAgo(50), hoursAgo(50));
    utimesSync('src/a.ts', hoursAgo(3), hoursAgo(3));
  });

  it.each([
    [['-R', '--ext', 'ts'], ['src/a.ts']],
    [
      ['-R', '--ext', '.ts,tsx'],
      ['src/a.ts', 'src/b.TSX'],
    ],
    [
      ['-R', '--ext', 'ts', '--ext', 'md'],
      ['src/a.ts', 'c.md'],
    ],
    [
      ['-R', '--files', '--older', '2h'],
      ['src/a.ts', 'c.md'],
    ],
    [['-R', '--files', '--older', '1d'], ['c.md']],
    [['-R', '--files', '--newer', '1d', '--older', '2 hours'], ['src/a.ts']],
    [['-R', '--files', '--newer', '2000-01-01', '--ext', 'md'], ['c.md']],
    [['-R', '--larger', '2k'], ['src/a.ts']],
    [['-R', '--larger', '2049'], ['']],
    [
      ['-R', '--larger', '1', '--smaller', '2'],
      ['c.md', 'run.sh'],
    ],
    [['--type', 'd'], ['src/']],
    [
      ['--type', 'link', '--type', 'dir'],
      ['src/', 'link'],
    ],
    [['--type', 'x'], ['run.sh']],
    [['-l', '--type', 'executable'], [expect.stringMatching(/run\.sh$/)]],
  ])('%j', async (words, expected) => {
    expect(await lines(...words)).toEqual(expected);
  });

  it('that match nothing say so on a terminal', async () => {
    expect(await seen('-R', '--ext', 'rs')).toBe("none of 6 entries matches --ext 'rs'; 1 hidden (1 dotfile)");
    expect(await seen('-p', 'zz*', '--files')).toBe(
      "none of 4 entries matches --pattern 'zz*' --files; 1 hidden (1 dotfile)",
    );
  });

  it.each([
    [['--newer', '2024-02-30'], '--newer takes how long ago (30min, 2h, 3d, 1w) or a date'],
    [['--newer', 'yesterday'], '--newer takes how long ago (30min, 2h, 3d, 1w) or a date'],
    [['--larger', 'big'], '--larger takes a size such as 500, 10k or 1.5M'],
    [['--type', 'fil'], "Unknown --type 'fil'. Did you mean 'file'?"],
    [['--ext', '.'], '--ext takes an ending such as ts'],
    [['--time-style', 'is'], "Unknown --time-style 'is'. Did you mean 'iso'?"],
  ])('refuses %j, and says why', async (words, reason) => {
    expect(await agentLs(words)).toMatchObject({ status: 2, err: expect.stringContaining(reason) });
  });
});

describe('a long listing of more than is printed at a time', () => {
  it.each([
    [0, 3000],
    [100, 2048],
    [100, 2049],
    [2000, 4096],
    [4999, 1],
    [0, 5000],
  ])('from %i, %i entries: exactly these', async (offset, limit) => {
    const names = Array.from({ length: 5000 }, (_, i) => `f${String(i).padStart(4, '0')}`);
    inTree(Object.fromEntries(names.map((name) => [name, ''])));
    const printed = await lines('-l', '--offset', `${offset}`, '--limit', `${limit}`);
    expect(printed.map((line) => line.split(' ').at(-1))).toEqual(names.slice(offset, offset + limit));
  });
});
