// Runs contracts, faces, the built command and attacks with each way of pinning a directory: system calls, descriptors, paths.
import { spawnSync } from 'node:child_process';

const given = process.argv.slice(2);
const ALL = ['contract', 'corpora', 'differential', 'e2e', 'faces', 'hardening'].map((room) => `test/${room}`);
const paths = given.length > 0 ? given : ALL;

/**
 * Tests of what cannot be done by path (SECURITY.md). An attacker can win a race, a path longer than the system allows
 * cannot be resolved, and nothing is cached, because nothing can be proved unchanged. When a call ends early, a
 * directory that is read entry by entry may have returned any of its entries.
 */
const NOT_BY_PATH = [
  'longer than the system takes',
  'forgets what nobody asks for',
  'came from the cache alone',
  'on the way gives what there is',
];

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
