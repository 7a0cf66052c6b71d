/** The hooks of clients: what they answer, and that they never hurt. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { hookAnswer } from '../../src/faces/hook/hook.ts';
import { listingCommand } from '../../src/faces/hook/listing-command.ts';
import { sessionMap } from '../../src/faces/hook/session-map.ts';
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
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, 'hook', ...words], {
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env },
    ...options,
  });
  return { status, stdout, stderr, seconds: (performance.now() - started) / 1000 };
}

/** Enough on any machine. A hook that has not enough time prints nothing. */
const AMPLE = 600_000;

/** On a busy machine two seconds may not suffice, so a listing is sent until there is an answer. */
const answerTo = (command: string, client: string, cwd: string) => {
  const input = JSON.stringify({ cwd, tool_name: 'Bash', tool_input: { command, description: 'd' } });
  const ask = () => hook(['pre-tool-use', '--client', client], input).stdout;
  let stdout = ask();
  for (let tries = 0; stdout === '' && tries < 30 && listingCommand(command) !== null; tries++) stdout = ask();
  return stdout === '' ? null : JSON.parse(stdout);
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
    expect(answerTo('ls src', client, cwd)).toBeNull();
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
    const cwd = makeTree({ "a';touch x;'/b": '', '$(touch y)/c': '' });
    for (const command of [`ls -R "a';touch x;'"`, "ls -R '$(touch y)'"]) {
      const { hookSpecificOutput } = answerTo(command, 'gemini', cwd);
      expect(hookSpecificOutput.hookEventName).toBe('BeforeTool');
      const { stdout } = spawnSync('sh', ['-c', hookSpecificOutput.tool_input.command], { cwd, encoding: 'utf8' });
      expect(stdout).toContain('1 file, 1 shown');
    }
    expect(readdirSync(cwd)).toHaveLength(2);
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

describe('the map at the start of a session', () => {
  const wide = () =>
    makeTree(Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`part-${i % 30}/module_${i}_${i * 7}.ts`, ''])));

  it.each(['claude', 'codex', 'gemini'])('has the form of %s, and at most 300 tokens', async (client) => {
    const cwd = wide();
    const answer = await hookAnswer('session-start', client, { cwd, source: 'startup' }, AMPLE);
    const { hookEventName, additionalContext } = (answer as { hookSpecificOutput: Record<string, string> })
      .hookSpecificOutput as { hookEventName: string; additionalContext: string };
    expect(hookEventName).toBe('SessionStart');
    expect(additionalContext).toMatch(
      /^Map of the working directory by agent-ls, at the start of the session\. Tree, Find and LS show more\.\n# \.: 900 files, /,
    );
    expect(countTokens(additionalContext)).toBeLessThanOrEqual(300);
    expect(countTokens(additionalContext)).toBeGreaterThan(150);
  });

  it('is the same bytes for the same tree, in another place and at another time; or it is not there', async () => {
    const [one, two] = [wide(), wide()];
    const map = await sessionMap(one, AMPLE);
    expect(map).toContain('900 files');
    expect(await sessionMap(two, AMPLE)).toBe(map);
    for (const cwd of [one, two]) expect(['', `${map}\n`]).toContain(hook(['session-start'], '{}', { cwd }).stdout);
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

  it.each(Object.entries(INPUTS))('by %s', (_, input) => {
    for (const event of ['session-start', 'pre-tool-use']) {
      const { status, stdout, seconds } = hook([event, '--client', 'claude'], input, { cwd: makeTree({ a: '' }) });
      expect(status).toBe(0);
      if (stdout !== '') expect(JSON.parse(stdout)).toHaveProperty('hookSpecificOutput');
      expect(stdout.length).toBeLessThan(4000);
      expect(seconds).toBeLessThan(20);
    }
  });

  it.each([[['nonsense']], [[]], [['session-start', '--client', 'vi']], [['pre-tool-use', '--bogus']]])(
    'by wrong words: %j',
    (words) => {
      expect(hook(words, '{}')).toMatchObject({ status: 0, stdout: '' });
    },
  );

  it('where nothing may be read, where there is no home, and where the disk is full', async () => {
    const cwd = makeTree({ 'locked/a': '', b: '' });
    chmodSync(join(cwd, 'locked'), 0);
    const map = await asNobody(cwd, ['locked'], () => sessionMap(cwd, AMPLE));
    expect(map).toContain('# .: 1 file, 1 shown, 1 unreadable\nlocked/? b');
    expect(hook(['session-start'], '{}', { cwd, env: { HOME: '/nowhere' } })).toMatchObject({ status: 0 });
    chmodSync(join(cwd, 'locked'), 0o755);
    const full = `"${process.execPath}" "${COMMAND}" hook session-start > /dev/full`;
    expect(spawnSync('sh', ['-c', full], { cwd, input: '{}' }).status).toBe(0);
    const closed = `"${process.execPath}" "${COMMAND}" hook session-start | true`;
    expect(spawnSync('sh', ['-c', closed], { cwd, input: '{}' }).status).toBe(0);
  });

  it('and leaves nothing behind', () => {
    const home = makeTree({});
    const cwd = makeTree({ a: '' });
    mkdirSync(join(home, 'tmp'));
    const env = { HOME: home, TMPDIR: join(home, 'tmp') };
    hook(['session-start'], '{}', { cwd, env });
    hook(['pre-tool-use'], JSON.stringify({ cwd, tool_input: { command: 'ls -R' } }), { cwd, env });
    expect([readdirSync(home), readdirSync(join(home, 'tmp')), readdirSync(cwd)]).toEqual([['tmp'], [], ['a']]);
  });

  it('nor waits for a client that keeps its input open', async () => {
    const child = spawn(process.execPath, [COMMAND, 'hook', 'session-start'], { cwd: makeTree({ a: '', b: '' }) });
    let output = '';
    child.stdout.on('data', (piece) => {
      output += piece;
    });
    expect((await once(child, 'close'))[0]).toBe(0);
    expect(output).toMatch(/^$|2 files, 2 shown/);
  });

  it('nor by too many files, or by hostile names: it shows all that there is, or nothing', async () => {
    const cwd = makeTree({ 'part/a': '', 'x\n# .: 9 files': '', '\x1b[31mred': '', '</hook_context>': '' });
    for (let i = 0; i < 30_000; i++) writeFileSync(join(cwd, 'part', `entry-${i}`), '');
    const { status, stdout } = hook(['session-start'], '{}', { cwd });
    expect(status).toBe(0);
    const whole = (await sessionMap(cwd, AMPLE)) as string;
    expect(whole).toMatch(/^# \.: 30004 files, /m);
    expect(whole).not.toMatch(/\x1b|^# \.: 9 files/m);
    expect(countTokens(whole)).toBeLessThanOrEqual(300);
    expect(['', `${whole}\n`]).toContain(stdout);
    // With no time there is no half of a map.
    for (const time of [0, 1, 20]) expect([null, whole]).toContain(await sessionMap(cwd, time));
    expect(await sessionMap(cwd, 0)).toBeNull();
  });
});
