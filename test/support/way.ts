/**
 * All tests hold directories by the system's own calls, from the start, wherever they do not ask for another way; or by the
 * way that `TEST_WAY` names: `descriptor`, `path`, or `ahead`, which is by calls that a thread makes ahead.
 */
import fs, { type PathLike, type StatSyncOptions } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate } from 'node:timers/promises';

const way = process.env.TEST_WAY ?? 'calls';
if (way === 'descriptor' || way === 'path') process.env.AGENT_LS_NO_SYSTEM_CALLS = '1';
// The calls of another thread cannot be intercepted.
process.env.AGENT_LS_READ_AHEAD = way === 'ahead' ? 'always' : 'never';
const { oddCalls } = await import('./odd-calls.ts');
if (way === 'ahead' && oddCalls !== null) {
  const { threadFor } = await import('../../src/workspace/disk/process-thread.ts');
  while (threadFor(0, oddCalls) === null) await setImmediate();
}
if (way === 'path') {
  // As if there were no /proc, until somebody has looked for it.
  const { statSync } = fs;
  const answerBy = (ask: unknown) => {
    (fs as { statSync: unknown }).statSync = ask;
    syncBuiltinESMExports();
  };
  answerBy((path: PathLike, options: StatSyncOptions) => {
    if (path !== '/proc/self/fd') return statSync(path, options);
    answerBy(statSync);
    return statSync('/dev/null');
  });
}
