// Succeeds if dist/ is up to date with the sources, so that `npm start` need not build again. Compares contents, not
// times, which a checkout changes. `--record` stores what dist/ was built from; it is the last step of the build.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

process.chdir(join(import.meta.dirname, '..'));

const RECORD = 'dist/.built-from';
const DIRECTORIES = ['src', 'scripts'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

function fingerprint() {
  const hash = createHash('sha256');
  const inside = DIRECTORIES.flatMap((directory) =>
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  for (const file of [...FILES, ...inside.sort()]) {
    const content = readFileSync(file);
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return `${hash.digest('hex')}\n`;
}

function recorded() {
  try {
    // An interrupted build, or a file that was removed by hand, requires another build.
    for (const file of ['dist/cli.cjs', 'dist/index.js', 'man/agent-ls.1']) readFileSync(file);
    return readFileSync(RECORD, 'utf8');
  } catch {
    return null;
  }
}

if (process.argv.includes('--record')) writeFileSync(RECORD, fingerprint());
else process.exitCode = recorded() === fingerprint() ? 0 : 1;
