/** The built command, as a process: what only a real process can show. `npm test` builds it first. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandAsPacked } from '../support/as-packed.ts';
import { RUNTIME, RUNTIME_OPTIONS } from '../support/runtime.ts';
import { emptyDirectory, makeTree } from '../support/tree.ts';

const COMMAND = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));

function agentLs(words: string[], options: { cwd?: string; input?: string } = {}) {
  const { status, stdout, stderr } = spawnSync(RUNTIME, [...RUNTIME_OPTIONS, COMMAND, ...words], {
    encoding: 'utf8',
    ...options,
  });
  return { status, stdout, stderr };
}

function shell(script: string, cwd: string) {
  const env = { ...process.env, AGENT_LS: [RUNTIME, ...RUNTIME_OPTIONS, COMMAND].join(' ') };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd, env });
  return { status, stdout, stderr };
}

describe('the command', () => {
  it('lists the current directory', () => {
    expect(agentLs([], { cwd: makeTree({ 'src/a': '', b: '' }) })).toEqual({
      status: 0,
      stdout: 'src/\nb\n',
      stderr: '',
    });
  });

  it('is not compiled again by the V8 that it was built with', () => {
    const script = `const { load, scripts } = require(${JSON.stringify(COMMAND)});
      load('command.cjs'); load('list.cjs'); load('mcp-server.cjs');
      console.log([...scripts.values()].map((script) => script.cachedDataRejected).join());`;
    // Any other runtime knows no such files.
    expect(spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' }).stdout).toMatch(/^(false,)+false\n$/);
  });

  it('does the same where V8 is another', () => {
    const words = ['-R', '-a', makeTree({ 'src/a': '', b: '' })];
    const elsewhere = spawnSync(RUNTIME, [...RUNTIME_OPTIONS, commandAsPacked(), ...words], { encoding: 'utf8' });
    expect(elsewhere).toMatchObject(agentLs(words));
    expect(elsewhere.stdout).toMatch(/src\/a\n/);
  });

  it('answers a call, and says by its status when that failed', () => {
    const root = makeTree({ a: '' });
    expect(JSON.parse(agentLs(['call', '--root', root]).stdout).status).toBe('success');
    expect(agentLs(['call', '{"path":".."}', '--root', root]).status).toBe(1);
    expect(agentLs(['--nonsense'])).toMatchObject({ status: 2, stdout: '' });
  });

  it('orders the names of list_directory as English does, whatever language the machine has', () => {
    const root = makeTree({ a: '', ä: '', z: '' });
    const env = { ...process.env, LC_ALL: 'sv_SE.UTF-8' };
    const words = ['call', JSON.stringify({ path: root }), '--dialect', 'gemini', '--text', '--root', root];
    const { stdout } = spawnSync(RUNTIME, [...RUNTIME_OPTIONS, COMMAND, ...words], { encoding: 'utf8', env });
    expect(stdout).toBe('a\nä\nz\n');
  });

  it('answers lines from stdin until it ends', () => {
    const { status, stdout } = agentLs(['call', '--stdin', '--root', makeTree({ a: '' })], {
      input: '{"id":1}\nx\n{"id":2}',
    });
    expect(status).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual([1, null, 2]);
  });

  it('answers a line as soon as it comes, not when the input ends', async () => {
    const child = spawn(RUNTIME, [...RUNTIME_OPTIONS, COMMAND, 'call', '--stdin', '--root', makeTree({ a: '' })]);
    child.stdin.write('{"id":1}\n');
    const [first] = await child.stdout.take(1).toArray();
    expect(JSON.parse(String(first)).id).toBe(1);
    child.stdin.end();
  });
});

describe.runIf(process.platform === 'linux')('the command under hard conditions', () => {
  /** Enough names to fill a pipe many times. */
  const crowd = () => {
    const root = emptyDirectory();
    for (let i = 0; i < 12_000; i++) closeSync(openSync(join(root, `${'n'.repeat(100)}${i}`), 'w'));
    return root;
  };

  it('never lists a name that cannot be opened: one that the runtime cannot pass on is left out, and reported', () => {
    const root = Buffer.from(makeTree({ good: '', 'real\ufffd': '', link: { link: 'good' } }));
    const at = (name: string) => Buffer.concat([root, Buffer.from(`/${name}`, 'latin1')]);
    for (const name of ['lat\xe9in', 'real\xff']) writeFileSync(at(name), '');
    symlinkSync(Buffer.from('\xfe', 'latin1'), at('dangling'));
    for (const words of [['-1'], ['-R'], ['-l'], ['call', '--text'], ['tree']]) {
      const { stdout, stderr } = agentLs([...words, '--no-color'], { cwd: String(root) });
      const reported = /(\d+) left out|reading failed|\d+ unreadable/.test(stdout + stderr) ? 2 : 0;
      expect(stdout).toMatch(/dangling/);
      expect((stdout.match(/real\ufffd/g) ?? []).length, words[0]).toBe(1);
      // Quoted, as bytes, so that it can be opened.
      const quoted = stdout.match(/"(?:lat\\xe9in|real\\xff)"/g) ?? [];
      expect(quoted.length + reported, words[0]).toBe(2);
    }
  });

  it('ends quietly when the reader goes away', () => {
    const { status, stdout, stderr } = shell('set -o pipefail; $AGENT_LS . | head -n 2; echo $?', crowd());
    expect(status).toBe(0);
    expect(stdout.split('\n')[2]).toBe('0');
    expect(stderr).toBe('');
  });

  it.each(['--version', '.'])('ends quietly when there is no reader at all: %s', (word) => {
    const { stderr } = shell(`(sleep 0.1; $AGENT_LS ${word}; echo $? >&2) | :`, crowd());
    expect(stderr).toBe('0\n');
  });

  it('loses nothing to a slow reader', () => {
    const { stdout } = shell('$AGENT_LS . | (sleep 0.3; wc -l)', crowd());
    expect(Number(stdout)).toBe(12_000);
  });

  it('works with 64 descriptors', () => {
    const { status, stdout } = shell('ulimit -n 64; $AGENT_LS call --text', makeTree({ 'a/b': '', l: { link: 'a' } }));
    expect(status).toBe(0);
    expect(stdout).toBe("Listed 2 entries in '.'\n(Total: 2 items - 1 dirs, 0 files, 1 links)\n\na/\nl@\n");
  });

  it('says so when the answer cannot be written', () => {
    const { status, stderr } = shell('$AGENT_LS . > /dev/full', makeTree({ a: '' }));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^agent-ls: cannot write the answer: (?:ENOSPC|No space left)/);
    expect(stderr).not.toMatch(/\n\s+at /);
  });
});
