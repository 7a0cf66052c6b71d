/**
 * Hostile workspaces and calls against the real server, while a second client calls beside them. Whatever is sent, and
 * whatever the workspace holds,
 *   - no turn of the event loop takes more than 100 ms of CPU,
 *   - a time limit is overrun by 100 ms of CPU at most,
 *   - the process takes less than 600 MB,
 *   - it is still there afterwards, answers, and does not work on for a client that has gone.
 *
 * Time is CPU time of the server's main thread, because on a busy machine the wall clock says nothing about the code.
 *
 *     npx vitest run test/hardening/stalls.test.ts   small sizes, about a minute
 *     AGENT_LS_STALLS=small …                        the same, with a table of what was measured
 *     AGENT_LS_STALLS=all …                          the large ones too, with the table: by hand, it takes long
 *     AGENT_LS_STALLS=links …                        those whose name holds `links`, with the table
 *
 * `npm test` builds the command first.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { emptyDirectory } from '../support/tree.ts';
import { Attack, type Case, makeQuiet, type Outcome } from './stall-attack.ts';
import { ARGUMENTS } from './stall-cases-arguments.ts';
import { CROWDS } from './stall-cases-crowds.ts';
import { ELSEWHERE } from './stall-cases-elsewhere.ts';
import { LINKS } from './stall-cases-links.ts';
import { RULES } from './stall-cases-rules.ts';
import { TEXTS } from './stall-cases-texts.ts';

/** Milliseconds. A call that hangs is cut long before. */
const PATIENT = 600_000;

const WISH = process.env.AGENT_LS_STALLS;

const CASES = [...RULES, ...TEXTS, ...LINKS, ...CROWDS, ...ELSEWHERE, ...ARGUMENTS].filter(
  ({ name, isHeavy = false }) =>
    WISH === undefined || WISH === 'small' ? !isHeavy : WISH === 'all' || name.includes(WISH),
);

const HARMLESS: Case = {
  name: 'a harmless workspace',
  build: (root) => makeQuiet(join(root, 'project')),
  calls: (root) => [
    { tool: 'LS', params: { path: root } },
    { tool: 'Tree', params: { path: root } },
    { dialect: 'gemini', tool: 'list_directory', params: { path: root } },
    { does: 'list', input: { path: root, depth: 2 }, options: { timeLimit: 1_000 } },
  ],
};

let home = '';
let shared: Attack;
let cases = 0;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-test-')));
  // Nobody has to get there.
  chmodSync(home, 0o755);
  makeQuiet(join(home, 'quiet'));
  mkdirSync(join(home, 'root'));
  shared = new Attack(join(home, 'root'), join(home, 'quiet'));
});

afterAll(async () => {
  await shared.end();
  remove(home);
}, PATIENT);

/** Node's own removal ends at a few thousand levels. */
function remove(path: string): void {
  spawnSync('rm', ['-rf', path]);
}

async function outcomesOf(attacked: Case, saboteur?: string): Promise<Outcome[]> {
  const { name, build, calls, hasOwnServer, address = (path: string) => path } = attacked;
  const root = join(home, 'root', `${cases++}`);
  onTestFinished(() => remove(root), PATIENT);
  mkdirSync(root);
  await build(root);
  const own = hasOwnServer ? new Attack(address(root), join(home, 'quiet'), saboteur) : null;
  onTestFinished(() => own?.end());
  const outcomes: Outcome[] = [];
  for (const step of calls(root)) {
    const outcome = await (own ?? shared).run(step, root, attacked);
    outcomes.push(outcome);
    if (WISH !== undefined) writeSync(2, rowOf(name, outcome));
  }
  return outcomes;
}

/** CPU milliseconds of the longest turn, by the clock what the call took and a neighbour waited, and megabytes. */
function rowOf(name: string, { call, block, took, neighbour, peak, faults }: Outcome): string {
  const numbers = [block, took, neighbour, peak].map((value) => value.toFixed().padStart(6)).join(' ');
  return `${numbers}  ${faults.length === 0 ? 'kept' : 'BROKEN'}  ${name}: ${call}  ${faults.join('; ')}\n`;
}

function faultsOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.flatMap(({ call, faults }) => faults.map((fault) => `${call}: ${fault}`));
}

// CPU time and memory of a process are read from /proc.
describe.runIf(process.platform === 'linux')('nobody waits for', () => {
  it.each([HARMLESS, ...CASES])(
    '$name',
    async (attacked) => {
      const faults = faultsOf(await outcomesOf(attacked));
      // On a busy machine the collector of garbage can take long, once. What the code itself takes, it takes each time.
      expect(faults.length === 0 ? [] : faultsOf(await outcomesOf(attacked))).toEqual([]);
    },
    PATIENT,
  );
});

/** By the clock a busy machine would do less work in the time. */
const burn = (milliseconds: number) =>
  `for (const start = process.cpuUsage(); process.cpuUsage(start).user < ${milliseconds * 1000}; );`;

/** Loaded into the server: what it does when somebody lists the root. */
const SABOTAGE: readonly (readonly [string, string, RegExp])[] = [
  ['a turn that takes too long', burn(200), /blocked for \d{3} ms/],
  ['too much memory', 'globalThis.kept = Buffer.alloc(700 * 1024 * 1024, 1);', /took \d{3} MB/],
  ['a process that ends', 'process.exit(3);', /the process is gone/],
  ['work that goes on when the call has ended', `setInterval(() => { ${burn(50)} }, 1);`, /works on for nobody/],
];

describe.runIf(process.platform === 'linux')('the watchdog notices', () => {
  it.each(SABOTAGE)(
    '%s',
    async (_, sabotage, expected) => {
      const saboteur = join(emptyDirectory(), 'saboteur.cjs');
      writeFileSync(saboteur, sabotageOf(sabotage));
      const calls = () => [{ tool: 'LS', params: { path: 'harm' } }];
      const faults = faultsOf(await outcomesOf({ ...HARMLESS, hasOwnServer: true, calls }, saboteur));
      expect(faults.join('\n')).toMatch(expected);
    },
    PATIENT,
  );
});

/** Runs where the answer to the call is written. */
function sabotageOf(statement: string): string {
  return `
    const { stringify } = JSON;
    let isDone = false;
    JSON.stringify = (...words) => {
      const text = stringify(...words);
      if (!isDone && String(text).includes("'harm'")) { isDone = true; ${statement} }
      return text;
    };`;
}
