/** `Tree` of the standard dialect: a row for each clause of its contract. */
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { createToolbox, openWorkspace, parseTree, tree, validateResponse } from '../../src/index.ts';
import { checkMap, drawn } from '../support/explore.ts';
import { asNobody } from '../support/nobody.ts';
import { makeTree, type TreeLiteral } from '../support/tree.ts';

const PROJECT: TreeLiteral = {
  'README.md': '',
  '.env': '',
  'src/index.ts': '',
  'src/lib/a.ts': '',
  'src/lib/b.ts': '',
  'docs/guide/en/start.md': '',
  empty: null,
};
const LINKED: TreeLiteral = { ...PROJECT, link: { link: 'README.md' } };

const open = async (literal: TreeLiteral = PROJECT) => openWorkspace(makeTree(literal));
const many = (count: number, name: (i: number) => string): TreeLiteral =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [name(i), '']));
const padded = (i: number) => String(i).padStart(4, '0');

describe('the text', () => {
  it('has a header, then a line for each opened directory', async () => {
    const { text, status } = await drawn(await open(LINKED));
    expect(text).toBe(
      [
        '# .: 7 files, 7 shown',
        'empty/+0 .env README.md link@',
        ' docs/guide/en/ start.md',
        ' src/ index.ts',
        '  lib/ a.ts b.ts',
      ].join('\n'),
    );
    expect(status).toBe('success');
  });

  it('shows closed directories with the number of files below them', async () => {
    const workspace = await open({
      ...many(300, (i) => `big/${padded(i)}-a-name-of-some-length.ts`),
      ...many(19, (i) => `small/${padded(i)}-${'long'.repeat(20)}-${i}.ts`),
      'a.ts': '',
    });
    const { text } = await drawn(workspace, { budget: 100 });
    expect(text.split('\n')[0]).toMatch(/^# \.: 320 files, \d+ shown$/);
    expect(text).toContain('small/+19 ');
  });

  it('names all directories of the listed directory up to 45, and folds none by letters', async () => {
    const names = Array.from({ length: 45 }, (_, i) => `${'abcdefghi'[i % 9]}${'vwxyz'[i % 5]}dir`);
    const workspace = await open(
      Object.assign({}, ...names.map((name, d) => many(30, (i) => `${name}/${d}-${padded(i * 7)}.ts`))),
    );
    for (const budget of [300, 400, 1000]) {
      const { data, text } = await drawn(workspace, { budget });
      const shown = data.entries.filter(({ path, type }) => type === 'dir' && !path.includes('/'));
      expect(shown.map(({ path }) => path).toSorted()).toEqual(names.toSorted());
      expect(text).not.toMatch(/\[\S+\]\*\//);
    }
  });

  it('pays for alike directories once', async () => {
    const words = 'red green blue cyan black white gray pink gold iron zinc lead neon argon xenon'.split(' ');
    const workspace = await open(
      Object.assign({}, ...words.map((name) => many(40, (i) => `${name}/f${words[i % 15]}${i}.ts`))),
    );
    const all = await drawn(workspace, { budget: 20_000 });
    expect(all.stats.shown).toBe(600);
    expect((await drawn(workspace, { budget: all.stats.tokens })).stats.shown).toBe(600);
  });

  it('counts one file as one, and has no line for a directory without anything of its own', async () => {
    expect((await drawn(await open({ 'a/b.ts': '' }))).text).toBe('# .: 1 file, 1 shown\n a/ b.ts');
  });

  it('folds what begins alike', async () => {
    const workspace = await open({
      ...many(200, (i) => `test_${padded(i)}.py`),
      ...many(100, (i) => `locale-${padded(i)}/messages-${i}.po`),
      'setup.py': '',
    });
    const { text, data } = await drawn(workspace, { budget: 100 });
    expect(text).toMatch(/locale-\S*\*\/\+\d+/);
    expect(text).toMatch(/test_\S*\*\+\d+/);
    expect(text).toContain(' setup.py');
    expect(data.folds.every(({ path, type }) => path.endsWith(type === 'dir' ? '*/' : '*'))).toBe(true);
  });

  it('shows the listed directory’s own files first, above all those that people open first', async () => {
    const settings = many(14, (i) => `settings-of-something-${'abcdefghijklmn'[i]}.json`);
    const modules = many(400, (i) => `src/part-${i % 4}/module-${padded(i)}.ts`);
    const workspace = await open({ ...settings, ...modules, 'README.md': '', 'package.json': '' });
    const { text, data } = await drawn(workspace, { budget: 100 });
    const own = data.entries.filter(({ path, type }) => type === 'file' && !path.includes('/'));
    expect(own).toHaveLength(16);
    expect(text).toMatch(/^ src\/ /m);
    const more = many(40, (i) => `own-${'abcdefghij'[i % 10]}${'klmn'[i % 4]}-and-more-words-${i}.json`);
    const tight = await drawn(await open({ ...more, ...modules, 'README.md': '', 'package.json': '' }), {
      budget: 100,
    });
    const paths = tight.data.entries.map(({ path }) => path);
    expect(paths).toEqual(expect.arrayContaining(['README.md', 'package.json', 'src']));
  });

  it('never lets a uniform directory starve its neighbours: a numbered series is one word', async () => {
    const project = {
      'README.md': '',
      ...many(30, (i) => `src/${'abcdefghij'[i % 10]}${'klm'[Math.floor(i / 10)]}/index.ts`),
      ...many(12, (i) => `src/module-${'abcdefghijkl'[i]}.ts`),
    };
    for (const place of ['', 'data/']) {
      const numbered = many(5000, (i) => `${place}file_${padded(i)}.txt`);
      const response = await drawn(await open({ ...project, ...numbered }), { budget: 200 });
      expect(response.text.match(/\S*file_\S*|data\/\+5000/g), response.text).toHaveLength(1);
      expect(response.data.entries).toContainEqual({ path: 'src/module-a.ts', type: 'file' });
      checkMap(response, '.', 200);
    }
  });

  it('writes names by what differs, where that costs less', async () => {
    const words = ['frame', 'series', 'index', 'groupby', 'merge'];
    const literal = Object.fromEntries(words.map((word) => [`tests/test_${word}.py`, '']));
    const response = await drawn(await open({ ...literal, 'tests/conftest.py': '' }));
    expect(response.text).toBe(
      '# .: 6 files, 6 shown\n tests/ conftest.py test_*.py: frame groupby index merge series',
    );
    checkMap(response, '.', 1000);
  });

  it('writes directories that are alike once', async () => {
    const alike = Object.fromEntries(
      ['api', 'web', 'worker'].flatMap((name) =>
        [`${name}/package.json`, `${name}/src/index.ts`].map((path) => [path, '']),
      ),
    );
    const response = await drawn(await open({ ...alike, 'docs/a.md': '' }));
    expect(response.text).toBe('# .: 7 files, 7 shown\n {api,web,worker}/ package.json\n  src/ index.ts\n docs/ a.md');
    checkMap(response, '.', 1000);
  });

  it('costs a quarter where sixty packages are alike', async () => {
    const files = ['README.md', 'package.json', 'tsconfig.json', 'src/index.ts', 'test/index.test.ts'];
    const literal = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => `packages/pkg-${String(i + 1).padStart(2, '0')}`).flatMap((directory) =>
        files.map((file) => [`${directory}/${file}`, '']),
      ),
    );
    const response = await drawn(await open(literal), { budget: 4000 });
    expect(response.status).toBe('success');
    // Each by itself, they cost 1,870.
    expect(response.stats.tokens).toBeLessThan(100);
    expect(response.text).toContain(' pkg-{01..60}/ README.md package.json tsconfig.json\n');
    checkMap(response, '.', 4000);
  });

  it('has no line of more than 2,000 characters, and not more than 40,000 altogether', async () => {
    const wide = await open({
      ...many(
        900,
        (i) => `a-name-that-is-long-${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10) % 10]}${i}.${i % 7}x`,
      ),
      ...many(900, (i) => `d/${'uvwxyzabcd'[i % 10]}-another-name-${'efgh'[i % 4]}${i}.ts`),
    });
    const response = await drawn(wide, { budget: 20_000 });
    const lengths = response.text.split('\n').map(({ length }) => length);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2000);
    expect(response.text).toMatch(/^ \.\/ /m);
    expect(response.status).toBe('success');
    checkMap(response, '.', 20_000);
    const large = await open(
      many(4000, (i) => `d${i % 50}/${'ghijkl'[i % 6]}-a-long-name-of-a-file-${padded(i)}${i % 3}.t`),
    );
    const cut = await drawn(large, { budget: 20_000 });
    expect(cut.text.length).toBeLessThanOrEqual(40_000);
    expect(cut.text.length).toBeGreaterThan(20_000);
    checkMap(cut, '.', 20_000);
  });

  it('has the same bytes in whatever order the entries were made', async () => {
    const paths = [
      ...Array.from({ length: 400 }, (_, i) => `src/${i % 7}/${(i * 7919) % 401}-${'abcde'[i % 5]}.ts`),
      ...Array.from({ length: 60 }, (_, i) => `assets/${'xyz'[i % 3]}${i}.png`),
      ...Array.from({ length: 30 }, (_, i) => `vendor/v${i % 4}/${i}.js`),
    ];
    const forward = await open(Object.fromEntries(paths.map((path) => [path, ''])));
    const backward = await open(Object.fromEntries(paths.toReversed().map((path) => [path, ''])));
    for (const budget of [100, 300, 1000, 3000]) {
      expect((await drawn(forward, { budget })).text).toBe((await drawn(backward, { budget })).text);
    }
  });

  it('marks what cannot be read, and says so in the data', async () => {
    const root = makeTree({ 'a.ts': '', 'locked/b.ts': '', 'open/locked/c.ts': '' });
    const response = await asNobody(root, ['locked', 'open/locked'], async () => drawn(await openWorkspace(root)));
    expect(response.text).toBe('# .: 1 file, 1 shown, 2 unreadable\nlocked/? open/locked/? a.ts');
    expect(response).toMatchObject({
      status: 'partial',
      data: {
        truncated: false,
        failed_items: [
          { path: 'locked', error: 'This directory could not be read: permission denied.' },
          { path: 'open/locked', error: 'This directory could not be read: permission denied.' },
        ],
      },
    });
    expect(validateResponse(response)).toEqual({ valid: true, violations: [] });
    expect(parseTree(response.text).entries).toEqual(response.data.entries);
  });

  it('quotes what would be taken for something else', async () => {
    const names = [
      'a b',
      'c\\d',
      '#e',
      'f@',
      'g*',
      'h?',
      'i|',
      'j=',
      'k>',
      '---',
      'l*+5',
      'm\nn',
      '"o"',
      'p/+3/q',
      'r*/s',
    ];
    const workspace = await open(Object.fromEntries(names.map((name) => [name, ''])));
    const response = await drawn(workspace);
    checkMap(response, '.', 1000);
    const files = response.data.entries.filter(({ type }) => type === 'file').map(({ path }) => path);
    expect(files.sort()).toEqual(names.map((name) => (/^"|\*$/.test(name) ? JSON.stringify(name) : name)).sort());
    for (const quoted of ['"a b"', '"c\\\\d"', '"#e"', '"f@"', '"---"', '"l*+5"', '"m\\nn"', '"\\"o\\""', '"r*"/']) {
      expect(` ${response.text.replaceAll('\n', ' ')} `).toContain(` ${quoted} `);
    }
  });

  it('says what was hidden, and by which rule', async () => {
    const workspace = await open({
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/objects': null,
      '.git/refs': null,
      '.gitignore': 'build/\n*.log\n',
      'build/out.js': '',
      'a.log': '',
      'b.tmp': '',
      'c.ts': '',
    });
    const { text, stats } = await drawn(workspace, { ignore: ['*.tmp'] });
    expect(text).toBe(
      '# .: 2 files, 2 shown, 2 ignored by git (respect_git_ignore=false), 1 hidden by ignore\n.gitignore c.ts',
    );
    expect(stats.hidden).toBe(4);
    const all = await drawn(workspace, { respect_git_ignore: false });
    expect(all.text).toBe('# .: 5 files, 5 shown\n.gitignore a.log b.tmp c.ts\n build/ out.js');
    // Who asks for an ignored directory wants to see it.
    expect((await drawn(workspace, { path: 'build' })).text).toBe('# build: 1 file, 1 shown\nout.js');
  });
});

describe('the answer', () => {
  it('is a valid envelope with what is shown', async () => {
    const response = await drawn(await open(LINKED));
    expect(validateResponse(response)).toEqual({ valid: true, violations: [] });
    expect(response.data.entries).toContainEqual({ path: 'docs/guide', type: 'dir' });
    expect(response.data.entries).toContainEqual({ path: 'link', type: 'link' });
    expect(response.stats).toMatchObject({ files: 7, directories: 6, shown: 7, hidden: 0 });
    expect(response.context).toMatchObject({ cwd: '.', path_resolved: '.' });
    checkMap(response, '.', 1000);
  });

  it('is partial when something is closed or folded', async () => {
    const response = await drawn(await open(many(500, (i) => `d/${padded(i)}.ts`)), { budget: 100 });
    expect(response.status).toBe('partial');
    expect(response.data.truncated).toBe(true);
    expect(validateResponse(response)).toEqual({ valid: true, violations: [] });
  });

  it('has paths relative to the root, from wherever it was asked', async () => {
    const root = makeTree(PROJECT);
    const response = await drawn(await openWorkspace(root, { cwd: 'src' }), { path: 'lib' });
    expect(response.text).toBe('# src/lib: 2 files, 2 shown\na.ts b.ts');
    expect(response.data.entries.map(({ path }) => path)).toEqual(['src/lib/a.ts', 'src/lib/b.ts']);
    expect(parseTree(response.text).entries).toEqual(response.data.entries);
  });
});

describe('folds', () => {
  const words = ['auth', 'user', 'order', 'invoice', 'payment', 'report'];
  const literal = {
    ...many(300, (i) => `src/${words[i % 6]}-${'abcdefghij'[i % 10]}${Math.floor(i / 10)}.ts`),
    ...many(200, (i) => `pkg/${words[i % 6]}-${i}/index-${i % 9}.ts`),
    ...many(90, (i) => `${'qwertyuiop'[i % 10]}${i}.md`),
  };

  it.each([
    ['.', 100],
    ['src', 100],
    ['src', 500],
    ['pkg', 500],
  ])('never overlap, and open to what they count, in %s at %i tokens', async (listed, budget) => {
    const workspace = await open(literal);
    const { data } = await drawn(workspace, { path: listed, budget });
    const seen = new Set(data.entries.map(({ path }) => path));
    expect(data.folds.length).toBeGreaterThan(0);
    for (const { path, files } of data.folds) {
      const opened = await drawn(workspace, { path, budget: 20_000 });
      expect(opened.stats.files, path).toBe(files);
      expect(opened.data.truncated, path).toBe(false);
      for (const entry of opened.data.entries) {
        expect(seen.has(entry.path), `${entry.path} is in ${path} and elsewhere`).toBe(false);
        seen.add(entry.path);
      }
    }
  });

  it('are cut at words', async () => {
    const { data } = await drawn(await open(literal), { path: 'src', budget: 100 });
    const [fold] = data.folds;
    expect(data.folds.length).toBeGreaterThan(2);
    expect(fold?.path).toMatch(/^src\/(?:auth-|\[)/);
  });
});

describe('a directory that is shown in part', () => {
  it('has the count of all that is not shown, and opens when its path is sent back', async () => {
    const letters = (i: number) => String.fromCharCode(97 + (i % 26), 97 + ((i * 7) % 26), 97 + i / 26);
    const names = ['lib', 'src', 'web'];
    const workspace = await open(
      Object.assign({}, ...names.map((name) => many(90, (i) => `${name}/${letters(i)}-of-${name}.ts`))),
    );
    const { data, text } = await drawn(workspace, { budget: 120 });
    const partly = data.entries.filter(({ path, type, files = 0 }) => {
      const isShown = data.entries.some((entry) => entry.path.startsWith(`${path}/`));
      return type === 'dir' && files > 0 && isShown;
    });
    expect(partly.length, text).toBeGreaterThan(0);
    for (const { path, files } of partly) {
      expect(text).toContain(`\n ${path}/+${files} `);
      const shown = data.entries.filter((entry) => entry.path.startsWith(`${path}/`));
      const opened = await drawn(workspace, { path, budget: 5000 });
      expect(opened.stats.files).toBe(shown.length + (files as number));
      expect(opened.data.entries).toEqual(expect.arrayContaining(shown));
      expect((await drawn(workspace, { path: `${path}/+${files}`, budget: 5000 })).text).toBe(opened.text);
    }
  });
});

describe('parseTree', () => {
  it.each(['\n', '\r\n', '\n\n'])('reads a map that was printed, with %j at its end', async (end) => {
    const { text, data } = await drawn(await open());
    const printed = end === '\r\n' ? `${text}\n`.replaceAll('\n', end) : `${text}${end}`;
    expect(parseTree(printed).entries).toEqual(data.entries);
  });

  it.each(['a\n  b/ c', 'a\nb/ c', 'a\n b/ c\n d/ e\n   f/ g'])(
    'refuses a line that is in no directory: %j',
    (lines) => {
      expect(() => parseTree(`# .: 1 file, 1 shown\n${lines}`)).toThrow(SyntaxError);
    },
  );
});

describe('a fold', () => {
  it('opens when its path is sent back, files and directories apart', async () => {
    const workspace = await open({
      ...many(60, (i) => `src/test_${padded(i)}.py`),
      ...many(60, (i) => `src/test_dir${padded(i)}/x.py`),
      'src/other.py': '',
    });
    const files = await drawn(workspace, { path: 'src/test_*', budget: 2000 });
    expect(files.text).toMatch(/^# src\/test_\*: 60 files, 60 shown\ntest_\*\.py: 0000 0001 /);
    expect(files.data.entries[0]).toEqual({ path: 'src/test_0000.py', type: 'file' });
    expect(files.stats).toMatchObject({ files: 60, directories: 0, hidden: 0 });
    const directories = await drawn(workspace, { path: 'src/test_*/', budget: 2000 });
    expect(directories.stats).toMatchObject({ files: 60, directories: 60 });
    expect(directories.text).not.toContain('other.py');
  });

  it.each([
    ['src/test_*+60', '# src/test_*: 60 files'],
    ['src/+62', '# src: 62 files'],
    ['src/lib/+', '# src/lib: 1 file'],
    ['src/l*/+1', '# src/l*/: 1 file'],
    ['"my dir"/+', '# "my dir": 1 file'],
    ['"my "*/+1', '# "my "*/: 1 file'],
    ['odd/+1', '# odd/+1: 2 files'],
    ['"odd/+1"/+2', '# odd/+1: 2 files'],
  ])('or a closed directory may be copied with its count: %s', async (path, header) => {
    const workspace = await open({
      ...many(60, (i) => `src/test_${padded(i)}.py`),
      'src/other.py': '',
      'src/lib/x.py': '',
      'my dir/x': '',
      'odd/+1/a': '',
      'odd/+1/b': '',
    });
    const [first] = (await drawn(workspace, { path, budget: 2000 })).text.split(', ');
    expect(first).toBe(header);
  });

  it.each(['src/none/+90', 'none*+3', '../+3'])('with a count is missing or outside, too: %s', async (path) => {
    const response = await tree({ path }, await open());
    const messages = [`Path '${path}' does not exist.`, 'Access denied. Path must be within the project root.'];
    expect(messages).toContain(response.status === 'error' && response.error.message);
  });

  it('in quotes and with a count is missing, too', async () => {
    const response = await tree({ path: '"none"/+' }, await open());
    expect(response).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  it('may have nothing that is shown', async () => {
    const workspace = await open({ 'src/a1.ts': '', 'src/a2.ts': '' });
    expect((await drawn(workspace, { path: 'src/a*', ignore: ['*.ts'] })).text.trim()).toBe(
      '# src/a*: 0 files, 0 shown, 2 hidden by ignore',
    );
  });

  it('is nothing that could be missing', async () => {
    const response = await tree({ path: 'src/none*' }, await open());
    expect(response).toMatchObject({
      status: 'error',
      error: { code: 'NOT_FOUND', message: "Path 'src/none*' does not exist." },
    });
  });

  it('gives way to a directory that is called like it', async () => {
    const workspace = await open({ 'odd*/a.ts': '' });
    expect((await drawn(workspace, { path: 'odd*' })).text).toContain('a.ts');
    expect((await drawn(workspace, { path: '"odd*"' })).text).toBe('# "odd*": 1 file, 1 shown\na.ts');
  });

  it('is confined like any path', async () => {
    const response = await tree({ path: '../*' }, await open());
    expect(response).toMatchObject({ error: { message: 'Access denied. Path must be within the project root.' } });
  });
});

describe('parameters', () => {
  it.each([
    [{ path: 5 }, 'path must be a string.'],
    [{ budget: 99 }, 'budget must be an integer between 100 and 20000.'],
    [{ budget: 20001 }, 'budget must be an integer between 100 and 20000.'],
    [{ budget: '500' }, 'budget must be an integer between 100 and 20000.'],
    [{ ignore: 'x' }, 'ignore must be a list of glob patterns.'],
    [{ respect_git_ignore: 1 }, 'respect_git_ignore must be a boolean.'],
    [{ depth: 3 }, "Unknown parameter 'depth'. Known: path, budget, ignore, respect_git_ignore."],
    [{ path: '"a' }, 'path is a malformed quoted string.'],
  ])('%j', async (params, message) => {
    expect(await tree(params as unknown, await open())).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_PARAM', message },
    });
  });

  it.each([
    ['..', 'ACCESS_DENIED', 'Access denied. Path must be within the project root.'],
    ['nope', 'NOT_FOUND', "Path 'nope' does not exist."],
    ['README.md', 'INVALID_PARAM', "'README.md' is a file, not a directory. Use 'Read' tool to view its content."],
  ])('path %s', async (path, code, message) => {
    const response = await tree({ path }, await open());
    expect(response).toMatchObject({ error: { code, message } });
    expect(response.text).not.toMatch(/\bLS\b/);
  });

  it('takes null as unset', async () => {
    const unset = { path: null, budget: null, ignore: null, respect_git_ignore: null };
    expect((await drawn(await open(), unset)).text).toMatch(/^# \.: 6 files, 6 shown\n/);
  });
});

describe('a counter of the caller', () => {
  const literal = many(1200, (i) => `src/module${i % 40}/component-${padded(i)}.tsx`);

  it.each([
    ['dearer', (text: string) => encode(text).length * 2],
    ['cheaper', (text: string) => Math.ceil(encode(text).length / 2)],
    ['by characters', (text: string) => text.length],
  ])('is what the budget is counted by: %s', async (_, countTokens) => {
    const response = await tree({ budget: 1000 }, await open(literal), { countTokens });
    const tokens = countTokens(response.text);
    expect(tokens).toBeLessThanOrEqual(1000);
    expect(tokens).toBeGreaterThan(850);
    expect(response.stats.tokens).toBe(tokens);
  });

  it.each([
    ['nonsense', () => Number.NaN, /countTokens returned NaN/],
    ['too much', () => 5000, /even the smallest map costs more than \d+ tokens/],
  ])('that tells %s is told so', async (_, countTokens, message) => {
    expect((await tree({}, await open(literal), { countTokens })).text).toMatch(message);
  });
});

it('ends in time with what there is', async () => {
  const workspace = await open(many(50, (i) => `d${i}/a.ts`));
  const cancelled = await tree({}, workspace, { signal: AbortSignal.abort() });
  expect(cancelled).toMatchObject({ status: 'error', error: { code: 'TIMEOUT' } });
});

it('is still there when the toolbox cuts its answer', async () => {
  const root = makeTree(many(900, (i) => `d${i % 30}/some-file-${i}.ts`));
  const { text } = await tree({ budget: 9000 }, await openWorkspace(root));
  const answer = await createToolbox({ root }).run('Tree', { budget: 9000 });
  expect(answer).toMatchObject({ data: { truncation: {}, preview: expect.stringContaining(text) } });
});

it('is in the toolbox', async () => {
  const answer = await createToolbox({ root: makeTree(PROJECT) }).run('Tree', { path: 'src' });
  expect(answer).toMatchObject({ status: 'success', text: expect.stringMatching(/^# src: 3 files, 3 shown\n/) });
});
