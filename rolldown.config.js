// The command is one file: loading two dozen modules would double what agent-ls adds to Node's own start-up.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'src/faces/cli/main.ts',
  platform: 'node',
  output: { file: 'dist/cli.cjs', format: 'cjs', codeSplitting: false, minify: true },
});
