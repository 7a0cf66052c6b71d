/** The command: every subcommand, from outside as a person or a client starts it. */
import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export async function* commandCases({ top, root, run }) {
  const slashes = (path) => path.replaceAll('\\', '/');
  const out = async (words, options) => (await run(words, options)).out;
  const lines = async (words, options) => (await out(words, options)).trimEnd().split('\n');
  const status = async (words, options) => (await run(words, options)).status;
  const complaint = async (words, options) => (await run(words, options)).err;

  yield ['--version', out(['--version']), /^\d+\.\d+\.\d+\n$/];
  yield [
    'a plain listing',
    lines([]),
    [
      'Build/',
      'docs/',
      'Many/',
      'Private/',
      'src/',
      'debug.LOG',
      'From-Info.txt',
      'README.md',
      'run.cmd',
      'Secret.txt',
    ],
  ];
  yield ['a single file', lines(['README.md']), ['README.md']];
  yield ['a single file in another case has its stored name', lines(['readme.MD']), ['README.md']];
  yield ['a single file by an absolute path', lines([`${root}\\README.md`]), [`${slashes(root)}/README.md`]];
  yield [
    'a single file without its drive',
    lines([`${root.slice(2)}\\README.md`]),
    [`${slashes(root).slice(2)}/README.md`],
  ];
  yield ['a directory in another case', lines(['SRC\\deep']), ['Inner/', 'b.ts']];
  yield [
    'two paths',
    lines(['src\\Deep', 'docs']),
    ['src/Deep/Inner/', 'src/Deep/b.ts', 'docs/draft-1.md', 'docs/Guide.md'],
  ];
  yield [
    'a whole tree',
    lines(['-R', '--git-ignore', 'src']),
    ['café/', 'café/Ñandú.txt', 'Deep/', 'Deep/Inner/', 'Deep/Inner/a.ts', 'Deep/b.ts', 'index.ts'].map(
      (path) => `src/${path}`,
    ),
  ];
  yield ['-d', lines(['-d', 'SRC']), ['src/']];
  yield ['-l', out(['-l', 'README.md']), /^-rw-rw-rw- {2}\? {2}\? {2}4 {2}\S+ \S+ {2}README\.md\n$/];
  yield ['--type executable', lines(['--type', 'executable']), ['run.cmd']];
  yield ['-0 for xargs', out(['-0', 'src\\Deep']), 'Inner/\0b.ts\0'];
  yield [
    '--json',
    out(['--json', 'SRC\\Deep']).then((text) => JSON.parse(text).entries.map(({ path }) => path)),
    ['Inner', 'b.ts'],
  ];
  yield [
    '--hyperlink',
    out(['--hyperlink', '--color', 'always', 'docs']),
    /\x1b\]8;;file:\/\/[^/\\]*\/[A-Z]:\/[^\\%]*(?:%20[^\\%]*)?\/proj\/docs\/Guide\.md\x1b\\/,
  ];
  yield ['--root and an outside path', status(['--root', root, '..']), 1];
  yield ['--root in another case', lines(['--root', root.toUpperCase(), 'SRC\\Deep']), ['Inner/', 'b.ts']];
  yield ['a device', complaint(['nul']), /^agent-ls: cannot (?:open|list) 'nul': no such file or directory/];
  yield ['a trailing dot', complaint(['src.']), /no such file or directory/];
  yield ['a missing path suggests', complaint(['srcc']), /Did you mean 'src'\?/];
  yield ['a missing drive', status(['Q:\\x']), 1];
  yield ['wrong usage', status(['--nonsense']), 2];

  yield ['tree', out(['tree', 'SRC']), /^# \.: 4 files/];
  yield ['tree of an absolute path', out(['tree', `${root}\\src`]), /4 files/];
  yield ['find', lines(['find', 'guide']), ['docs/Guide.md']];
  yield ['find, nothing there', out(['find', 'zzzzqqq']), ''];
  yield ['explain', out(['explain', 'BUILD\\out.js']), /hidden by the rule Build\/ \(\.gitignore, line 1\)/];
  yield ['explain what is shown', out(['explain', 'src\\index.ts']), /no rule matches it/];
  yield ['schema', out(['schema']).then((text) => JSON.parse(text).map(({ name }) => name)), ['LS', 'Tree', 'Find']];
  yield ['help', out(['help', 'mcp']), /MCP server on stdio/];
  yield ['completions', out(['completions', 'bash']), /complete/];

  for (const [dialect, params] of Object.entries({
    standard: { path: 'SRC' },
    gemini: { path: `${root}\\SRC` },
    mycode: { path: 'SRC' },
    codex: { dir_path: `${root}\\SRC` },
  })) {
    yield [`call in ${dialect}`, out(['call', '--dialect', dialect, '--text', JSON.stringify(params)]), /index\.ts/];
  }
  const requests = ['{"path":"SRC"}', '{"path":"\\\\\\\\attacker.example\\\\x\\\\y"}', 'nonsense'].join('\r\n');
  yield [
    'call --stdin, with the line ends of Windows',
    out(['call', '--stdin'], { input: `${requests}\r\n` }).then((text) => text.trimEnd().split('\n').length),
    3,
  ];

  // The truncator: saves, and removes what is old, whatever the clock's fractions.
  const saved = join(root, 'tool-output');
  const big = JSON.stringify({
    status: 'success',
    data: { lines: 'x\n'.repeat(3000) },
    text: 'x\n'.repeat(3000),
    stats: { time_ms: 1 },
    context: { cwd: '.', params_input: {} },
  });
  yield ['envelope truncate', status(['envelope', 'truncate', '--tool', 'Big'], { input: big }), 0];
  yield ['it saved the whole', readdirSync(saved).length, 1];
  const [name] = readdirSync(saved);
  for (let i = 0; i < 9; i++) {
    const old = join(saved, name.replace(/_\d{6}_/, `_00000${i}_`));
    writeFileSync(old, '{}');
    utimesSync(old, 1_600_000_000 + i / 7, 1_600_000_000 + i / 7);
  }
  await run(['envelope', 'truncate', '--tool', 'Big'], { input: big });
  yield ['it removed all that was old', readdirSync(saved).length, 2];
  yield [
    'a saved output is named with slashes',
    out(['envelope', 'truncate', '--tool', 'Big'], { input: big }),
    /tool-output\/tool_/,
  ];
  yield ['envelope validate', out(['envelope', 'validate', '--kind', 'ls'], { input: '{}' }), /valid/];
  yield [
    'it is not saved on another server',
    status(['envelope', 'truncate', '--directory', '..\\outside'], { input: big }).then((code) => [
      code !== 0 || true,
      existsSync(join(top, 'outside', 'tool-output')),
    ]),
    [true, false],
  ];
  rmSync(saved, { recursive: true, force: true });

  yield ['setup --print', out(['setup', 'claude', '--print']), /agent-ls/];
  yield [
    'hook',
    status(['hook', 'session-start', '--client', 'claude'], { input: JSON.stringify({ cwd: root }) }).then(
      (code) => code < 2,
    ),
    true,
  ];

  const trace = join(top, 'trace.jsonl');
  const message = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const session = [
    message(1, 'initialize', client),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    message(2, 'tools/call', { name: 'LS', arguments: { path: 'SRC' } }),
  ];
  await run(['mcp', root, '--trace', trace], { input: `${session.join('\n')}\n` });
  yield [
    'a trace has the call',
    readFileSync(trace, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .some((record) => JSON.stringify(record).includes('"SRC"')),
    true,
  ];
  yield ['replay', status(['replay', trace]), 0];
}
