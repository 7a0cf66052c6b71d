import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join, sep } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LsResponse } from '../../src/dialects/standard-ls.ts';
import { call } from '../../src/faces/library/call.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { corpus } from '../support/corpus.ts';
import { endingAfter } from '../support/ending.ts';
import { addTree, emptyDirectory, makeTree, type TreeLiteral, withLinksOn } from '../support/tree.ts';
import { expectPaths } from '../support/windows.ts';

async function ask(root: string, params: unknown, cwd = '.'): Promise<LsResponse> {
  const workspace = await openWorkspace(root, { cwd });
  const answer = await call('standard', params, workspace);
  workspace.close();
  expect(validateResponse(answer)).toEqual({ valid: true, violations: [] });
  return answer;
}

const ls = (tree: TreeLiteral, params: unknown, cwd = '.') => ask(makeTree(tree), params, cwd);
const paths = (answer: LsResponse) => (answer.data.entries ?? []).map(({ path }) => path);

describe('a bad parameter', () => {
  it.each([
    [{ path: 5 }, 'path must be a string.'],
    [{ path: ['.'] }, 'path must be a string.'],
    [{ offset: -1 }, 'offset must be a non-negative integer.'],
    [{ offset: 1.5 }, 'offset must be a non-negative integer.'],
    [{ offset: '1' }, 'offset must be a non-negative integer.'],
    [{ offset: true }, 'offset must be a non-negative integer.'],
    [{ limit: 0 }, 'limit must be an integer between 1 and 200.'],
    [{ limit: 201 }, 'limit must be an integer between 1 and 200.'],
    [{ limit: 2.5 }, 'limit must be an integer between 1 and 200.'],
    [{ limit: false }, 'limit must be an integer between 1 and 200.'],
    [{ include_hidden: 'yes' }, 'include_hidden must be a boolean.'],
    [{ include_hidden: 1 }, 'include_hidden must be a boolean.'],
    [{ ignore: '*.log' }, 'ignore must be a list of glob patterns.'],
    [{ ignore: [1] }, 'ignore must be a list of glob patterns.'],
    [{ ignore: ['a', null] }, 'ignore must be a list of glob patterns.'],
    [{ ignore: {} }, 'ignore must be a list of glob patterns.'],
    [{ ignore: new Array(1) }, 'ignore must be a list of glob patterns.'],
    [{ cursor: 5 }, 'cursor must be the next_cursor of an earlier page.'],
    [{ cursor: 'b' }, 'cursor must be the next_cursor of an earlier page.'],
    [{ path: '"x' }, 'path is a malformed quoted string.'],
    [{ pth: '.' }, "Unknown parameter 'pth'. Did you mean 'path'?"],
    [{ includeHidden: true }, "Unknown parameter 'includeHidden'. Did you mean 'include_hidden'?"],
    [{ hidden: true }, "Unknown parameter 'hidden'. Did you mean 'include_hidden'?"],
    [{ recursive: null }, "Unknown parameter 'recursive'. Known: path, offset, limit, include_hidden, ignore, cursor."],
    [{ 'a\nb': 1 }, 'Unknown parameter \'"a\\nb"\'. Known: path, offset, limit, include_hidden, ignore, cursor.'],
    ['src', 'Parameters must be a JSON object.'],
    [['src'], 'Parameters must be a JSON object.'],
    [7, 'Parameters must be a JSON object.'],
  ])('%j: %s', async (params, message) => {
    const answer = await ls({}, params);
    expect(answer).toMatchObject({ status: 'error', data: {}, error: { code: 'INVALID_PARAM', message } });
    expect(answer.context).toEqual({ cwd: '.', params_input: params });
    expect(answer.text.split('\n')[0]).toBe(message);
    expect(answer.text.split('\n')).toHaveLength(2);
  });

  it('is found in the order path, offset, limit, include_hidden, ignore, cursor, then the sandbox', async () => {
    const wrong: Record<string, unknown> = {
      path: 1,
      offset: -1,
      limit: 0,
      include_hidden: 0,
      ignore: 0,
      cursor: 0,
      more: 1,
    };
    for (const name of ['path', 'offset', 'limit', 'include_hidden', 'ignore', 'cursor']) {
      expect((await ls({}, wrong)).error?.message).toMatch(new RegExp(`^${name} must`));
      wrong[name] = name === 'path' ? '../outside' : null;
    }
    expect((await ls({}, wrong)).error?.message).toMatch(/^Unknown parameter/);
    delete wrong.more;
    expect((await ls({}, wrong)).error?.code).toBe('ACCESS_DENIED');
  });

  it('a quoted path is checked with the path, before the offset', async () => {
    expect((await ls({}, { path: '"x', offset: -1 })).error?.message).toBe('path is a malformed quoted string.');
  });
});

describe('a parameter that is fine', () => {
  it('null means unset', async () => {
    const answer = await ls(
      { a: '', '.b': '' },
      { path: null, offset: null, limit: null, include_hidden: null, ignore: null, cursor: null },
    );
    expect(paths(answer)).toEqual(['a']);
  });

  it.each([undefined, null, {}])('no parameters (%j) list the cwd', async (params) => {
    expect(paths(await ls({ 'sub/a': '' }, params, 'sub'))).toEqual(['sub/a']);
  });

  it('5.0 is 5, and an offset may be as large as it likes', async () => {
    expect(paths(await ls({ a: '', b: '' }, JSON.parse('{"offset": 1.0, "limit": 5.0}')))).toEqual(['b']);
    expect(await ls({ a: '' }, { offset: 1e300 })).toMatchObject({ status: 'success', data: { entries: [] } });
  });

  it('params_input is what was passed, untouched', async () => {
    const params = { path: './', ignore: [], limit: 7 };
    const answer = await ls({}, params);
    expect(answer.context.params_input).toBe(params);
  });
});

describe('a refusal', () => {
  const tree: TreeLiteral = {
    file: '',
    'src/utils': null,
    'src/util': null,
    'src/utile.ts': '',
    docs: null,
    out: { link: '../outside' },
    gone: { link: '../nothing' },
    broken: { link: 'nothing' },
    'to-file': { link: 'file' },
  };
  const denied = 'Access denied. Path must be within the project root.';

  it.each([
    ['..', 'ACCESS_DENIED', denied, undefined],
    ['out', 'ACCESS_DENIED', denied, undefined],
    ['gone', 'ACCESS_DENIED', denied, undefined],
    ['a\0', 'ACCESS_DENIED', denied, undefined],
    ['/etc', 'ACCESS_DENIED', denied, undefined],
    ['/nonexistent', 'ACCESS_DENIED', denied, undefined],
    ['nothing', 'NOT_FOUND', "Path 'nothing' does not exist.", 'nothing'],
    ['broken', 'NOT_FOUND', "Path 'broken' does not exist.", 'nothing'],
    ['file/x', 'NOT_FOUND', "Path 'file/x' does not exist.", 'file/x'],
    ['a\nb', 'NOT_FOUND', 'Path \'"a\\nb"\' does not exist.', 'a\nb'],
    ['file', 'INVALID_PARAM', "'file' is a file, not a directory. Use 'Read' tool to view its content.", 'file'],
    ['to-file', 'INVALID_PARAM', "'to-file' is a file, not a directory. Use 'Read' tool to view its content.", 'file'],
  ])('%j: %s, %s', async (path, code, message, resolved) => {
    const root = makeTree(withLinksOn(path, tree));
    addTree(join(root, '..'), { 'outside/secret': '' });
    const answer = await ask(root, { path });
    expect(answer.error).toEqual({ code, message });
    expect(answer.context).toEqual({
      cwd: '.',
      params_input: { path },
      ...(resolved === undefined ? {} : { path_resolved: resolved }),
    });
    expect(answer.data).toEqual({});
    expect(answer.text.split('\n')[0]).toBe(message);
    expect(answer.text.split('\n')[1]).toMatch(/\w/);
  });

  it('is the same, to the letter, whether or not the outside path exists', async () => {
    const root = makeTree(tree);
    addTree(join(root, '..'), { 'outside/secret': '' });
    const letters = async (path: string) => JSON.stringify({ ...(await ask(root, { path })), stats: 0, context: 0 });
    const first = await letters('../outside');
    for (const path of [
      '../nothing',
      'out',
      'gone',
      'out/secret',
      '/etc/passwd',
      '/nonexistent/x',
      `${root}-sibling`,
    ]) {
      expect(await letters(path)).toBe(first);
    }
  });

  it.runIf(process.platform !== 'win32')('a FIFO is no directory', async () => {
    const root = makeTree({});
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect((await ask(root, { path: 'pipe' })).error?.code).toBe('INVALID_PARAM');
    const { data, stats } = await ask(root, {});
    expect(data.entries).toEqual([{ path: 'pipe', type: 'file' }]);
    expect(stats).toMatchObject({ total_entries: 1, files: 1 });
  });

  it.runIf(process.getuid?.() === 0)('the system refuses: permission denied, with the path as given', async () => {
    const root = makeTree({ 'locked/inner': null });
    chmodSync(join(root, '..'), 0o755);
    chmodSync(join(root, 'locked'), 0o000);
    const workspace = await openWorkspace(root);
    process.seteuid?.(65534);
    const answers = await Promise.all(
      ['./locked', 'locked/inner'].map((path) => call('standard', { path }, workspace)),
    );
    process.seteuid?.(0);
    expect(answers.map(({ error, context }) => [error, context.path_resolved])).toEqual([
      [{ code: 'ACCESS_DENIED', message: "Permission denied accessing './locked'." }, 'locked'],
      [{ code: 'ACCESS_DENIED', message: "Permission denied accessing 'locked/inner'." }, 'locked/inner'],
    ]);
  });

  it('anything else is an internal error that says the reason', async () => {
    const workspace = await openWorkspace(makeTree({}));
    workspace.close();
    const answer = await call('standard', {}, workspace);
    expect(answer.error).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'Failed to list directory - the workspace is closed',
    });
  });

  it.each([
    ['src/utilz', "Did you mean 'src/util' or 'src/utils'?"],
    ['scr', "Did you mean 'src'?"],
    ['scr/utils', "Did you mean 'src/utils'?"],
    ['scr/nothing-like-it', "Did you mean 'src'?"],
    ['DOCS', "Did you mean 'docs'?"],
    ['./src/../doc', "Did you mean 'src/../docs'?"],
    ['{ROOT}/doc', "Did you mean '{ROOT}/docs'?"],
  ])('near names: %s → %s', async (path, expected) => {
    if (path === 'DOCS') expectPaths(['docs', path]);
    const root = makeTree(withLinksOn(path, tree));
    const answer = await ask(root, { path: path.replace('{ROOT}', root) });
    expect(answer.error?.code).toBe('NOT_FOUND');
    expect(answer.text).toContain(expected.replace('{ROOT}', root.replaceAll(sep, '/')));
  });

  it('a path copied from an answer, which is relative to the root, while the cwd is elsewhere', async () => {
    const root = makeTree({ 'src/lib/deep': null, docs: null });
    expect((await ask(root, { path: 'src/lib' }, 'src')).text).toContain("Did you mean 'lib'?");
    expect((await ask(root, { path: 'docs' }, 'src/lib')).text).toContain("Did you mean '../../docs'?");
    expect((await ask(root, { path: '../docs' }, 'src/lib')).text).not.toContain('Did you mean');
    // The cwd itself is written as one would.
    expect((await ask(root, { path: 'src' }, 'src')).text.split('\n').at(-1)).toBe("Did you mean '.'?");
    expect((await ask(root, { path: 'src/lib' }, 'src/lib')).text.split('\n').at(-1)).toBe("Did you mean '.'?");
  });

  it('suggests a link that leads to a directory, and none that leads nowhere or out', async () => {
    const { text } = await ls(
      { real: null, link1: { link: 'real' }, link2: { link: '..' }, link3: { link: 'nothing' } },
      { path: 'link' },
    );
    expect(text).toContain("Did you mean 'link1'?");
  });

  it('is found soon, however long and many the names are', async () => {
    const root = makeTree(Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${'n'.repeat(240)}${i}`, null])));
    expect((await ask(root, { path: 'n'.repeat(248) })).text).not.toContain('Did you mean');
  });

  it('suggests at most three, and nothing where nothing is near', async () => {
    const many = await ls({ aaa1: null, aaa2: null, aaa3: null, aaa4: null }, { path: 'aaa' });
    expect(many.text.match(/'aaa\d'/g)).toHaveLength(3);
    expect((await ls({ aaa1: null }, { path: 'zzzzz' })).text).not.toContain('Did you mean');
  });

  it('a suggestion can be sent back, also one that must be quoted', async () => {
    const root = makeTree({ 'ab\ncd': null });
    const { text } = await ask(root, { path: 'ab cd' });
    const suggested = /Did you mean '(.*)'\?/.exec(text)?.[1];
    expect(suggested).toBe('"ab\\ncd"');
    expect((await ask(root, { path: suggested })).status).toBe('success');
  });
});

describe('what is hidden', () => {
  const builtin = [
    ...['.git', '.hg', '.svn', '__pycache__', 'node_modules', 'target', 'build', 'dist', '.idea', '.vscode'],
    ...['.DS_Store', 'venv', '.venv'],
  ];
  const names = Object.fromEntries(builtin.map((name) => [name, '']));

  it('the built-in names whatever their type, in exact case, and dotfiles', async () => {
    const answer = await ls({ ...names, Build: '', DIST: null, '.env': '', node_modules2: '' }, {});
    expect(paths(answer)).toEqual(['DIST', 'Build', 'node_modules2']);
    expect(answer.stats.total_entries).toBe(3);
  });

  it('include_hidden lifts both, ignore applies always', async () => {
    const answer = await ls({ ...names, '.env': '', a: '' }, { include_hidden: true, ignore: ['*v*'] });
    expect(paths(answer)).toEqual([
      '.DS_Store',
      '.git',
      '.hg',
      '.idea',
      '__pycache__',
      'a',
      'build',
      'dist',
      'node_modules',
      'target',
    ]);
  });
});

describe('the answer', () => {
  it('has the text of document 000, truncated', async () => {
    const { text, status, data } = await ls({ agents: null, 'README.md': '', z: '' }, { limit: 2 });
    expect(text).toBe(
      "Listed 2 entries in '.'\n(Total: 3 items - 1 dirs, 2 files, 0 links)\n" +
        '[Truncated: Showing 0-2 of 3. 1 more items available.]\nUse offset=2 to view next page.\n\nagents/\nREADME.md',
    );
    expect([status, data.truncated]).toEqual(['partial', true]);
  });

  it('has 100 entries when nobody says how many', async () => {
    const answer = await ls(Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`f${i}`, ''])), {});
    expect([answer.status, answer.stats.returned, answer.stats.total_entries]).toEqual(['partial', 100, 101]);
  });

  it('a last page is a success', async () => {
    const answer = await ls({ a: '', b: '', c: '' }, { offset: 2, limit: 2 });
    expect([answer.status, answer.data.truncated, paths(answer)]).toEqual(['success', false, ['c']]);
  });

  it('is not singularised, and ends with a line break when there are no entries', async () => {
    expect((await ls({ a: '' }, {})).text).toBe(
      "Listed 1 entries in '.'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\na",
    );
    expect((await ls({}, {})).text).toBe("Listed 0 entries in '.'\n(Total: 0 items - 0 dirs, 0 files, 0 links)\n");
  });

  it('past the end is a success without entries', async () => {
    const answer = await ls({ a: '' }, { offset: 5 });
    expect(answer).toMatchObject({
      status: 'success',
      data: { entries: [], truncated: false },
      stats: { total_entries: 1 },
    });
  });

  it('a link is a link; one to an inside directory sorts among the directories', async () => {
    const answer = await ls({ z: null, a: { link: 'z' }, m: { link: '..' }, f: '' }, {});
    expect(answer.data.entries).toEqual([
      { path: 'a', type: 'link' },
      { path: 'z', type: 'dir' },
      { path: 'f', type: 'file' },
      { path: 'm', type: 'link' },
    ]);
    expect(answer.stats).toMatchObject({ dirs: 1, files: 1, links: 2 });
    expect(answer.text).toContain('\na@\nz/\nf\nm@');
  });

  it('listing through an inside link speaks of the real path', async () => {
    const answer = await ls({ 'a/b/f': '', l: { link: 'a/b' } }, { path: 'l' });
    expect([answer.context.path_resolved, paths(answer)]).toEqual(['a/b', ['a/b/f']]);
    expect(answer.text).toContain("in 'a/b'");
  });

  it('quotes names in the text, but not in the data', async () => {
    const answer = await ls({ 'd\n/x\ny': '' }, { path: 'd\n' });
    expect(answer.text).toBe(
      'Listed 1 entries in \'"d\\n"\'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\n"d\\n/x\\ny"',
    );
    expect(paths(answer)).toEqual(['d\n/x\ny']);
  });

  it.each(['aborted', 'timeout'] as const)(
    'is partial and says why when the call was %s on the way',
    async (reason) => {
      const root = makeTree(Object.fromEntries(Array.from({ length: 1100 }, (_, i) => [`f${i}`, ''])));
      const answer = await endingAfter(500, reason, () => ask(root, {}));
      const roomy = await endingAfter(500, reason, () => ask(root, { ignore: ['f*'] }));
      expect([answer.status, answer.data.truncated, answer.stats.total_entries]).toEqual(['partial', true, 500]);
      // Also where the page would have had room for all that was read.
      expect([roomy.status, roomy.data.truncated, roomy.stats.total_entries]).toEqual(['partial', true, 0]);
      expect(answer.text).toMatch(/^\[Incomplete: .*\]$/m);
    },
  );

  it('is a TIMEOUT when nothing was read', async () => {
    const workspace = await openWorkspace(makeTree({}));
    const cancelled = await call('standard', {}, workspace, { signal: AbortSignal.abort() });
    const late = await call('standard', {}, workspace, { timeLimit: 0 });
    expect([cancelled.error?.code, late.error?.code]).toEqual(['TIMEOUT', 'TIMEOUT']);
    expect(validateResponse(cancelled).valid && validateResponse(late).valid).toBe(true);
  });
});

describe('hostile names', () => {
  it.each(['C:', 'C:\\x', '\\\\host'])('nobody takes %j for a drive or a server', async (name) => {
    const root = makeTree({ [`${name}/a`]: '' });
    expect(paths(await ask(root, {}))).toEqual([`./${name}`]);
    const answer = await ask(root, { path: `./${name}` }, name);
    expect(answer.context).toMatchObject({ cwd: `./${name}` });
    expect((await ask(root, { path: name })).context.path_resolved).toBe(`./${name}`);
    expect(paths(await ask(root, { path: name }))).toEqual([`./${name}/a`]);
    expect((await ask(root, { path: `./${name}` })).text).toContain(`\n\n${name}/a`);
    expect((await ask(root, { path: `${name}/a` })).context.path_resolved).toBe(`./${name}/a`);
  });

  const rows = corpus<{ name: string; hazard: string }>('hostile-names');
  const bytes = (hex: string) => Buffer.from(hex, 'hex');
  const within = (root: string, name: Buffer) => Buffer.concat([Buffer.from(`${root}/`), name]);

  it.runIf(process.platform === 'linux')(
    'are listed one line each, and each lists that very directory when sent back',
    async () => {
      const root = makeTree({});
      // Each directory holds its own number, so that a wrong one would be noticed.
      for (const [i, { name }] of rows.entries()) {
        mkdirSync(within(root, bytes(name)));
        mkdirSync(Buffer.concat([within(root, bytes(name)), Buffer.from(`/number-${i}`)]));
      }
      const shown: string[] = [];
      const data: string[] = [];
      for (let offset = 0; offset < rows.length; offset += 20) {
        const answer = await ask(root, { include_hidden: true, offset, limit: 20 });
        const [, entries] = answer.text.split('\n\n');
        shown.push(...(entries as string).split('\n'));
        data.push(...paths(answer));
      }
      expect(shown).toHaveLength(rows.length);
      const numbers = new Set<string>();
      for (const [i, line] of shown.entries()) {
        expect(line.endsWith('/')).toBe(true);
        for (const path of [line.slice(0, -1), line, data[i] as string]) {
          const answer = await ask(root, { path });
          const last = answer.text.split('\n').at(-1) as string;
          expect(last).toMatch(/number-\d+"?\/$/);
          numbers.add(`${i} ${/number-(\d+)/.exec(last)?.[1]}`);
        }
      }
      // One number a name, whichever of its forms was sent.
      expect(numbers.size).toBe(rows.length);
    },
  );

  it('tell nothing of what a link outside leads to', async () => {
    const answers = new Set<string>();
    for (const target of [null, '', undefined]) {
      const root = makeTree({ 'a-file': '', 'z-dir': null });
      if (target !== undefined) addTree(join(root, '..'), { outside: target });
      symlinkSync('../outside', join(root, 'link'));
      const { data, text, stats } = await ask(root, {});
      answers.add(JSON.stringify([data, text, { ...stats, time_ms: 0 }]));
    }
    expect(answers.size).toBe(1);
  });
});

describe('pages', () => {
  it('of any size concatenate to the whole, through the tool', async () => {
    const names = Array.from({ length: 57 }, (_, i) => `${'aAbBéÉ'[i % 6]}${(i * 31) % 57}`);
    const root = makeTree(Object.fromEntries(names.map((name, i) => [name, i % 4 === 0 ? null : ''])));
    const whole = paths(await ask(root, { limit: 200 }));
    expect(whole).toHaveLength(57);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 60 }), async (limit) => {
        const pages: string[] = [];
        for (let offset = 0; ; offset += limit) {
          const answer = await ask(root, { offset, limit });
          pages.push(...paths(answer));
          if (answer.status === 'success') break;
        }
        expect(pages).toEqual(whole);
      }),
      { numRuns: 20 },
    );
  });
});

it('an empty root, a root with a strange name', async () => {
  const root = join(emptyDirectory(), "it's 日本");
  mkdirSync(join(root, 'sub'), { recursive: true });
  expect(paths(await ask(root, { path: root }))).toEqual(['sub']);
});
