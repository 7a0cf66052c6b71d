// Removes declarations that cannot be reached from an entry of the package: nobody can import them, but they add to its
// size.
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const SPECIFIER = /\b(?:from|import)\s*\(?\s*['"](\.[^'"]+)\.[jt]s['"]/g;

const reached = new Set(Object.values(exports).flatMap(({ types }) => (types ? [join(types)] : [])));
for (const file of reached) {
  for (const [, path] of readFileSync(file, 'utf8').matchAll(SPECIFIER))
    reached.add(join(dirname(file), `${path}.d.ts`));
}
for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
