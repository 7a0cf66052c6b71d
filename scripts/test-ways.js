// Runs the contracts and the attacks by each way of holding a directory: the system's own calls, descriptors, paths.
// By path a race can be won, which is documented; so the race is run by the other two.
import { spawnSync } from 'node:child_process';

const given = process.argv.slice(2);
const paths = given.length > 0 ? given : ['test/contract', 'test/corpora', 'test/differential', 'test/hardening'];

for (const way of ['calls', 'descriptor', 'path']) {
  console.log(`By ${way}:`);
  const words = ['vitest', 'run', ...paths, ...(way === 'path' ? ['--exclude', 'test/hardening/race.test.ts'] : [])];
  const { status } = spawnSync('npx', words, { stdio: 'inherit', env: { ...process.env, TEST_WAY: way } });
  if (status !== 0) process.exit(status ?? 1);
}
