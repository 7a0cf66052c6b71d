/** The hooks of clients: what they answer, and that they never hurt. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { listingCommand } from '../../src/faces/hook/listing-command.ts';
import { sessionMaps } from '../../src/faces/hook/session-map.ts';
import { COMMAND } from '../mcp/clients.ts';
import { asNobody } from '../support/nobody.ts';
import { makeTree } from '../support/tree.ts';

interface Example {
  readonly command: string;
  readonly floods: boolean;
}

const EXAMPLES: readonly Example[] = readFileSync(new URL('../corpora/shell-commands.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

interface HookOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
}

function hook(words: readonly string[], input: string, { env, ...options }: HookOptions = {}) {
  // A hook that does not end is killed, and has no status.
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'hook', ...words], {
    input,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH ?? '', ...env },
    ...options,
  });
  return { status, stdout, stderr, took: performance.now() - started };
}

/** In milliseconds: a hook that ends without an answer has used all its time, if it is not broken. */
const ALL_ITS_TIME = 1_800;

/** On a busy machine two seconds may not even suffice to start node, so a hook is asked until it answers. */
const answerOf: typeof hook = (...words) => {
  for (let tries = 1; ; tries++) {
    const answer = hook(...words);
    expect(answer).toMatchObject({ status: 0, stderr: '' });
    if (answer.stdout !== '') return answer;
    expect(answer.took, 'milliseconds until it gave no answer').toBeGreaterThan(ALL_ITS_TIME);
    expect(tries, 'tries without an answer').toBeLessThan(30);
  }
};

const answerTo = (command: string, client: string, cwd: string) => {
  const input = JSON.stringify({ cwd, tool_name: 'Bash', tool_input: { command, description: 'd' } });
  const words = ['pre-tool-use', '--client', client];
  return listingCommand(command) === null ? hook(words, input).stdout : JSON.parse(answerOf(words, input).stdout);
};

describe('listing commands', () => {
  it('are told from all others in a corpus', () => {
    expect(EXAMPLES.length).toBeGreaterThan(300);
    const wrong = EXAMPLES.filter(({ command, floods }) => (listingCommand(command) !== null) !== floods);
    expect(wrong).toEqual([]);
  });

  it.each([
    ...['ls -R; rm x', 'ls -R && x', 'ls -R &', 'ls -R | head', 'ls -R > f', 'ls -R $(x)', 'ls -R `x`', 'ls -R $HOME'],
    ...[
      'ls -R ~',
      'ls -R a*',
      'ls -R a?',
      'ls -R [a]',
      'ls -R {a,b}',
      'ls -R\nrm x',
      'ls -R\nsrc',
      "ls -R '-x'",
      'ls -R "a\\\\b"',
      'ls -l "a -R b"',
      'ls -R # x',
      'ls -R !x',
      '\\ls -R',
    ],
    ...[
      'A=1 ls -R',
      'sudo ls -R',
      'env ls -R',
      'time ls -R',
      '(ls -R)',
      'ls -R "a$b"',
      'ls -R "a\\"b"',
      "ls -R 'a",
      'ls -R a\\ b',
    ],
    ...[
      'find . -type f -exec x',
      'find -L .',
      'find . -type f -type d',
      'find ./a ./b',
      'find "" ',
      'tree -o f',
      'ls -R -',
      'x/ls -R',
    ],
  ])('leave %j alone, which says more', (command) => {
    expect(listingCommand(command)).toBeNull();
  });

  it.each([
    ["ls -R 'my files'", 'my files'],
    ['ls -lR "a b"', 'a b'],
    ['  find   src/  -type f ', 'src/'],
    ['Get-ChildItem -Path .\\src -Recurse', '.\\src'],
  ])('%j lists %j', (command, path) => {
    expect(listingCommand(command)).toMatchObject({ path });
  });
});

describe('the shell bridge', () => {
  const root = () =>
    makeTree({ 'src/a.ts': '', "src/it's/b.ts": '', '.hidden': '', 'node_modules/x/y.js': '', 'c.txt': '' });

  it.each(['claude', 'codex'])('replaces a listing, and nothing else of the call, in %s', (client) => {
    const cwd = root();
    const { hookSpecificOutput } = answerTo('ls -R src', client, cwd);
    expect(hookSpecificOutput).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'allow' });
    const { command, description } = hookSpecificOutput.updatedInput;
    expect(description).toBe('d');
    const { stdout } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' });
    expect(stdout).toBe(
      "A map by agent-ls in place of: ls -R src. Tree, Find and LS show more.\n# src: 2 files, 2 shown\na.ts\n it's/ b.ts\n",
    );
    expect(answerTo('ls src', client, cwd)).toBe('');
  });

  it('holds every name, or counts it', () => {
    const cwd = root();
    for (const command of ['find .', 'ls -R', 'tree', "find 'src'"]) {
      const { command: replaced } = answerTo(command, 'opencode', cwd);
      const { stdout } = spawnSync('sh', ['-c', replaced], { cwd, encoding: 'utf8' });
      const listed = spawnSync('find', [command === "find 'src'" ? 'src' : '.', '-type', 'f'], {
        cwd,
        encoding: 'utf8',
      });
      expect(stdout).toContain(` ${listed.stdout.trim().split('\n').length} files, `);
    }
  });

  it('is quoted so that no name can run anything', () => {
    const cwd = makeTree({ "a';touch x;'/b": '', '$(touch y)/c': '', '--root=/etc/d': '' });
    for (const command of [`ls -R "a';touch x;'"`, "ls -R '$(touch y)'", 'ls -R ./--root=/etc']) {
      const { hookSpecificOutput } = answerTo(command, 'gemini', cwd);
      expect(hookSpecificOutput.hookEventName).toBe('BeforeTool');
      const { stdout } = spawnSync('sh', ['-c', hookSpecificOutput.tool_input.command], { cwd, encoding: 'utf8' });
      expect(stdout).toContain('1 file, 1 shown');
    }
    expect(readdirSync(cwd)).toHaveLength(3);
  });

  it('refuses what lies elsewhere, for a replaced command runs unasked', () => {
    const cwd = root();
    for (const command of ['ls -R /etc', 'find ..', 'tree src/../..', 'dir /s', 'gci -r']) {
      expect(answerTo(command, 'claude', cwd).hookSpecificOutput).toMatchObject({
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('Use the tool Tree of agent-ls'),
      });
      expect(answerTo(command, 'gemini', cwd)).toMatchObject({ decision: 'deny' });
      expect(answerTo(command, 'opencode', cwd).command).toMatch(/^echo 'This would list/);
    }
  });

  it('does not follow a link out of the session’s directory', () => {
    const cwd = makeTree({ away: { link: '/etc' }, a: '' });
    const { command } = answerTo('ls -R away', 'opencode', cwd);
    expect(spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8' }).stdout).not.toContain('passwd');
  });
});

const TITLE =
  'Map of the working directory by agent-ls, at the start of the session. Tree, Find and LS show more.\n# .: ';

/** All that a session may start with, which depends on the time. */
async function formsIn(cwd: string): Promise<[first: string, more: string, whole: string]> {
  const forms: string[] = [];
  for await (const form of sessionMaps(cwd)) {
    expect(form.startsWith(TITLE)).toBe(true);
    expect(countTokens(form)).toBeLessThanOrEqual(300);
    forms.push(form);
  }
  expect(forms).toHaveLength(3);
  return forms as [string, string, string];
}

describe('the map at the start of a session', () => {
  const wide = () =>
    makeTree(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`part-${i % 30}/module_${i}_${i * 7}.ts`, ''])));

  it.each(['claude', 'codex', 'gemini'])('has the form of %s', async (client) => {
    const cwd = wide();
    const answers = (await formsIn(cwd)).map((additionalContext) => ({
      hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext },
    }));
    const { stdout } = answerOf(['session-start', '--client', client], JSON.stringify({ cwd, source: 'startup' }));
    expect(answers).toContainEqual(JSON.parse(stdout));
  });

  it('shows everything below in at most 300 tokens; without time, the names of the first level', async () => {
    const [first, more, whole] = await formsIn(wide());
    expect(whole).toMatch(/# \.: 900 files, \d+ shown\npart-/);
    expect(countTokens(whole)).toBeGreaterThan(150);
    expect(first).toMatch(/# \.: first level only, 30 entries, 28 shown\npart-0\/ part-1\/ /);
    expect(more).toContain('30 entries, 30 shown\n');
  });

  it('is the same bytes for the same tree, in another place and at another time', async () => {
    const [one, two] = [wide(), wide()];
    const forms = await formsIn(one);
    expect(await formsIn(two)).toEqual(forms);
    for (const cwd of [one, two]) expect(forms).toContain(answerOf(['session-start'], '{}', { cwd }).stdout.trimEnd());
  });

  it('shows what git does not ignore, dotfiles, and links as such, in every form', async () => {
    const cwd = makeTree({
      '.git/HEAD': 'ref: refs/heads/main\n',
      '.git/objects/x': '',
      '.git/refs/x': '',
      '.gitignore': 'out\n',
      'out/x': '',
      'src/a b': '',
      away: { link: '/etc' },
    });
    const [first, more, whole] = await formsIn(cwd);
    expect(more).toBe(first);
    expect(first).toBe(`${TITLE}first level only, 3 entries, 3 shown\nsrc/ .gitignore away@`);
    expect(whole).toBe(
      `${TITLE}3 files, 3 shown, 1 ignored by git (respect_git_ignore=false)\n.gitignore away@\n src/ "a b"`,
    );
  });

  it('is off with one switch, and where there is nothing', () => {
    expect(hook(['session-start'], '{}', { cwd: wide(), env: { AGENT_LS_NO_MAP: '1' } }).stdout).toBe('');
    expect(hook(['session-start'], '{}', { cwd: makeTree({}) }).stdout).toBe('');
  });
});

describe('a hook never hurts', () => {
  const INPUTS: Readonly<Record<string, string>> = {
    nothing: '',
    'not JSON': '{"cwd":',
    'another type': '[1]',
    'wrong types': '{"cwd": 7, "tool_input": {"command": {}}}',
    'a missing directory': '{"cwd": "/nowhere/at/all", "tool_input": {"command": "ls -R"}}',
    'a file': '{"cwd": "/etc/hostname"}',
    'deep nesting': '['.repeat(100_000),
    'two megabytes': JSON.stringify({ cwd: 'x'.repeat(2_000_000) }),
    'hostile names': JSON.stringify({ cwd: '/tmp/\u0000x', tool_input: { command: 'ls -R \u0000' } }),
    'a long command': JSON.stringify({ tool_input: { command: `ls -R ${'a '.repeat(100_000)}` } }),
    'many quotes': JSON.stringify({ tool_input: { command: `ls ${"'".repeat(200_000)}` } }),
  };
  /** What names no directory that can be listed; every other input leaves the current one. */
  const WITHOUT_MAP = ['a missing directory', 'a file', 'hostile names'];

  it.each(Object.entries(INPUTS))('by %s', (name, input) => {
    const options = { cwd: makeTree({ 'only.ts': '' }) };
    const started = ['session-start', '--client', 'claude'];
    if (WITHOUT_MAP.includes(name)) {
      expect(hook(started, input, options)).toMatchObject({ status: 0, stdout: '' });
    } else {
      const { additionalContext } = JSON.parse(answerOf(started, input, options).stdout).hookSpecificOutput;
      expect(additionalContext).toMatch(/\nonly\.ts$/);
    }
    const { status, stdout } = hook(['pre-tool-use', '--client', 'claude'], input, options);
    expect(status).toBe(0);
    if (name === 'a missing directory' && stdout !== '') expect(stdout).toContain('/nowhere/at/all');
    else expect(stdout).toBe('');
  });

  it.each([[['nonsense']], [[]], [['session-start', '--client', 'vi']], [['pre-tool-use', '--bogus']]])(
    'by wrong words: %j',
    (words) => {
      expect(hook(words, '{}')).toMatchObject({ status: 0, stdout: '' });
    },
  );

  it('where a directory may not be read, or nothing', async () => {
    const cwd = makeTree({ 'locked/a': '', b: '' });
    const [, , whole] = await asNobody(cwd, ['locked'], () => formsIn(cwd));
    expect(whole).toContain('# .: 1 file, 1 shown, 1 unreadable\nlocked/? b');
    await expect(asNobody(cwd, ['.'], () => formsIn(cwd))).rejects.toThrow('permission denied');
    const gone = join(cwd, 'locked');
    const removed = `cd "${gone}" && rm -r "${gone}" && "${process.execPath}" "${COMMAND}" hook session-start`;
    expect(spawnSync('sh', ['-c', removed], { input: '{}', encoding: 'utf8' })).toMatchObject({
      status: 0,
      stdout: '',
    });
  });

  it('where the disk is full, or whoever reads has gone', () => {
    const cwd = makeTree({ a: '', b: '' });
    const program = `"${process.execPath}" "${COMMAND}" hook session-start`;
    for (const line of [`${program} > /dev/full`, `${program} | true`, `${program} >&-`]) {
      expect(spawnSync('sh', ['-c', line], { cwd, input: '{}' }).status).toBe(0);
    }
  });

  it('and leaves nothing behind, whether it may write or not, and without a home', () => {
    const home = makeTree({ tmp: null });
    const cwd = makeTree({ a: '', b: '' });
    const env = { HOME: home, TMPDIR: join(home, 'tmp'), XDG_CACHE_HOME: home };
    // On a full disk, and with a limit of no bytes, every write to a file fails.
    const limited = ['-c', 'ulimit -f 0; exec "$0" "$@"', process.execPath, COMMAND, 'hook'];
    const inputs = { 'session-start': {}, 'pre-tool-use': { cwd, tool_input: { command: 'ls -R' } } };
    for (const [event, input] of Object.entries(inputs)) {
      const text = JSON.stringify(input);
      const whole = answerOf([event], text, { cwd, env });
      expect(hook([event], text, { cwd, env: { HOME: '/nowhere', TMPDIR: '/nowhere' } })).toMatchObject({ status: 0 });
      expect(answerOf([event], text, { cwd }).stdout).toContain(whole.stdout.slice(0, 40));
      const full = spawnSync('sh', [...limited, event], { input: text, cwd, env: { ...process.env, ...env } });
      expect({ status: full.status, error: String(full.stderr) }).toEqual({ status: 0, error: '' });
      expect([readdirSync(home), readdirSync(join(home, 'tmp')), readdirSync(cwd)]).toEqual([['tmp'], [], ['a', 'b']]);
    }
  });

  it('nor waits for a client that keeps its input open', async () => {
    const cwd = makeTree({ a: '', b: '' });
    let output = '';
    for (let tries = 0; output === '' && tries < 30; tries++) {
      const child = spawn(process.execPath, [COMMAND, 'hook', 'session-start'], { cwd });
      child.stdout.on('data', (piece) => {
        output += piece;
      });
      expect((await once(child, 'close'))[0]).toBe(0);
    }
    expect(output).toMatch(/ 2 (?:files|entries), 2 shown\na b\n$/);
  });

  it('nor by many files, or by hostile names', async () => {
    const cwd = makeTree({ 'part/a': '', 'x\n# .: 9 files': '', '\x1b[31mred': '', '</hook_context>': '' });
    for (let i = 0; i < 30_000; i++) writeFileSync(join(cwd, 'part', `entry-${i}`), '');
    const forms = await formsIn(cwd);
    expect(forms[2]).toContain(`${TITLE}30004 files, `);
    for (const form of forms) expect(form).not.toMatch(/\x1b|^# \.: 9 files/m);
    expect(forms).toContain(answerOf(['session-start'], '{}', { cwd }).stdout.trimEnd());
  });

  it('nor by many long names at the first level', async () => {
    const names = Array.from({ length: 400 }, (_, i) => [
      `${i % 2 === 0 ? '\u{1F600}' : 'long '}`.repeat(40 + (i % 9)) + i,
      '',
    ]);
    const [first, more] = await formsIn(makeTree(Object.fromEntries(names)));
    expect(first).toContain(`${TITLE}first level only, 400 entries, 1 shown\n"long long `);
    expect(more.length).toBeGreaterThan(first.length);
  });
});
