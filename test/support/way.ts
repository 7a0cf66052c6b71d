/**
 * All tests hold directories by the system's own calls, from the start, wherever they do not ask for another way; or by the
 * way that `TEST_WAY` names: `descriptor` or `path`.
 */
import fs, { type PathLike, type StatSyncOptions } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const way = process.env.TEST_WAY ?? 'calls';
if (way === 'descriptor' || way === 'path') process.env.AGENT_LS_NO_SYSTEM_CALLS = '1';
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
