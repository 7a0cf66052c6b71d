// Writes man/agent-ls.1 from the table of options that --help uses.
import { mkdirSync, writeFileSync } from 'node:fs';
import { build } from 'rolldown';

const { output } = await build({
  input: 'src/faces/cli/help.ts',
  platform: 'node',
  write: false,
  output: { format: 'esm', codeSplitting: false },
});
const { manPage } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);

mkdirSync('man', { recursive: true });
writeFileSync('man/agent-ls.1', manPage());
