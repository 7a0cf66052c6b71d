import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import { call } from '../../src/faces/library/call.ts';
import { type ExplainOptions, type Explanation, explain } from '../../src/faces/library/explain.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { movedClock } from '../support/clock.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { noStreams } from '../support/streams.ts';
import { addTree, makeTree, type TreeLiteral } from '../support/tree.ts';

isolateGit();

async function explained(root: string, paths: readonly string[], options: ExplainOptions = {}): Promise<Explanation[]> {
  const workspace = await openWorkspace(root);
  const explanations = await explain(paths, workspace, options);
  workspace.close();
  return explanations;
}

it('lets others have a turn between many paths', async () => {
  const root = makeTree({ '.geminiignore': '*.log' });
  const paths = Array.from({ length: 100 }, (_, i) => `${i}.log`);
  // What has to be loaded takes turns, too.
  await explained(root, []);
  // No path takes as long as a slice; several together do.
  let looks = 0;
  const clock = movedClock(() => 0.1 * ++looks);
  let turns = 0;
  let timer = setImmediate(function count() {
    turns++;
    timer = setImmediate(count);
  });
  const explanations = await explained(root, paths);
  clearImmediate(timer);
  clock.mockRestore();
  expect(explanations.map(({ path, hidden }) => (hidden ? path : null))).toEqual(paths);
  expect(turns).toBeGreaterThan(10);
});

const nothing = { hidden: false, by: null, source: null, line: null, pattern: null };
const rule = (by: Explanation['by'], source: string | null, line: number | null, pattern: string, hidden = true) => ({
  hidden,
  ...{ by, source, line, pattern },
});

describe('a path', () => {
  const tree: TreeLiteral = {
    '.gitignore': '# logs\n*.log\n\ndist/\n!keep.log\n',
    '.geminiignore': '!dist/\n*.ai\n',
    'sub/.gitignore': '/x\n',
    'sub/x': '',
    'dist/app.log': '',
    'a.log': '',
    link: { link: 'sub' },
    out: { link: '/etc' },
  };

  it.each([
    ['no rule matches it', 'README', nothing],
    ['the root', '.', nothing],
    ['a rule of .gitignore', 'a.log', rule('git', '.gitignore', 2, '*.log')],
    ['a ! rule of .gitignore', 'keep.log', rule('git', '.gitignore', 5, '!keep.log', false)],
    ['a nested .gitignore', 'sub/x', rule('git', 'sub/.gitignore', 1, '/x')],
    ['the real path counts', 'link/x', rule('git', 'sub/.gitignore', 1, '/x')],
    ['a ! rule of .geminiignore', 'dist', rule('gemini', '.geminiignore', 1, '!dist/', false)],
    ['what comes with the directory', 'dist/app.log', nothing],
    ['a rule of .geminiignore', 'x.ai', rule('gemini', '.geminiignore', 2, '*.ai')],
    ['git counts where both hide', 'x.ai.log', rule('git', '.gitignore', 2, '*.log')],
    ['.git', '.git', rule('git', null, null, '.git')],
    ['what is in .git', '.git/config', rule('git', null, null, '.git')],
    ['a path that is not there', 'no/such/b.log', rule('git', '.gitignore', 2, '*.log')],
    ['a directory that is not there, by its slash', 'no/dist/', rule('gemini', '.geminiignore', 1, '!dist/', false)],
    ['which without one is a file', 'no/dist', nothing],
    ['a link that leads out', 'out', nothing],
  ])('%s: %s', async (_, path, expected) => {
    const root = makeRepositoryTree(tree);
    expect(await explained(root, [path])).toEqual([{ path, ...expected }]);
    const absolute = join(root, path);
    expect(
      await explained(root, [absolute + (path.endsWith('/') && !absolute.endsWith('/') ? '/' : '')]),
    ).toMatchObject([expected]);
  });

  it('many at once, in order, each as it was given', async () => {
    const root = makeRepositoryTree(tree);
    const paths = ['./a.log', 'sub/../a.log', '"a.log"', 'keep.log', 'a.log'];
    const explanations = await explained(root, paths);
    expect(explanations.map(({ path }) => path)).toEqual(paths);
    expect(explanations.map(({ hidden }) => hidden)).toEqual([true, true, true, false, true]);
    expect(Object.keys(explanations[0] as object)).toEqual(['path', 'hidden', 'by', 'source', 'line', 'pattern']);
    expect(await explained(root, [])).toEqual([]);
  });

  it('relative paths start at the cwd', async () => {
    const workspace = await openWorkspace(makeRepositoryTree(tree), { cwd: 'sub' });
    expect(await explain(['x', '../a.log'], workspace)).toMatchObject([{ hidden: true }, { line: 2 }]);
  });

  it.each([
    ['.git/info/exclude', '.git/info/exclude', 'b'],
    ['the user’s ignore file', '{HOME}/.config/git/ignore', 'c'],
    ['a .gitignore above the root', '../.gitignore', 'd'],
  ])('names %s', async (_, source, path) => {
    const top = makeRepositoryTree({ '.git/info/exclude': 'b\n', '.gitignore': 'd\n', 'ws/x': '' });
    const home = process.env.HOME as string;
    addTree(home, { '.config/git/ignore': 'c\n' });
    const root = source === '../.gitignore' ? join(top, 'ws') : top;
    const file = source.startsWith('{HOME}') ? join(source.replace('{HOME}', home)) : source;
    expect(await explained(root, [path])).toEqual([{ path, ...rule('git', file, 1, path) }]);
  });

  it('outside of a repository git has no say but on .git', async () => {
    const root = makeTree({ '.gitignore': 'a\n', '.geminiignore': 'b\n', a: '', b: '', '.git': '' });
    expect(await explained(root, ['a', 'b', '.git'])).toMatchObject([nothing, { by: 'gemini' }, { by: 'git' }]);
  });

  it('.geminiconfig counts', async () => {
    const config = { fileFiltering: { respectGitIgnore: false, defaultIgnorePatterns: ['x*'] } };
    const root = makeRepositoryTree({ '.gitignore': 'a\n', '.geminiconfig': JSON.stringify(config) });
    expect(await explained(root, ['a', 'x1'])).toMatchObject([nothing, rule('argument', null, null, 'x*')]);
    // One that cannot be used is as good as none.
    writeFileSync(join(root, '.geminiconfig'), '{');
    expect(await explained(root, ['a', 'x1'])).toMatchObject([rule('git', '.gitignore', 1, 'a'), nothing]);
  });

  it('as if a call had sent patterns: they go first, and hide what is below', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'a.log\nb/\n', '.geminiignore': '!a.log\n', 'b/c': '' });
    const ignore = ['*.{log,tmp}', 'b'];
    expect(await explained(root, ['a.log', 'b', 'b/c', 'd'], { ignore })).toMatchObject([
      rule('argument', null, null, '*.{log,tmp}'),
      rule('argument', null, null, 'b'),
      rule('argument', null, null, 'b'),
      nothing,
    ]);
  });

  it('by the rules of standard', async () => {
    const root = makeRepositoryTree({ '.gitignore': 'a\n', 'dist/x': '', '.env': '', a: '', 'b.log': '' });
    const options: ExplainOptions = { dialect: 'standard', ignore: ['*.log'] };
    expect(await explained(root, ['a', 'dist', 'dist/x', '.env', 'b.log', '.git'], options)).toMatchObject([
      nothing,
      { hidden: true, by: 'builtin', pattern: 'dist', source: null, line: null },
      { hidden: true, by: 'builtin', pattern: 'dist' },
      { hidden: true, by: 'dotfile', source: null, line: null },
      rule('argument', null, null, '*.log'),
      { hidden: true },
    ]);
  });

  it.runIf(process.platform === 'linux')('with bytes that are no UTF-8, in quoted form', async () => {
    const root = makeRepositoryTree({});
    writeFileSync(join(root, '.gitignore'), Buffer.from('\xff*\n', 'latin1'));
    expect(await explained(root, ['"\\xffa"', '"b\\xff"'])).toEqual([
      { path: '"\\xffa"', ...rule('git', '.gitignore', 1, '"\\xff*"') },
      { path: '"b\\xff"', ...nothing },
    ]);
  });

  it.each(['..', '/etc', '../nothing', 'out/passwd', 'a\0'])('outside of the root is refused: %j', async (path) => {
    await expect(explained(makeRepositoryTree(tree), [path])).rejects.toMatchObject({
      name: 'ListingError',
      kind: 'outside',
    });
  });

  it('and what is no path, no dialect, no option is misuse', async () => {
    const workspace = await openWorkspace(makeTree({}));
    const misuse = { name: 'UsageError' };
    await expect(explain('a' as never, workspace)).rejects.toMatchObject(misuse);
    await expect(explain([1] as never, workspace)).rejects.toMatchObject(misuse);
    await expect(explain(['a'], {} as never)).rejects.toMatchObject(misuse);
    await expect(explain(['a'], workspace, { dialect: 'gemeni' as never })).rejects.toThrow("Did you mean 'gemini'?");
    await expect(explain(['a'], workspace, { ignores: [] } as never)).rejects.toMatchObject(misuse);
    for (const dialect of ['standard', 'gemini', 'mycode', 'codex'] as const) {
      for (const ignore of ['*', null, [1]] as never[]) {
        await expect(explain(['a'], workspace, { dialect, ignore })).rejects.toMatchObject(misuse);
      }
    }
  });

  it('what it says is what a listing does', async () => {
    const root = makeRepositoryTree(tree);
    const workspace = await openWorkspace(root);
    for (const directory of ['', 'sub', 'dist', '.git']) {
      const all = { respect_git_ignore: false, respect_gemini_ignore: false };
      const shown = async (params: object) => {
        const { llmContent } = await call('gemini', { path: join(root, directory), ...params }, workspace);
        return llmContent.split('\n').flatMap((line) => (/^\(|^$/.test(line) ? [] : line.replace('[DIR] ', '')));
      };
      const names = await shown({ file_filtering_options: all });
      const explanations = await explain(
        names.map((name) => join(directory, name)),
        workspace,
      );
      expect(names.filter((_, i) => !explanations[i]?.hidden)).toEqual(await shown({}));
    }
  });
});

describe('agent-ls explain', () => {
  const GEMINI = ['--dialect', 'gemini'];

  /** What the command prints on each stream, and its exit status. */
  async function agentLs(words: string[], input = '') {
    const printed: string[] = [];
    const complaints: string[] = [];
    const status = await runCommandLine(['explain', ...words], {
      ...noStreams(),
      input: (async function* () {
        yield Buffer.from(input, 'latin1');
      })(),
      print: async (text) => void printed.push(text),
      complain: (text) => complaints.push(text),
    });
    return { status, out: printed.join('\n'), err: complaints.join('\n') };
  }
  const repository = () =>
    makeRepositoryTree({
      '.gitignore': '*.log\n!keep.log\n',
      '.geminiignore': '\n*.ai\n',
      'a b': '',
      '.env': '',
      'dist/x': '',
    });

  it('says which rule of which file hid each path', async () => {
    const paths = ['a.log', 'keep.log', 'x.ai', 'README', '.git', 'a b'];
    expect(await agentLs([...paths, ...GEMINI, '--root', repository()])).toEqual({
      status: 0,
      out: [
        'a.log: hidden by the rule *.log (.gitignore, line 1)',
        'keep.log: shown by the rule !keep.log (.gitignore, line 2)',
        'x.ai: hidden by the rule *.ai (.geminiignore, line 2)',
        'README: shown; no rule matches it',
        '.git: hidden by the rule .git',
        'a b: shown; no rule matches it',
      ].join('\n'),
      err: '',
    });
  });

  it.each<[string, TreeLiteral, RegExp]>([
    ['a .gitignore', { '.gitignore': { link: 'x' } }, /^agent-ls: '\.gitignore' is a link, and is not used$/],
    [
      'a .geminiconfig',
      { '.geminiconfig': '{' },
      /^agent-ls: \.geminiconfig cannot be used: it is not valid JSON \(.*\)$/,
    ],
  ])('says once what could not be used: %s', async (_, tree, note) => {
    const { status, out, err } = await agentLs(['a', 'b', ...GEMINI, '--root', makeRepositoryTree(tree)]);
    expect({ status, out }).toEqual({ status: 0, out: 'a: shown; no rule matches it\nb: shown; no rule matches it' });
    expect(err).toMatch(note);
  });

  it('--json prints a line for each path', async () => {
    expect(await agentLs(['a.log', 'README', '--json', '--root', repository()])).toEqual({
      status: 0,
      out:
        '{"path":"a.log","hidden":true,"by":"git","source":".gitignore","line":1,"pattern":"*.log"}\n' +
        '{"path":"README","hidden":false,"by":null,"source":null,"line":null,"pattern":null}',
      err: '',
    });
  });

  it.each([['-I'], ['--ignore']])('%s is a pattern of a call, and may be repeated', async (option) => {
    const { out } = await agentLs([
      'a.log',
      'b',
      'c',
      option,
      '*.{log,x}',
      option,
      'b',
      ...GEMINI,
      '--root',
      repository(),
    ]);
    expect(out).toBe(
      'a.log: hidden by the pattern *.{log,x}\nb: hidden by the pattern b\nc: shown; no rule matches it',
    );
  });

  it.each([
    ['mycode', '.env: hidden by the rule for dotfiles .*\na.log: shown; no rule matches it'],
    ['codex', '.env: shown; no rule matches it\na.log: shown; no rule matches it'],
  ])('--dialect %s, which has no patterns of its own', async (dialect, out) => {
    const given = ['.env', 'a.log', '--dialect', dialect, '--root', repository()];
    expect(await agentLs(given)).toEqual({ status: 0, out, err: '' });
  });

  it('--dialect standard has the rules of LS', async () => {
    const { out } = await agentLs([
      'a.log',
      'dist',
      '.env',
      'b',
      '-I',
      'b',
      '--dialect',
      'standard',
      '--json',
      '--root',
      repository(),
    ]);
    expect(out.split('\n').map((line) => JSON.parse(line).by)).toEqual([null, 'builtin', 'dotfile', 'argument']);
  });

  it('--stdin reads one path a line, quoted forms and other line ends too', async () => {
    const input = 'a.log\n\na b\r\n"c\\nd.log"\nno-utf8-\xff.log\nlast.log';
    const { status, out } = await agentLs(['--stdin', '--json', '--root', repository()], input);
    expect(status).toBe(0);
    expect(out.split('\n').map((line) => JSON.parse(line))).toMatchObject([
      { path: 'a.log', hidden: true },
      { path: 'a b', hidden: false },
      { path: '"c\\nd.log"', hidden: true },
      { path: '"no-utf8-\\xff.log"', hidden: true },
      { path: 'last.log', hidden: true },
    ]);
  });

  it('--stdin passes over a line that is no path for its length, and says so', async () => {
    const { status, out, err } = await agentLs(
      ['--stdin', ...GEMINI, '--root', repository()],
      `${'x'.repeat(65_537)}\nnone\n`,
    );
    expect({ status, out }).toEqual({ status: 1, out: 'none: shown; no rule matches it' });
    expect(err).toBe('agent-ls: a path is longer than 32768 bytes and was skipped');
  });

  it.each([
    ['standard', 'hidden by the rule for dotfiles .*'],
    ['gemini', 'shown; no rule matches it'],
    ['mycode', 'hidden by the rule for dotfiles .*'],
    ['codex', 'shown; no rule matches it'],
  ])('--dialect %s has its own rules', async (dialect, said) => {
    const { status, out } = await agentLs(['.env', '--root', makeTree({}), '--dialect', dialect]);
    expect({ status, out }).toEqual({ status: 0, out: `.env: ${said}` });
  });

  it('--stdin with nothing in it prints nothing', async () => {
    expect(await agentLs(['--stdin', '--root', repository()])).toEqual({ status: 0, out: '', err: '' });
  });

  it('a quoted path is decoded; what would forge a line is shown in quotes', async () => {
    const { out } = await agentLs(['"a\\nb.log"', 'c\nd.log', ...GEMINI, '--root', repository()]);
    expect(out).toBe(
      '"a\\nb.log": hidden by the rule *.log (.gitignore, line 1)\n"c\\nd.log": hidden by the rule *.log (.gitignore, line 1)',
    );
  });

  it('a path outside is refused, and the others are explained', async () => {
    const { status, out, err } = await agentLs(['a.log', '../x', 'README', '/etc', ...GEMINI, '--root', repository()]);
    expect([status, out.split('\n').length]).toEqual([1, 2]);
    expect(err).toBe(
      "agent-ls: cannot explain '../x': the path is outside the root\nagent-ls: cannot explain '/etc': the path is outside the root",
    );
  });

  it('a malformed quoted path is refused', async () => {
    expect(await agentLs(['"a', '--root', repository()])).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringContaining('"a'),
    });
  });

  it('--cwd is where relative paths start', async () => {
    const { out } = await agentLs(['../a.log', 'x', '--cwd', 'dist', '--json', '--root', repository()]);
    expect(out.split('\n').map((line) => JSON.parse(line).hidden)).toEqual([true, false]);
  });

  it.each([
    [[], 'explain needs a path: agent-ls explain PATH...'],
    [['--json'], 'explain needs a path'],
    [['a', '--stdin'], 'With --stdin the paths are read from stdin; leave out PATH.'],
    [['a', '--dialect', 'gemeni'], "Did you mean 'gemini'?"],
    [['a', '--jsn'], "Did you mean '--json'?"],
    [['a', '-I'], "'-I' needs a value"],
  ])('wrong usage: %j', async (words, message) => {
    const { status, out, err } = await agentLs(words);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});
