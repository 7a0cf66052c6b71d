// Makes the command one file: loading two dozen modules would double what agent-ls adds to Node's own start-up. The
// second thread of a large walk is another. Called from here rather than by its command, the bundler prints nothing
// into what `npm start` lists.
import { build } from 'rolldown';

const files = { 'dist/cli.cjs': 'src/faces/cli/main.ts', 'dist/walk-worker.cjs': 'src/faces/cli/walk-worker.ts' };

for (const [file, input] of Object.entries(files)) {
  await build({ input, platform: 'node', output: { file, format: 'cjs', codeSplitting: false, minify: true } });
}
