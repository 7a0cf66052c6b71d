/** What the system refuses or runs out of: permissions, descriptors, lengths and depths. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { asNobody } from '../support/nobody.ts';
import { makeChain, makeTree } from '../support/tree.ts';
import { ask, WAYS, type Way } from './asking.ts';
import { agentLs, askInEveryWay, shell } from './command.ts';

async function listed(way: Way, root: string, path = '') {
  const workspace = await openWorkspace(root);
  try {
    return await ask(way, workspace, path);
  } finally {
    workspace.close();
  }
}

describe.each(WAYS)('$name', (way) => {
  const DENIED: Readonly<Record<string, (path: string) => string>> = {
    standard: (path) => `Permission denied accessing '${path}'.`,
    gemini: (path) => `Error: Permission denied accessing directory: ${path}`,
    mycode: (path) => `Permission denied: ${path}`,
    codex: () => 'failed to read directory: Permission denied (os error 13)',
  };

  it('says that a directory may not be read, and reads the others', async () => {
    const root = makeTree({ 'locked/x': '', 'open/y': '' });
    await asNobody(root, ['locked'], async () => {
      const { isError, text } = await listed(way, root, 'locked');
      const expected = (DENIED[way.dialect] as (path: string) => string)(join(root, 'locked'));
      expect([isError, text.split('\n')[0]]).toEqual([true, expected]);
      expect(await listed(way, root, 'open')).toMatchObject({ isError: false, text: expect.stringContaining('y') });
      const above = await listed(way, root);
      expect([above.isError, above.text]).toEqual([false, expect.stringMatching(/locked.*open/s)]);
      if (way.isDeep) expect(above.text).toMatch(/Could not read 1 directory|permission denied|1 unreadable/);
    });
  });

  it('tells the names of a directory that may be read, but not entered', async () => {
    const root = makeTree({ 'd/file': 'x', 'd/inner/y': '', 'd/link': { link: 'inner' } });
    const { isError, text } = await asNobody(root, ['d'], () => listed(way, root, 'd'), 0o444);
    expect([isError, text]).toEqual([false, expect.stringMatching(/file/)]);
    expect(text).toContain('inner');
    expect(text).toContain('link');
  });

  it('passes through a directory that may be entered, but not read', async () => {
    const root = makeTree({ 'd/inner/y': '' });
    await asNobody(
      root,
      ['d'],
      async () => {
        expect((await listed(way, root, 'd')).isError).toBe(true);
        expect(await listed(way, root, 'd/inner')).toMatchObject({
          isError: false,
          text: expect.stringContaining('y'),
        });
      },
      0o111,
    );
  });

  it('does not find a name, or a path, that is too long to exist', async () => {
    const root = makeTree({ d: null });
    for (const path of ['x'.repeat(256), `d/${'名'.repeat(100)}`, 'x'.repeat(5_000), 'x/'.repeat(2_500)]) {
      const { isError, text } = await listed(way, root, path);
      expect([isError, text]).toEqual([true, expect.stringMatching(/does not exist|not found|No such file/)]);
    }
  });

  it('shows and takes names of 255 bytes, in a path that is longer than the system takes', async () => {
    const long = '名'.repeat(85);
    const root = makeTree({});
    const chain = Array.from({ length: 20 }, () => long);
    makeLongChain(root, chain);
    const { isError, text } = await listed(way, root, chain.slice(0, 19).join('/'));
    expect([isError, text]).toEqual([false, expect.stringContaining(long)]);
    expect(await listed(way, root, chain.join('/'))).toMatchObject({
      isError: false,
      text: expect.stringContaining('bottom'),
    });
  });
});

/** Directories each in the one before, by steps: no path to the bottom would be accepted. */
function makeLongChain(root: string, names: readonly string[]): void {
  const script = 'for name; do cd -P -- "$name" || { mkdir -- "$name" && cd -P -- "$name"; }; done; : > bottom';
  expect(shell(script, root, ...names)).toMatchObject({ status: 0 });
}

describe('2,500 levels of directories', () => {
  const LEVELS = 2_500;
  const to = (level: number) => Array.from({ length: level }, () => 'd').join('/');

  it('are listed at the bottom, from above and as a whole, in every way', () => {
    const root = makeTree({});
    const filled: string[] = [];
    makeChain(root, LEVELS, (directory) => {
      // The deepest is made first.
      if (filled.push(directory) === 1) writeFileSync(join(directory, 'bottom'), '');
    });
    for (const [name, { text }] of askInEveryWay(root, join(root, to(LEVELS)))) {
      expect([name, text]).toEqual([name, expect.stringContaining('bottom')]);
    }
    // By their depth: one level, ten, and all.
    const levels = { standard: 1, gemini: 1, mycode: 1, 'mycode, recursive': 10, codex: LEVELS };
    const answers = askInEveryWay(root, root);
    for (const [name, count] of Object.entries(levels)) {
      expect([name, answers.get(name)?.text.match(/\bd\/|\[DIR\] d/g)?.length]).toEqual([name, count]);
    }
    for (const words of [['-R'], ['-lR'], ['-R', '--git-ignore'], ['-R', '--json']]) {
      const { status, signal, stdout, stderr } = agentLs([...words, root]);
      expect([words, status, signal, stderr]).toEqual([words, 0, null, '']);
      expect(words.includes('--json') ? JSON.parse(stdout).entries.length : stdout.split('\n').length - 1).toBe(
        LEVELS + 1,
      );
      expect(stdout).toContain(`${to(LEVELS)}/bottom`);
    }
  });
});

describe('64 descriptors', () => {
  it('are enough for a walk of any depth', () => {
    const root = makeTree({});
    makeChain(root, 300, (directory) => mkdirSync(join(directory, 'e')));
    const { status, stdout, stderr } = shell('ulimit -n 64; exec $AGENT_LS -R "$1"', root);
    expect([status, stdout.split('\n').length, stderr]).toEqual([0, 601, '']);
  });

  it('that are too few are named as the reason, and nothing crashes', () => {
    const root = makeTree({});
    makeChain(root, 300);
    // Node itself needs 19 to 22 of them to start, depending on its version.
    for (const limit of [25, 30, 35]) {
      const { status, stdout, stderr } = shell(`ulimit -n ${limit}; exec $AGENT_LS -R "$1"`, root);
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^agent-ls: .*too many open files.*\n$/)]);
    }
  });

  it('that are all in use make a call fail in its dialect, until some are free again', () => {
    const root = makeTree({ 'd/x': '', l: { link: 'd' } });
    // With 0 to 5 left: at some of these a call gets further than at others.
    const program = `
      import { closeSync, openSync } from 'node:fs';
      import { call, openWorkspace } from ${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)};
      const [root, ways] = [process.argv[1], JSON.parse(process.argv[2])];
      const workspace = await openWorkspace(root);
      const everyWay = async () => {
        const answers = [];
        for (const { dialect, params } of ways) answers.push(await call(dialect, params, workspace, { cache: false }));
        return answers;
      };
      const rounds = [await everyWay()];
      for (let left = 0; left <= 5; left++) {
        const taken = [];
        try {
          for (;;) taken.push(openSync('/dev/null'));
        } catch (error) {
          if (error.code !== 'EMFILE') throw error;
        }
        for (let i = 0; i < left; i++) closeSync(taken.pop());
        rounds.push(await everyWay());
        for (const fd of taken) closeSync(fd);
        rounds.push(await everyWay());
      }
      console.log(JSON.stringify(rounds));
    `;
    const ways = WAYS.map(({ dialect, params }) => ({ dialect, params: params(root) }));
    const script = `ulimit -n 64; exec ${process.execPath} --input-type=module -e "$1" "$2" "$3"`;
    const { status, stdout, stderr } = shell(script, program, root, JSON.stringify(ways));
    expect([status, stderr]).toEqual([0, '']);
    const timeless = stdout.replace(/"time_ms":\d+/g, '"time_ms":1');
    const [first, ...rounds] = JSON.parse(timeless) as Record<string, unknown>[][];
    let failures = 0;
    for (const [i, round] of rounds.entries()) {
      for (const [j, answer] of round.entries()) {
        const isWhole = JSON.stringify(answer) === JSON.stringify(first?.[j]);
        if (isWhole) continue;
        failures++;
        // Odd rounds are those in which all are free again.
        expect([i % 2, JSON.stringify(answer)]).toEqual([0, expect.stringContaining('too many open files (EMFILE)')]);
      }
    }
    expect(failures).toBeGreaterThan(WAYS.length);
  });
});
