/**
 * A little of what `load.js` does for minutes: a few clients at a time on HTTP and on stdio, and lines for `call --stdin`.
 * Answers are right, and nothing is left open; what it takes of time and memory is for the long run. `npm test` builds
 * the command first.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const LOAD = fileURLToPath(new URL('load.js', import.meta.url));

/** Milliseconds for some seconds of work on a busy machine. */
const PATIENT = 300_000;

let home = '';

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-test-')));
});

afterAll(() => rmSync(home, { recursive: true, force: true }), PATIENT);

/** With `sabotage` the servers load it first. */
function load(words: readonly string[], sabotage?: string) {
  const saboteur = join(home, 'saboteur.cjs');
  writeFileSync(saboteur, `if (process.argv.includes('mcp')) { ${sabotage} }`);
  const env = { ...process.env, TMPDIR: home, ...(sabotage ? { NODE_OPTIONS: `--require=${saboteur}` } : {}) };
  const options = { encoding: 'utf8', env, timeout: PATIENT } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [LOAD, '--brief', ...words], options);
  expect(stderr).toBe('');
  return { status, promises: stdout.split('\n').filter((line) => /^(kept|BROKEN)/.test(line)) };
}

const KEPT = ['kept    errors and wrong answers', 'kept    descriptors left open', 'kept    processes left'];

// What a process has open is asked of /proc.
describe.runIf(process.platform === 'linux')('under load', () => {
  it(
    'answers are right, and nothing is left open',
    () => {
      expect(load([])).toEqual({ status: 0, promises: [...KEPT, ...KEPT, ...KEPT] });
    },
    PATIENT,
  );

  it.each([
    ['a descriptor that stays open', 1, "setInterval(() => require('node:fs').openSync('/dev/null'), 50).unref();"],
    [
      'a wrong answer',
      0,
      `const { stringify } = JSON;
       JSON.stringify = (...words) => stringify(...words)?.replace('part-00/file-07.ts', 'part-00/file-08.ts');`,
    ],
  ])(
    'notices %s',
    (_, broken, sabotage) => {
      const promises = KEPT.map((line, i) => (i === broken ? line.replace('kept  ', 'BROKEN') : line));
      expect(load(['--face', 'http'], sabotage)).toEqual({ status: 1, promises });
    },
    PATIENT,
  );
});
