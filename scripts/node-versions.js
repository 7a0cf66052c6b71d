/**
 * Builds and tests with each version of Node that agent-ls promises to work on. The binaries come from npm.
 *
 *     node scripts/node-versions.js                      # all tests, all versions: a while
 *     node scripts/node-versions.js 22 26 -- test/e2e    # these versions, these tests
 */
import { spawnSync } from 'node:child_process';
import { delimiter, join, resolve } from 'node:path';

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const versions = end > 0 ? words.slice(0, end) : ['20', '22', '24', '26'];
const tests = words.slice(end + 1);

const platform = process.platform === 'win32' ? 'win' : process.platform;
const binary = `node-${platform}-${process.arch}`;

const results = versions.map((version) => {
  const place = resolve('node_modules', '.cache', 'node-versions', version);
  const bin = join(place, 'node_modules', binary, 'bin');
  const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
  const run = (command, settings = {}) => {
    console.log(`\n[${version}] ${command}`);
    return spawnSync(command, { stdio: 'inherit', shell: true, ...settings }).status === 0;
  };
  const isGood =
    run(`npm install --no-save --no-package-lock --ignore-scripts --prefix "${place}" ${binary}@${version}`) &&
    run('node --version', { env }) &&
    run('npm run --silent build', { env }) &&
    run(['npx vitest run', ...tests].join(' '), { env });
  return [version, isGood];
});

console.log();
for (const [version, isGood] of results) console.log(`Node ${version}: ${isGood ? 'passed' : 'FAILED'}`);
process.exitCode = results.every(([, isGood]) => isGood) ? 0 : 1;
