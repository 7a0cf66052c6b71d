// Breaks the dialects and what they lean on, one clause at a time, in a copy of the project, and expects the
// tests to notice each time: `npm run mutate`, or `npm run mutate -- WORD` for the files with that word in their path.
// A mutation that survives is a clause that no test holds.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MUTATIONS } from './mutations.js';

const [word = ''] = process.argv.slice(2);
const chosen = MUTATIONS.filter(([file]) => file.includes(word));

const project = fileURLToPath(new URL('..', import.meta.url));
const copy = mkdtempSync(join(tmpdir(), 'agent-ls-mutate-'));
for (const name of ['src', 'test', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts']) {
  cpSync(join(project, name), join(copy, name), { recursive: true });
}
symlinkSync(join(project, 'node_modules'), join(copy, 'node_modules'), 'junction');

const folders = ['contract', 'rules', 'listing', 'workspace'].map((name) => join('test', name));
const testsPass = () =>
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', '--bail=1', ...folders], { cwd: copy })
    .status === 0;

let survivors = 0;
try {
  if (!testsPass()) throw new Error('The tests fail before anything was changed.');
  for (const [file, from, to] of chosen) {
    const path = join(copy, file);
    const original = readFileSync(path, 'utf8');
    if (!original.includes(from)) throw new Error(`${file} no longer holds: ${from}`);
    writeFileSync(
      path,
      original.replace(from, () => to),
    );
    const noticed = !testsPass();
    writeFileSync(path, original);
    if (!noticed) survivors++;
    console.log(`${noticed ? 'noticed ' : 'SURVIVED'}  ${file}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`);
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
console.log(`${chosen.length - survivors} of ${chosen.length} mutations were noticed.`);
process.exitCode = survivors === 0 ? 0 : 1;
