/**
 * Builds, and runs tests under each runtime that agent-ls supports. All of them come from npm.
 *
 *     node scripts/runtimes.js                       # the end-to-end tests, everywhere
 *     node scripts/runtimes.js 22 deno               # under these
 *     node scripts/runtimes.js 20 26 -- test         # all tests, under these versions of Node
 *
 * A version of Node runs the tests themselves. Bun, Deno and Node's permission model run only what the tests start.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const chosen = end > 0 ? words.slice(0, end) : ['20', '22', '24', '26', 'bun', 'deno', 'permission'];
const tests = end < words.length ? words.slice(end + 1) : ['test/e2e/command.test.ts', 'test/e2e/library.test.ts'];

const { platform, arch } = process;
const NODE = `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
const BUN = `@oven/bun-${platform === 'win32' ? 'windows' : platform}-${arch === 'arm64' ? 'aarch64' : arch}`;
const DENO = `@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}`;
const READABLE = ['.', tmpdir(), '/proc', '/dev', '/etc'].map((path) => `--allow-fs-read=${resolve(path)}/*`);

/** The packages of each runtime, and the command that replaces Node; null for Node itself. */
const RUNTIMES = {
  bun: { packages: `${BUN}@1.4.4`, command: (place) => [join(place, BUN, 'bin/bun')] },
  deno: { packages: `${DENO}@2.9.5`, command: (place) => [join(place, DENO, 'deno'), 'run', '-A'] },
  permission: {
    packages: `${NODE}@24`,
    command: (place) => [join(place, NODE, 'bin/node'), '--no-warnings', '--permission', '--allow-worker', ...READABLE],
  },
};

const results = chosen.map((name) => {
  const { packages, command } = RUNTIMES[name] ?? { packages: `${NODE}@${name}`, command: null };
  const folder = resolve('node_modules', '.cache', 'runtimes', name);
  const place = join(folder, 'node_modules');
  const run = (line, settings = {}) => {
    console.log(`\n[${name}] ${line}`);
    return spawnSync(line, { stdio: 'inherit', shell: true, ...settings }).status === 0;
  };
  if (!run(`npm install --no-save --no-package-lock --ignore-scripts --silent --prefix "${folder}" ${packages}`))
    return [name, false];
  const env = { ...process.env };
  if (command === null) {
    env.PATH = `${join(place, NODE, 'bin')}${delimiter}${env.PATH}`;
  } else {
    const parts = command(place);
    chmodSync(parts[0], 0o755);
    env.AGENT_LS_RUNTIME = JSON.stringify(parts);
  }
  const isGood = run('npm run --silent build', { env }) && run(['npx vitest run', ...tests].join(' '), { env });
  return [name, isGood];
});

console.log();
for (const [name, isGood] of results) console.log(`${name}: ${isGood ? 'passed' : 'FAILED'}`);
process.exitCode = results.every(([, isGood]) => isGood) ? 0 : 1;
