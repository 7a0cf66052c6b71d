// Runs mutation tests: Stryker changes the code of a room in many small ways, and each time the tests should fail.
// `npm run mutation -- ROOM [FILE...] [--OPTION...]`, with Stryker's own options. See docs/mutation-testing.md.
import { spawnSync } from 'node:child_process';
import { ROOMS } from './tests.js';

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith('--'));
const end = firstOption === -1 ? words.length : firstOption;
const [room, ...files] = words.slice(0, end);
if (!ROOMS.includes(room)) {
  console.error(`Which room? npm run mutation -- ${ROOMS.join('|')} [FILE...] [--OPTION...]`);
  process.exit(2);
}
const changed = files.length === 0 ? [`src/${room}/**/*.ts`] : files.map((file) => `src/${room}/${file}`);
const options = [
  ...['run', 'stryker.config.json', '--mutate', changed.join(',')],
  // Separate files, so that two rooms can be tested at the same time.
  ...['--incrementalFile', `.mutation/${room}.json`, '--tempDirName', `.mutation/${room}`],
  ...words.slice(end),
];
const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', ...options], {
  stdio: 'inherit',
  env: { ...process.env, AGENT_LS_MUTATION: [room, ...files].join(' ') },
});
process.exitCode = status ?? 1;
