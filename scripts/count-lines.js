// Counts the lines of TypeScript in `src` and `assembly` that were written by hand, without what a script generates.
// Fails above the limits. `npm run check` runs it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const MAX_LINES = 40_000;
const MAX_LINES_OF_A_FILE = 400;

/** Written by scripts/assembly.js. The token table is data (JSON), and not counted. */
const GENERATED = ['src/disk/assembly-code.ts'];

process.chdir(join(import.meta.dirname, '..'));

const files = ['src', 'assembly']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  )
  .filter((path) => /\.tsx?$/.test(path) && !GENERATED.includes(path))
  .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length - 1 }));
const total = files.reduce((sum, { lines }) => sum + lines, 0);
const long = files.filter(({ lines }) => lines > MAX_LINES_OF_A_FILE);

console.log(`${total} lines in ${files.length} files; at most ${MAX_LINES} are allowed.`);
for (const { path, lines } of long) {
  console.error(`${path} has ${lines} lines, and at most ${MAX_LINES_OF_A_FILE} are allowed: split it by purpose.`);
}
if (total > MAX_LINES) console.error('Take something away: see the largest rooms, or what nothing uses any more.');
if (long.length > 0 || total > MAX_LINES) process.exitCode = 1;
