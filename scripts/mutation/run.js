// Changes a room's code in every small way that Stryker knows, and asks its tests each time whether they notice:
// `npm run mutation -- protocol|workspace|rules [FILE...]`. See docs/mutation-testing.md.
import { spawnSync } from 'node:child_process';

const [room, ...files] = process.argv.slice(2);
if (!['protocol', 'workspace', 'rules'].includes(room)) {
  console.error('Which room? npm run mutation -- protocol|workspace|rules [FILE...]');
  process.exit(2);
}
const changed = files.length === 0 ? `src/${room}/**/*.ts` : files.map((file) => `src/${room}/${file}`).join(',');
const words = [
  ...['run', 'stryker.config.json', '--mutate', changed],
  // Two rooms may be asked at the same time.
  ...['--incrementalFile', `.mutation/${room}.json`, '--tempDirName', `.mutation/${room}`],
];
const { status } = spawnSync(process.execPath, ['node_modules/@stryker-mutator/core/bin/stryker.js', ...words], {
  stdio: 'inherit',
  env: { ...process.env, AGENT_LS_MUTATION: [room, ...files].join(' ') },
});
process.exitCode = status ?? 1;
