/** `agent-ls setup`: what it writes, and that nothing else in a file changes. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../src/faces/setup/clients.ts';
import { editJson } from '../../src/faces/setup/jsonc.ts';
import { editToml } from '../../src/faces/setup/toml.ts';
import { COMMAND } from '../mcp/clients.ts';
import { makeTree } from '../support/tree.ts';

const ENTRIES: readonly Entry[] = [
  { path: ['mcpServers', 'agent-ls'], value: { command: '/node', args: ['mcp'] } },
  { path: ['hooks', 'SessionStart'], value: { hooks: [{ command: 'cli.cjs hook x' }] }, item: /cli\.cjs hook/ },
];

/** As `setup` adds its entries, and as it takes them out. */
const withEntries = (text: string | null, entries: readonly Entry[]) => editJson(text, entries, entries) as string;
const withoutEntries = (text: string, entries: readonly Entry[]) => editJson(text, entries, []);
const withTables = (text: string | null, entries: readonly Entry[]) => editToml(text, entries, entries);
const withoutTables = (text: string, entries: readonly Entry[]) => editToml(text, entries, []);

/** JSON without comments and without a last comma. */
const plain = (text: string) => {
  const without = (pattern: RegExp, from: string) =>
    from.replace(pattern, (found) => (found.startsWith('"') ? found : ''));
  return JSON.parse(
    without(/"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])/g, without(/"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, text)),
  );
};

const FILES: Readonly<Record<string, string>> = {
  'an empty object': '{}',
  'an empty object with a line break': '{\n}\n',
  'one line': '{"a": 1, "mcpServers": {"b": {}}, "hooks": {"SessionStart": []}}',
  'empty parts': '{\n  "mcpServers": {},\n  "hooks": {}\n}\n',
  'comments everywhere':
    '// top\n{ // after the brace\n\t/* a */ "a": [1, 2,], // one\n\t// before\n\t"mcpServers": { // servers\n\t\t"x": { "command": "y" }, // x\n\t}, // end\n}\n// last\n',
  'other hooks':
    '{\n    "hooks": {\n        "SessionStart": [\n            { "hooks": [{ "command": "mine" }] }\n        ],\n        "Stop": []\n    }\n}',
  'Windows line breaks': '{\r\n  "a": "b",\r\n  "mcpServers": {\r\n    "x": 1\r\n  }\r\n}\r\n',
  'a byte order mark': '\ufeff{ "a": 1 }',
};

describe('JSON with comments', () => {
  it.each(Object.entries(FILES))('%s: gets the entries, and is restored byte for byte', (_, text) => {
    const edited = withEntries(text, ENTRIES);
    expect(withoutEntries(edited, ENTRIES)).toBe(text);
    expect(withEntries(edited, ENTRIES)).toBe(edited);
    const before = plain(text.replace('\ufeff', ''));
    const after = plain(edited.replace('\ufeff', ''));
    expect(after.mcpServers).toEqual({ ...before.mcpServers, 'agent-ls': ENTRIES[0]?.value });
    expect(after.hooks.SessionStart).toEqual([ENTRIES[1]?.value, ...(before.hooks?.SessionStart ?? [])]);
    for (const comment of text.match(/\/\/[^\n]*/g) ?? []) expect(edited).toContain(comment);
  });

  it('keeps comments beside what they are about', () => {
    const edited = withEntries(FILES['comments everywhere'] as string, ENTRIES);
    expect(edited).toContain('{ // after the brace\n\t"hooks"');
    expect(edited).toContain('\t// before\n\t"mcpServers": { // servers\n\t\t"agent-ls"');
    expect(edited).toContain('"x": { "command": "y" }, // x');
  });

  it('is created, and removed whole', () => {
    const created = withEntries(null, ENTRIES);
    expect(JSON.parse(created)).toHaveProperty('mcpServers.agent-ls.command', '/node');
    expect(withoutEntries(created, ENTRIES)).toBeNull();
    expect(withoutEntries(created.replace('{', '{ "a": 1,'), ENTRIES)).toBe('{ "a": 1\n}\n');
  });

  it.each([
    '',
    '{',
    '{"a"}',
    '{"a": 1 "b": 2}',
    '{"a": 01}',
    '{} x',
    "{'a': 1}",
    '{"a": "\n"}',
    '{a: 1}',
    '[1,,2]',
    '{"a": /* }',
  ])('refuses %j', (text) => {
    expect(() => withEntries(text, ENTRIES)).toThrow(/line \d+ is not valid JSON/);
  });

  it.each(['{"mcpServers": 7}', '{"mcpServers": []}', '{"hooks": {"SessionStart": {}}}', '[]', '"x"'])(
    'refuses another shape: %s',
    (text) => {
      expect(() => withEntries(text, ENTRIES)).toThrow(/is not an (?:object|array)/);
    },
  );

  it('is restored whatever else it holds', () => {
    const space = fc.constantFrom('', ' ', '\n', '\n  ', '\r\n\t', ' // c\n', '/* c */', '\n\n');
    const { value } = fc.letrec<{ value: string }>((tie) => {
      const many = (open: string, close: string, child: fc.Arbitrary<string>) =>
        fc
          .tuple(fc.array(fc.tuple(space, child, space), { maxLength: 3 }), space)
          .map(([all, last]) => `${open}${all.map((parts) => parts.join('')).join(',')}${last}${close}`);
      const key = fc.constantFrom('"a"', '"mcpServers"', '"hooks"', '"SessionStart"', '"é\\n"');
      return {
        value: fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom('1', 'null', '"x // y"', '"{,}"', '-1.5e3', 'true'),
          many(
            '{',
            '}',
            fc.tuple(key, space, tie('value')).map(([name, gap, inner]) => `${name}:${gap}${inner}`),
          ),
          many('[', ']', tie('value')),
        ),
      };
    });
    let edits = 0;
    fc.assert(
      fc.property(
        fc.tuple(space, value, space).map((parts) => parts.join('')),
        (text) => {
          let edited: string;
          try {
            edited = withEntries(text, ENTRIES);
          } catch (error) {
            expect((error as Error).message).toMatch(/is not an/);
            return;
          }
          edits++;
          plain(edited);
          expect(withoutEntries(edited, ENTRIES)).toBe(text);
        },
      ),
      { numRuns: 3000 },
    );
    expect(edits).toBeGreaterThan(300);
  });
});

const TABLES: readonly Entry[] = [{ path: ['mcp_servers', 'agent-ls'], value: { command: '/node', args: ['mcp'] } }];
const TABLE = '[mcp_servers.agent-ls]\ncommand = "/node"\nargs = ["mcp"]\n';

describe('TOML', () => {
  it.each([
    '',
    'a = 1',
    'a = 1\n',
    'a = 1\n\n\n# the end\n',
    '# [mcp_servers.agent-ls]\n[mcp_servers.other]\ncommand = "x"\nargs = [\n  "[a]", # not a table\n  "b",\n]\n',
    "a = '''\n[mcp_servers.agent-ls]\ncommand = 'x'\n'''\nb = \"\"\"\n]\n\"\"\"\n",
    '[projects."/a.b"]\r\ntrust = "it\'s"\r\n',
    'inline = { a = [1, 2], b = "}" }\n[[list]]\nx = "#"\n',
  ])('%j: gets a table at the end, and is restored byte for byte', (text) => {
    const edited = withTables(text, TABLES) as string;
    expect(edited).toBe(`${text}\n${TABLE}`);
    expect(withoutTables(edited, TABLES)).toBe(text);
    expect(withTables(edited, TABLES)).toBe(edited);
  });

  it('is created, and removed whole; what others added stays', () => {
    expect(withTables(null, TABLES)).toBe(TABLE);
    expect(withoutTables(TABLE, TABLES)).toBeNull();
    const more = `a = 1\n\n${TABLE}enabled = true\n\n[mcp_servers."agent-ls".env]\nA = "1"\n\n# mine\n[other]\nb = 2\n`;
    expect(withoutTables(more, TABLES)).toBe('a = 1\n\n# mine\n[other]\nb = 2\n');
  });

  it.each(['a', 'a =', '[a', 'a = "', 'a = [1', "a = '''\nx", 'a = 1\n= 2', 'x y z\n'])('refuses %j', (text) => {
    expect(() => withTables(text, TABLES)).toThrow(/line \d+ is not valid TOML/);
  });

  it('refuses servers that are written as a value', () => {
    expect(() => withTables('mcp_servers = { a = {} }\n', TABLES)).toThrow(/mcp_servers is written as a value/);
  });
});

function setup(home: string, words: readonly string[], env: Record<string, string> = {}) {
  return spawnSync(process.execPath, [COMMAND, 'setup', ...words], {
    cwd: home,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
  });
}

/** Every file below a directory, with its content. */
function filesIn(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(directory, name);
      return [name, statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8')];
    }),
  );
}

const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  claude: ['.claude', '.claude.json', '.claude/settings.json'],
  codex: ['.codex', '.codex/config.toml', '.codex/hooks.json'],
  gemini: ['.gemini', '.gemini/settings.json'],
  opencode: ['.config', '.config/opencode', '.config/opencode/opencode.json'],
};

describe.each(Object.entries(WRITTEN))('setup %s', (client, names) => {
  it('writes absolute paths into an empty home, once, and takes them out again', () => {
    const home = makeTree({});
    expect(setup(home, [client, '--bridge'])).toMatchObject({ status: 0, stderr: '' });
    const written = filesIn(home);
    expect(Object.keys(written)).toEqual(names);
    for (const text of Object.values(written)) if (text !== '') expect(text).toContain(COMMAND);
    expect(JSON.stringify(written)).toContain(process.execPath);
    expect(setup(home, [client, '--bridge']).stdout).toContain('already set up');
    expect(filesIn(home)).toEqual(written);
    expect(setup(home, [client, '--no-map']).status).toBe(0);
    expect(JSON.stringify(filesIn(home))).not.toMatch(/session-start|"bridge": true/);
    const before = filesIn(home);
    expect(setup(home, [client, '--remove', '--print']).stdout).toContain('would be removed from');
    expect(filesIn(home)).toEqual(before);
    expect(setup(home, [client, '--remove']).status).toBe(0);
    expect(filesIn(home)).toEqual({});
    expect(setup(home, [client, '--remove']).stdout).toContain('agent-ls is not set up');
  });

  it('keeps the files that are there, their modes and their links', () => {
    const home = makeTree({});
    for (const name of names.filter((one) => /\.\w+$/.test(one) && !/^\.\w+$/.test(one) && !one.endsWith('.config'))) {
      mkdirSync(dirname(join(home, name)), { recursive: true });
      writeFileSync(join(home, name), name.endsWith('.toml') ? '# mine\nmodel = "x"' : '{ "mine": [1, 2] }\n');
      chmodSync(join(home, name), 0o640);
    }
    const before = filesIn(home);
    const [last] = Object.keys(before).slice(-1) as [string];
    expect(setup(home, [client, '--root', '.']).status).toBe(0);
    expect(filesIn(home)).not.toEqual(before);
    expect(JSON.stringify(filesIn(home))).toContain(home);
    expect(statSync(join(home, last)).mode & 0o777).toBe(0o640);
    expect(setup(home, [client, '--remove']).status).toBe(0);
    expect(filesIn(home)).toEqual(before);
  });

  it('refuses a broken file, and leaves all of them as they are', () => {
    const home = makeTree({});
    const file = names.at(-1) as string;
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), '{ "a": ');
    const before = filesIn(home);
    const { status, stderr } = setup(home, [client]);
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${join(home, file)} was left as it is: line 1`)]);
    expect(filesIn(home)).toEqual(before);
    writeFileSync(join(home, file), Buffer.from([0x7b, 0xff, 0x7d]));
    expect(setup(home, [client]).stderr).toContain(`${join(home, file)} was left as it is: `);
  });

  it('prints what it would write, and writes nothing', () => {
    const home = makeTree({});
    expect(setup(home, [client, '--print']).stdout).toContain(`${join(home, names.at(-1) as string)}\n`);
    expect(filesIn(home)).toEqual({});
  });

  it('writes into the project, if it is told to', () => {
    const home = makeTree({ 'project/a': '' });
    const { status } = spawnSync(process.execPath, [COMMAND, 'setup', client, '--scope', 'project'], {
      cwd: join(home, 'project'),
      env: { HOME: home },
    });
    expect(status).toBe(0);
    expect(readdirSync(home)).toEqual(['project']);
    expect(readdirSync(join(home, 'project')).length).toBeGreaterThan(1);
  });
});

it('heeds the places that the clients heed', () => {
  const home = makeTree({ elsewhere: null });
  const at = join(home, 'elsewhere');
  setup(home, ['claude'], { CLAUDE_CONFIG_DIR: at });
  setup(home, ['codex'], { CODEX_HOME: at });
  setup(home, ['gemini'], { GEMINI_CLI_HOME: at });
  setup(home, ['opencode'], { XDG_CONFIG_HOME: at });
  expect(Object.keys(filesIn(home))).toEqual([
    'elsewhere',
    ...['.claude.json', '.gemini', '.gemini/settings.json', 'config.toml', 'hooks.json', 'opencode'].map(
      (name) => `elsewhere/${name}`,
    ),
    'elsewhere/opencode/opencode.json',
    'elsewhere/settings.json',
  ]);
});

it('writes through a link, and prefers opencode.jsonc', () => {
  const home = makeTree({ 'dotfiles/opencode.jsonc': '{ // mine\n}\n', '.config/opencode': null });
  symlinkSync('../../dotfiles/opencode.jsonc', join(home, '.config/opencode/opencode.jsonc'));
  setup(home, ['opencode']);
  expect(readFileSync(join(home, 'dotfiles/opencode.jsonc'), 'utf8')).toContain('"agent-ls"');
  setup(home, ['opencode', '--remove']);
  expect(readFileSync(join(home, 'dotfiles/opencode.jsonc'), 'utf8')).toBe('{ // mine\n}\n');
});

it('says without a name which clients are here', () => {
  const home = makeTree({ 'bin/codex': '' });
  chmodSync(join(home, 'bin/codex'), 0o755);
  const lines = setup(home, [], { PATH: join(home, 'bin') })
    .stdout.trim()
    .split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[0]).toContain('Claude Code: not found on the path.');
  expect(lines[1]).toBe(
    `Codex: installed. "agent-ls setup codex" writes into ${join(home, '.codex/config.toml')} and ${join(home, '.codex/hooks.json')}.`,
  );
  expect(setup(home, ['vim'])).toMatchObject({ status: 2, stderr: expect.stringContaining("Unknown client 'vim'") });
});
