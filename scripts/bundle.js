// Makes the command one file: loading two dozen modules would double what agent-ls adds to Node's own start-up.
// Called from here rather than by its command, the bundler prints nothing into what `npm start` lists.
import { build } from 'rolldown';

await build({
  input: 'src/faces/cli/main.ts',
  platform: 'node',
  output: { file: 'dist/cli.cjs', format: 'cjs', codeSplitting: false, minify: true },
});
