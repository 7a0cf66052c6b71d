/**
 * Whatever comes in is answered as its contract says: never a crash, a hang or a promise that nobody waits for.
 *
 *     TEST_FACTOR=250 AGENT_LS_SEED=7 npx vitest run test/hardening/fuzz.test.ts
 */
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { DIALECT_NAMES } from '../../src/dialects/table.ts';
import { boundTools } from '../../src/faces/tools/tool.ts';
import { openWorkspace } from '../../src/index.ts';
import { isolateGit } from '../support/repository.ts';
import { rounds } from '../support/rounds.ts';
import { emptyDirectory } from '../support/tree.ts';
import { TARGETS, TOOLS } from './fuzz-targets.ts';
import { watchdog } from './watchdog.ts';

const CASES = rounds(4000);
const SEED = Number(process.env.AGENT_LS_SEED ?? 1);

const SHARES = TARGETS.reduce((sum, { share }) => sum + share, 0);
/** Milliseconds; a limit for a hang that is none to the watchdog, because something still happens. */
const LIMIT = 60_000 + CASES * 20;

isolateGit();

it.each(TARGETS.map((target) => [Math.ceil((CASES * target.share) / SHARES), target.name, target] as const))(
  `%i times %s (AGENT_LS_SEED=${SEED})`,
  async (numRuns, _, { open }) => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    const beat = watchdog();
    const [arbitrary, check] = await open();
    const property = fc.asyncProperty(arbitrary, async (given) => {
      beat();
      await check(given);
      // Node tells of such a rejection when nothing else is left to do at once.
      await setImmediate();
      if (unhandled.length > 0) throw unhandled.splice(0)[0];
    });
    await fc.assert(property, { seed: SEED, numRuns });
  },
  LIMIT,
);

it('every tool of every dialect is among them', async () => {
  const workspace = await openWorkspace(emptyDirectory());
  onTestFinished(() => workspace.close());
  const all = DIALECT_NAMES.flatMap((dialect) => boundTools(dialect, workspace).map(({ name }) => [dialect, name]));
  expect(TOOLS).toEqual(all);
});
