// Runs the contracts and the attacks by each way of holding a directory: the system's own calls, descriptors, paths.
import { spawnSync } from 'node:child_process';

const given = process.argv.slice(2);
const paths = given.length > 0 ? given : ['test/contract', 'test/corpora', 'test/differential', 'test/hardening'];

/**
 * What cannot be done by path, as SECURITY.md says: a race can be won, a path that is longer than the system takes leads
 * nowhere, and nothing can be proved unchanged, so nothing is cached. A directory that is read entry by entry may have
 * told any of them when the call ends.
 */
const NOT_BY_PATH = ['longer than the system takes', 'forgets what nobody asks for', 'on the way gives what there is'];

const OPTIONS = {
  calls: [],
  descriptor: [],
  path: ['--exclude', 'test/hardening/race.test.ts', '-t', `^(?!.*(?:${NOT_BY_PATH.join('|')}))`],
};

for (const [way, options] of Object.entries(OPTIONS)) {
  console.log(`By ${way}:`);
  const words = ['vitest', 'run', ...paths, ...options];
  const { status } = spawnSync('npx', words, { stdio: 'inherit', env: { ...process.env, TEST_WAY: way } });
  if (status !== 0) process.exit(status ?? 1);
}
