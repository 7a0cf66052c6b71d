import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OptionSpec } from '../../src/faces/cli/options.ts';
import { COMMANDS } from '../../src/faces/cli/options.ts';
import { progressTo } from '../../src/faces/cli/show.ts';
import type { Streams } from '../../src/faces/cli/streams.ts';
import { countingTokens } from '../../src/faces/cli/tokens.ts';
import { tokensIn } from '../../src/overview/token-count.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { VERSION } from '../../src/version.ts';
import { agentLs } from '../support/command-line.ts';
import { descriptors } from '../support/descriptors.ts';
import { makeRepository } from '../support/git.ts';
import { makeTree } from '../support/tree.ts';

async function* inPieces(pieces: Iterable<Uint8Array>) {
  yield* pieces;
}

const tree = () => makeTree({ 'src/a.ts': '', '.env': '', 'b.log': '', link: { link: 'src' } });

describe('agent-ls [PATH]', () => {
  it('lists a directory, one entry a line, without dotfiles', async () => {
    expect(await agentLs([tree()])).toEqual({ status: 0, out: 'link\nsrc/\nb.log', err: '' });
  });

  it('marks links on a terminal alone, where nobody sends them back', async () => {
    expect((await agentLs([tree(), '-a'], { isTerminal: true })).out).toBe('link@  src/  .env  b.log');
  });

  it('prints nothing for an empty directory', async () => {
    expect(await agentLs([makeTree({})])).toEqual({ status: 0, out: '', err: '' });
  });

  it.each([
    [['-a'], 'link\nsrc/\n.env\nb.log'],
    [['--all', '-I', '*.log', '-I', 'link'], 'src/\n.env'],
    [['--offset', '1', '--limit=1'], 'src/'],
  ])('%j', async (words, out) => {
    expect(await agentLs([tree(), ...words])).toMatchObject({ status: 0, out });
  });

  it('--json prints the structured listing', async () => {
    const { out } = await agentLs([tree(), '--json']);
    expect(JSON.parse(out)).toMatchObject({ path: '.', totals: { dir: 1, link: 1, file: 1 }, hidden: { dotfile: 1 } });
  });

  it('--root confines it', async () => {
    const root = tree();
    expect((await agentLs(['src', '--root', root])).out).toBe('a.ts');
    expect((await agentLs(['..', '--root', root, '--cwd', 'src'])).out).toBe('link\nsrc/\nb.log');
    const outside = await agentLs(['..', '--root', root]);
    expect(outside).toEqual({ status: 1, out: '', err: "agent-ls: cannot list '..': the path is outside the root" });
  });

  it('lists a directory that is called like the help calls this command', async () => {
    const root = makeTree({ 'list/inner': '' });
    expect((await agentLs(['list', '--root', root])).out).toBe('inner');
  });

  it('quotes a name that could be taken for a link and its target', async () => {
    const root = makeTree({ 'a -> b': '', l: { link: 'x' } });
    for (const isTerminal of [false, true]) {
      const { out } = await agentLs([root, '-l'], { isTerminal });
      expect(
        out
          .split('\n')
          .map((line) => line.replace(/^.*\d\d:\d\d {2}/, ''))
          .slice(0, 2),
      ).toEqual([isTerminal ? "'a -> b'" : '"a -> b"', 'l -> x']);
    }
  });

  it('says what is wrong with a path, and when a command was meant', async () => {
    const missing = await agentLs([join(tree(), 'nothing')]);
    expect(missing.status).toBe(1);
    expect(missing.err).toMatch(/^agent-ls: cannot open '.*nothing': no such file or directory$/);
    expect((await agentLs(['cal'])).err.split('\n')).toContain("Did you mean the command 'call'?");
    expect((await agentLs([join(tree(), 'b.log/')])).err).toContain('not a directory');
  });

  it('says which directory may have been meant, on a line of its own', async () => {
    const root = makeTree({ 'src/utils': null });
    const lines = async (words: string[]) => (await agentLs(words)).err.split('\n');
    const path = join(root, 'scr');
    const missing = `agent-ls: cannot open '${path}': no such`;
    expect(await lines([path])).toEqual([`${missing} file or directory`, `Did you mean '${join(root, 'src')}'?`]);
    expect(await lines(['tree', path])).toEqual([`${missing} directory`, `Did you mean '${join(root, 'src')}'?`]);
    // The tests run in the project itself.
    expect(await lines(['src/dialect'])).toContain("Did you mean 'src/dialects'?");
    expect(await lines(['src/utilz', '--root', root])).toEqual([
      "agent-ls: cannot list 'src/utilz': no such file or directory",
      "Did you mean 'src/utils'?",
    ]);
  });

  it.runIf(process.platform === 'linux')(
    'lists a directory whose name is not valid UTF-8, in quoted form',
    async () => {
      const root = makeTree({});
      mkdirSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff])]));
      mkdirSync(Buffer.concat([Buffer.from(`${root}/d`), Buffer.from([0xff]), Buffer.from('/inner')]));
      expect((await agentLs([root])).out).toBe('"d\\xff"/');
      expect((await agentLs([`"${root}/d\\xff"`])).out).toBe('inner/');
    },
  );
});

it.each([[['']], [['tree', '']], [['-l', '', '--json']]])('%j names the path that is not there', async (words) => {
  expect(await agentLs(words)).toMatchObject({
    status: 1,
    err: expect.stringMatching(/^agent-ls: cannot open '': no such/),
  });
});

it.each([
  ['view', 'default: standard'],
  ['call', 'default: standard'],
])('the help of %s says what --dialect does there: %s', async (command, words) => {
  const { out } = await agentLs(['help', command]);
  expect(out.split('\n').find((line) => line.includes('--dialect'))).toContain(words);
});

it('the help shows no option that changes nothing, but every command accepts the common ones', async () => {
  const shown = async (command: string) => (await agentLs(['help', command])).out;
  expect(await shown('replay')).not.toContain('--dialect');
  expect(await shown('completions')).not.toMatch(/--root|--cwd|--no-color/);
  expect(await shown('schema')).not.toContain('--json');
  expect((await agentLs(['completions', 'bash', '--root', '.', '--dialect', 'codex'])).status).toBe(0);
});

describe('wrong usage ends with status 2 and the nearest right spelling', () => {
  it.each([
    [['--al'], "Unknown option '--al'. Did you mean '--all'?"],
    [['-z'], "Unknown option '-z'."],
    [['--limit', 'x'], "--limit takes a whole number, 1 or more, not 'x'."],
    [['--limit', '0'], "--limit takes a whole number, 1 or more, not '0'."],
    [['--offset=-1'], "--offset takes a whole number, 0 or more, not '-1'."],
    [['--limit'], "'--limit' needs a value: --limit N"],
    [['--root', '--json'], "'--root' needs a value: --root DIR"],
    [['--limit', '-1'], "--limit takes a whole number, 1 or more, not '-1'."],
    [['tree', '--budget', '50'], "--budget takes a whole number, 100 to 20000, not '50'."],
    [['find', 'x', '--limit', '500'], "--limit takes a whole number, 1 to 200, not '500'."],
    [['--tree'], "'agent-ls -R' draws the whole tree, 'agent-ls tree' a map of it."],
    [['-T'], "'agent-ls -R' draws the whole tree"],
    [['--level', '2'], 'Here it is -L N.'],
    [['--max-depth=2'], 'Here it is -L N.'],
    [['--exclude', 'x'], 'Here it is -I GLOB.'],
    [['--hidden'], 'Here it is -a.'],
    [['-D'], 'Here it is --dirs.'],
    [['--no-ignore'], 'Nothing is ignored unless you add --git-ignore.'],
    [['--budget', '500'], "It is an option of 'agent-ls tree'."],
    [['tree', '-L', '2'], "A map is limited by --budget TOKENS; 'agent-ls -L N' lists N levels."],
    [['tree', '--no-ignore'], 'Here it is --no-git-ignore.'],
    [['--group-directories-first', '-t'], 'Directories come first only by name'],
    [['-I', '-x*'], "'-I' needs a value: -I GLOB. One that begins with '-' is written --ignore=-x*."],
    [['--root='], 'The root must be the path of a directory.'],
    [['--all=yes'], "'--all' takes no value."],
    [['--limit', '1', '--limit', '2'], "'--limit' was given twice."],
    [['tree', 'a', 'b'], "Unexpected argument 'b'. Usage: agent-ls tree [PATH] [options]"],
    [['call', '{"path":'], 'PARAMS is not valid JSON'],
    [['call', '--dialect', 'standart'], 'Unknown dialect "standart". Did you mean \'standard\'?'],
    [['--dialect', 'standart'], 'Unknown dialect "standart". Did you mean \'standard\'?'],
    [['call', '--text', '--json'], 'Choose one of --text and --json.'],
    [['call', '--stdin', '{}'], 'With --stdin each line holds the parameters; leave out PARAMS.'],
    [['call', '--stdin', '--text'], 'With --stdin each line holds the text already'],
    [['schema', '--for', 'opanai'], "Unknown --for 'opanai'. Did you mean 'openai'?"],
    [['schema', '--for', 'x'], 'Known: json-schema, openai, anthropic, gemini, mcp.'],
    [['--color', 'alway'], "Unknown --color 'alway'. Did you mean 'always'?"],
    [['--no-color', '--color', 'always'], 'Choose one of --no-color and --color always.'],
    [['--__proto__'], "Unknown option '--__proto__'."],
  ])('%j', async (words, message) => {
    const { status, out, err } = await agentLs(words);
    expect([status, out]).toEqual([2, '']);
    expect(err).toContain(message);
    const command = ['tree', 'find', 'call', 'schema'].find((name) => name === words[0]);
    expect(err).toContain(`Try 'agent-ls ${command === undefined ? '' : `${command} `}--help'.`);
    expect(err).not.toMatch(/\n\s+at /);
  });
});

describe('agent-ls call', () => {
  it('prints the answer object', async () => {
    const { status, out } = await agentLs(['call', '{"limit": 1}', '--root', tree()]);
    expect(status).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ status: 'partial', data: { entries: [{ path: 'link', type: 'link' }] } });
    expect(out).not.toContain('\n');
  });

  it('prints it on several lines for a person', async () => {
    expect((await agentLs(['call', '--root', tree()], { isTerminal: true })).out).toContain('\n  "status": "success"');
  });

  it('--text prints what the model reads', async () => {
    const { out } = await agentLs(['call', '--text', '--root', tree(), '--cwd', 'src']);
    expect(out).toBe("Listed 1 entries in 'src'\n(Total: 1 items - 0 dirs, 1 files, 0 links)\n\nsrc/a.ts");
  });

  it('ends with status 1 when the answer is an error', async () => {
    const { status, out, err } = await agentLs(['call', '{"path": "nothing"}', '--root', tree()]);
    expect([status, err, JSON.parse(out).error.code]).toEqual([1, '', 'NOT_FOUND']);
  });

  it('says which root or cwd is wrong', async () => {
    expect((await agentLs(['call', '--root', '/nonexistent'])).err).toContain("cannot open '/nonexistent'");
    expect((await agentLs(['call', '--root', tree(), '--cwd', '..'])).err).toContain("cannot use the cwd '..'");
  });
});

describe('agent-ls call --stdin', () => {
  async function answers(words: string[], lines: unknown[]) {
    const input = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    const { status, out } = await agentLs(['call', '--stdin', ...words], { input });
    expect(status).toBe(0);
    return out === '' ? [] : out.split('\n').map((line) => JSON.parse(line));
  }

  it('answers one line each, in order', async () => {
    const root = tree();
    const got = await answers(['--root', root], [{ id: 'x', params: { limit: 1 } }, '', { id: 2, cwd: 'src' }]);
    expect(got.map(({ id, answer }) => [id, answer.data.entries[0].path])).toEqual([
      ['x', 'link'],
      [2, 'src/a.ts'],
    ]);
    expect(got[0].text).toBe(got[0].answer.text);
  });

  it('takes another root, dialect and tool from the line', async () => {
    const other = makeTree({ other: '' });
    const got = await answers(['--root', tree()], [{ root: other, dialect: 'standard', tool: 'LS' }, { params: null }]);
    expect(got.map(({ id, answer }) => [id, answer.data.entries.length])).toEqual([
      [null, 1],
      [null, 3],
    ]);
  });

  it('answers a bad line with an error, and reads the next', async () => {
    const bad = [
      'not json',
      `{"params": {"path": ${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
      '[1]',
      '"text"',
      'null',
      { id: 3, parms: {} },
      { id: 4, dialect: 'klingon' },
      { id: 5, tool: 'Write' },
      { id: 6, root: '/nonexistent' },
      { id: 7, root: 5 },
      { id: 8, cwd: '..' },
      { id: 9, params: { limit: 0 } },
    ];
    const got = await answers(['--root', tree()], [...bad, { id: 10 }]);
    expect(got.map(({ id }) => id)).toEqual([null, null, null, null, null, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const { answer, text } of got.slice(0, -1)) {
      expect(validateResponse(answer)).toEqual({ valid: true, violations: [] });
      expect(answer.error.code).toBe('INVALID_PARAM');
      expect(text.split('\n').length).toBeGreaterThan(1);
    }
    expect(got[5].text).toContain("Did you mean 'params'?");
    for (const { id, text } of got.slice(0, 11)) {
      expect(text).toContain(
        id === 6 || id === 8 ? 'Send the path of a directory that exists' : 'Send one JSON object a line',
      );
    }
    expect(got.at(-1).answer.status).toBe('success');
  });

  it('tells the parameters of a line that it refuses, and the line itself where it has none', async () => {
    const params = { path: 'src' };
    const lines = [
      { root: '/nonexistent', params },
      { cwd: '..', params },
      { id: 1, parms: 2, params },
      { tool: 'No' },
    ];
    const got = await answers(['--root', tree()], [...lines, [params], 'not json']);
    expect(got.map(({ answer }) => answer.context.params_input)).toEqual([
      ...[params, params, params, {}],
      ...[[params], 'not json'],
    ]);
  });

  it('refuses in the dialect that the line names', async () => {
    const got = await answers(
      ['--root', tree()],
      [
        { id: 1, dialect: 'codex', root: '/nowhere' },
        { id: 2, x: 1 },
      ],
    );
    expect(got[0].answer).toMatchObject({ success: false });
    expect(got[1].answer).toMatchObject({ status: 'error' });
  });

  it('takes CRLF, a byte order mark, and characters cut by a chunk', async () => {
    const bytes = Buffer.from('\ufeff{"id": "é"}\r\n{"id": "日"}');
    const input = inPieces(Array.from(bytes, (byte) => Uint8Array.of(byte)));
    const { out } = await agentLs(['call', '--stdin', '--root', tree()], { input });
    expect(out.split('\n').map((line) => [JSON.parse(line).id, JSON.parse(line).answer.status])).toEqual([
      ['é', 'success'],
      ['日', 'success'],
    ]);
  });

  it('refuses bytes that are not valid UTF-8 instead of taking them for something else', async () => {
    const input = inPieces([Buffer.from('{"params": {"path": "\xff"}}', 'latin1')]);
    const { out } = await agentLs(['call', '--stdin', '--root', makeTree({ '\ufffd': null })], { input });
    expect(JSON.parse(out).answer.error.message).toBe('The line is not valid UTF-8.');
  });

  it('passes over a line that is too long, and reads the next', async () => {
    const long = JSON.stringify({ id: 1, params: { path: 'x'.repeat(2_000_000) } });
    const got = await answers(['--root', tree()], [long, { id: 2 }]);
    expect(got.map(({ id, answer }) => [id, answer.status])).toEqual([
      [null, 'error'],
      [2, 'success'],
    ]);
    expect(got[0].text).toContain('The line is longer than 1048576 bytes.');
  });

  it('goes where a root and a cwd lead now, when a link was switched between two lines', async () => {
    const place = makeTree({ 'old/s/one': '', 'new/s/two': '', root: { link: 'old' }, cwd: { link: 'old/s' } });
    const requests = [
      { root: join(place, 'root'), params: { path: 's' } },
      { root: place, cwd: 'cwd' },
    ]
      .map((request) => `${JSON.stringify(request)}\n`)
      .join('');
    async function* input() {
      yield Buffer.from(requests);
      for (const [link, target] of [
        ['root', 'new'],
        ['cwd', 'new/s'],
      ] as const) {
        rmSync(join(place, link));
        symlinkSync(target, join(place, link));
      }
      yield Buffer.from(requests);
    }
    const { out } = await agentLs(['call', '--stdin'], { input: input() });
    const entries = out.split('\n').map((line) => JSON.parse(line).answer.data.entries[0].path);
    expect(entries).toEqual(['s/one', 'old/s/one', 's/two', 'new/s/two']);
  });

  it('keeps working with more roots than it keeps open', async () => {
    const roots = Array.from({ length: 20 }, (_, i) => makeTree({ [`only-${i}`]: '' }));
    const got = await answers(
      [],
      [...roots, ...roots].map((root) => ({ root })),
    );
    expect(got.map(({ answer }) => answer.data.entries[0].path)).toEqual(
      [...roots, ...roots].map((_, i) => `only-${i % 20}`),
    );
  });
});

describe('an option with few values', () => {
  const words = { list: [tree], call: ['call'], explain: ['explain', 'x'], schema: ['schema'] } as const;
  const rows = Object.entries(words).flatMap(([command, given]) =>
    Object.entries<OptionSpec>(COMMANDS[command as keyof typeof words].options).flatMap(([name, { choices = [] }]) =>
      choices.map((choice) => [given, name, choice] as const),
    ),
  );

  it.each(rows)('%j --%s %s', async (given, name, choice) => {
    const line = given.map((word) => (typeof word === 'string' ? word : word()));
    // Without parameters some dialects answer with an error, but none is wrong usage.
    expect((await agentLs([...line, `--${name}`, choice])).err).toBe('');
    expect(await agentLs([...line, `--${name}`, `${choice}x`])).toMatchObject({ status: 2 });
  });
});

describe('agent-ls completions', () => {
  it.each(['bash', 'zsh', 'fish'])('%s knows every command and every option', async (shell) => {
    const { status, out } = await agentLs(['completions', shell]);
    expect(status).toBe(0);
    for (const [command, { options }] of Object.entries(COMMANDS)) {
      expect(out).toContain(command);
      for (const [name, { help }] of Object.entries<OptionSpec>(options)) {
        if (help === '') continue;
        const [fish, other] = name.length === 1 ? [`-s ${name} `, `-${name}`] : [`-l ${name} `, `--${name}`];
        expect(out).toContain(shell === 'fish' ? fish : other);
      }
    }
  });

  it('says which shells it knows', async () => {
    expect((await agentLs(['completions'])).err).toContain('completions needs a shell. Known: bash, zsh, fish.');
    expect(await agentLs(['completions', 'bsh'])).toMatchObject({ status: 2, out: '' });
    expect((await agentLs(['completions', 'bsh'])).err).toContain("Did you mean 'bash'?");
  });
});

describe('--tokens', () => {
  it('says on stderr what the printed text costs, by the estimate', async () => {
    const root = tree();
    for (const words of [[root], ['-R', root], ['-l', root], ['--json', root], ['call', '--root', root, '--text']]) {
      const { out, err } = await agentLs([...words, '--tokens']);
      expect(err).toBe(`${tokensIn(`${out}\n`)} tokens (o200k)`);
    }
  });

  it('counts what comes in many parts, and characters that a part cuts', async () => {
    const bytes = Buffer.from('日本語 é;\n\nsome words.)\n/and 1234 more\n  \n'.repeat(3000));
    const counted = async (size: number) => {
      const said: string[] = [];
      const streams = { write: async () => {}, complain: (text: string) => said.push(text) } as unknown as Streams;
      await countingTokens(streams, async (counting) => {
        for (let from = 0; from < bytes.length; from += size) await counting.write(bytes.subarray(from, from + size));
        return 0;
      });
      return said;
    };
    expect(await counted(7)).toEqual(await counted(1_000_000));
    expect(await counted(7)).toEqual([`${tokensIn(bytes.toString())} tokens (o200k)`]);
  });

  it('leaves the status as it is', async () => {
    const { status, err } = await agentLs(['call', '{"path": ".."}', '--root', tree(), '--tokens']);
    expect([status, err]).toEqual([1, expect.stringMatching(/^\d+ tokens \(o200k\)$/)]);
  });
});

describe('progress', () => {
  it('is said after a second, ten times a second, and not before', () => {
    let time = 0;
    const said: string[] = [];
    const status = (text: string) => void said.push(text);
    const progress = progressTo({ isTerminal: true, status }, () => time);
    for (; time < 1210; time += 10) progress?.(time * 1000);
    expect(progressTo({ isTerminal: false, status })).toBeUndefined();
    expect(said).toEqual(['1,000,000 entries read', '1,100,000 entries read', '1,200,000 entries read']);
  });
});

describe('agent-ls schema', () => {
  it.each([
    ['json-schema', 'parameters'],
    ['openai', 'parameters'],
    ['anthropic', 'input_schema'],
    ['gemini', 'parametersJsonSchema'],
    ['mcp', 'inputSchema'],
  ])('--for %s', async (api, key) => {
    const [tool] = JSON.parse((await agentLs(['schema', '--for', api])).out);
    expect(tool.name).toBe('LS');
    expect(Object.keys(tool[key].properties)).toEqual([
      'path',
      'offset',
      'limit',
      'include_hidden',
      'ignore',
      'cursor',
    ]);
  });
});

describe('help and version', () => {
  it.each([[['--help']], [['-h']], [['call', '--help']], [['schema', '--help']]])('%j', async (words) => {
    const { status, out } = await agentLs(words);
    expect(status).toBe(0);
    expect(out).toMatch(/^Usage: agent-ls/);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('--version', async () => {
    expect(await agentLs(['--version'])).toEqual({ status: 0, out: VERSION, err: '' });
  });
});

describe('agent-ls on several levels, in detail and in order', () => {
  const project = () =>
    makeTree({
      'src/lib/a.ts': 'x'.repeat(2048),
      'src/B.ts': 'xx',
      'src/.env': '',
      'z.md': '',
      to: { link: 'src/lib' },
    });

  it('prints a path a line, each directory before what it contains', async () => {
    expect((await agentLs(['-R', '--root', project()])).out.split('\n')).toEqual([
      ...['src/', 'src/lib/', 'src/lib/a.ts', 'src/B.ts', 'to', 'z.md'],
    ]);
  });

  it.each([
    [
      ['--depth', '2'],
      ['src/', 'src/lib/', 'src/B.ts', 'to', 'z.md'],
    ],
    [
      ['-R', '-a', '--files'],
      ['src/lib/a.ts', 'src/.env', 'src/B.ts', 'z.md'],
    ],
    [
      ['-R', '--dirs'],
      ['src/', 'src/lib/'],
    ],
    [
      ['-R', '-p', '*.ts'],
      ['src/lib/a.ts', 'src/B.ts'],
    ],
    [
      ['-R', '-p', 'src/*'],
      ['src/lib/', 'src/B.ts'],
    ],
    [
      ['-R', '--sort', 'size', '--files'],
      ['src/lib/a.ts', 'src/B.ts', 'z.md'],
    ],
    [
      ['-R', '--sort', 'size', '--files', '-r', '--limit', '2'],
      ['z.md', 'src/B.ts'],
    ],
    [
      ['-R', '--limit', '2', '--offset', '1'],
      ['src/lib/', 'src/lib/a.ts'],
    ],
    [['-r'], ['z.md', 'to', 'src/']],
  ])('%j', async (words, expected) => {
    expect((await agentLs([...words, '--root', project()])).out.split('\n')).toEqual(expected);
  });

  it('draws a tree on a terminal', async () => {
    expect((await agentLs(['-R', '--root', project()], { isTerminal: true })).out.split('\n')).toEqual([
      ...['├── src/', '│   ├── lib/', '│   │   └── a.ts', '│   └── B.ts', '├── to -> src/lib', '└── z.md'],
      '2 directories, 3 files, 1 link; 1 hidden (1 dotfile); -a shows it',
    ]);
  });

  it('shows what the system knows, in bytes for programs and in units for people', async () => {
    const root = project();
    const { out } = await agentLs(['-l', join(root, 'src/lib')]);
    expect(out).toMatch(/^-rw-r--r-- {2}\S+ {2}\S+ {2}2048 {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}a\.ts$/);
    expect((await agentLs(['-l', join(root, 'src/lib')], { isTerminal: true })).out).toContain('  2.0 KB  ');
    expect((await agentLs(['-l', root])).out).toContain('  to -> src/lib');
  });

  it('gives the same as data', async () => {
    const { out } = await agentLs(['-l', '-R', '--files', '--json', project()]);
    const { entries } = JSON.parse(out);
    expect(entries.map(({ path, metadata }: never) => [path, (metadata as { size: number }).size])).toEqual([
      ['src/lib/a.ts', 2048],
      ['src/B.ts', 2],
      ['z.md', 0],
    ]);
  });

  it.each([
    [['--sort', 'sise'], "Did you mean 'size'?"],
    [['--dirs', '--files'], 'Choose one of --dirs and --files.'],
    [['--depth', '0'], '--depth takes a whole number, 1 or more'],
    [['-p', '{a,b}'.repeat(20)], 'The braces of pattern must stand for at most'],
    [['--git-ignore', '--no-git-ignore'], 'Choose one of --git-ignore and --no-git-ignore.'],
  ])('refuses %j, and says why', async (words, reason) => {
    const { status, err } = await agentLs([...words, project()]);
    expect([status, err]).toEqual([2, expect.stringContaining(reason)]);
  });
});

describe('agent-ls tree', () => {
  const map = () =>
    makeTree({
      'src/index.ts': '',
      'src/lib/a.ts': '',
      'README.md': '',
      ...Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`test/test_${i}.ts`, ''])),
    });

  it('refuses a revision with --no-git, because only git could read it', async () => {
    const root = tree();
    makeRepository(root);
    expect(await agentLs(['tree', `git:${root}`, '--no-git'])).toMatchObject({
      status: 1,
      err: 'agent-ls: git must not be started here, and a revision cannot be read without it',
    });
  });

  it('prints the map, of any directory', async () => {
    const { status, out } = await agentLs(['tree', join(map(), 'src')]);
    expect({ status, out }).toEqual({ status: 0, out: '# .: 2 files, 2 shown\nindex.ts\n lib/ a.ts' });
  });

  it('opens a fold, and is confined by --root', async () => {
    const root = map();
    expect((await agentLs(['tree', `${root}/test/test_5*`])).out).toMatch(
      /^# test_5\*: 11 files, 11 shown\ntest_\*\.ts: 5 50 /,
    );
    expect((await agentLs(['tree', '--root', root, 'test/test_5*'])).out).toMatch(/^# test\/test_5\*: 11 files/);
    expect(await agentLs(['tree', '--root', join(root, 'src'), '../test'])).toMatchObject({
      status: 1,
      out: '',
      err: expect.stringMatching(/^agent-ls: Access denied\. /),
    });
  });

  it('takes a budget and patterns to leave out', async () => {
    const root = map();
    expect((await agentLs(['tree', root, '--budget', '100'])).out).toMatch(/^# \.: 63 files, .* shown\n/);
    expect((await agentLs(['tree', root, '-I', 'test*', '-I', '*.md'])).out).toBe(
      '# .: 2 files, 2 shown, 2 hidden by ignore\n src/ index.ts\n  lib/ a.ts',
    );
    expect(await agentLs(['tree', root, '--git-ignore', '-a'])).toMatchObject({
      status: 2,
      err: expect.stringMatching(/Choose one of --git-ignore and --all/),
    });
  });

  it('is a tool of the standard dialect for call, its lines and schema', async () => {
    const root = map();
    const called = await agentLs(['call', '--root', root, '--tool', 'Tree', '{"path": "src"}', '--text']);
    expect(called.out).toBe('# src: 2 files, 2 shown\nindex.ts\n lib/ a.ts');
    const line = JSON.stringify({ id: 7, tool: 'Tree', params: { path: 'src/lib' } });
    expect(JSON.parse((await agentLs(['call', '--root', root, '--stdin'], { input: line })).out)).toMatchObject({
      id: 7,
      answer: { status: 'success', stats: { files: 1 } },
      text: '# src/lib: 1 file, 1 shown\na.ts',
    });
    expect(JSON.parse((await agentLs(['schema'])).out).map(({ name }: { name: string }) => name)).toEqual([
      ...['LS', 'Tree', 'Find'],
    ]);
    expect(await agentLs(['call', '--dialect', 'codex', '--tool', 'Tree'])).toMatchObject({
      status: 2,
      err: expect.stringContaining('Unknown tool "Tree". Known: list_dir.'),
    });
    expect(JSON.parse((await agentLs(['tree', '--json', root])).out)).toMatchObject({ status: 'success' });
  });
});

describe('what reads lines', () => {
  it.each([
    ['explain', 'a\nb\n../out\n'],
    ['call', '{"root": "src"}\n{"cwd": "src"}\n{"root": "nowhere"}\n{}\n'],
  ])('%s leaves nothing open at their end', async (command, input) => {
    const root = makeTree({ 'src/a': '' });
    const ask = () => agentLs([command, '--stdin', '--root', root], { input });
    await ask();
    const before = descriptors();
    for (let i = 0; i < 5; i++) await ask();
    expect(descriptors()).toBe(before);
  });
});
