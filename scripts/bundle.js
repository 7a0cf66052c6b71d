// Makes the command one file: loading two dozen modules would double what agent-ls adds to Node's own start-up. The
// second thread of a large walk is another. Called from here rather than by its command, the bundler prints nothing
// into what `npm start` lists.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'rolldown';

const files = { 'dist/cli.cjs': 'src/faces/cli/main.ts', 'dist/walk-worker.cjs': 'src/faces/cli/walk-worker.ts' };

/** The directories of the packages that went into a bundle. */
const packages = new Set();

for (const [file, input] of Object.entries(files)) {
  const options = { file, format: 'cjs', codeSplitting: false, minify: true };
  const { output } = await build({ input, platform: 'node', output: options });
  for (const id of output.flatMap(({ moduleIds }) => moduleIds)) {
    const found = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id);
    if (found !== null) packages.add(found[0]);
  }
}

// Other people's code asks that its licences are handed on with it.
const licences = [...packages].sort().map((directory) => {
  const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  return `# ${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
});
if (licences.length > 0) writeFileSync('dist/licences.txt', licences.join('\n\n'));
