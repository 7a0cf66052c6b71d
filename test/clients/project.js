/** The directories that the clients are tried on. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const PARTS = [
  'auth',
  'billing',
  'catalog',
  'checkout',
  'dashboard',
  'emails',
  'exports',
  'imports',
  'search',
  'users',
];
const LAYERS = ['api', 'components', 'hooks', 'models', 'services', 'tests'];

export const LARGE = 5000;
export const WIDE = 60_000;

/** Each name stands for one line of an answer, whatever it holds. */
export const HOSTILE = ['a\u202egnp.exe', 'line\nbreak', 'esc\x1b[31m', 'plain.txt'];

export function makeProject() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-project-')));
  const add = (path) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  };
  for (const name of ['src/x', 'README.md', 'index.ts', 'package.json']) add(`small/${name}`);
  for (const name of HOSTILE) add(`hostile/${name}`);
  for (let i = 0; i < LARGE; i++) add(`large/record-${String(i).padStart(4, '0')}.json`);
  for (const part of PARTS) {
    for (const layer of LAYERS) for (let i = 0; i < 45; i++) add(`app/${part}/${layer}/${part}-${layer}-${i}.ts`);
  }
  for (const name of ['sub/inner.txt', 'fresh/old.txt']) add(name);
  return { root, remove: () => rmSync(root, { recursive: true }) };
}

/** So many files that a map of them takes a while. */
export function makeWide() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-wide-')));
  for (let i = 0; i < 60; i++) {
    mkdirSync(join(root, `part-${i}`));
    for (let j = 0; j < WIDE / 60; j++) writeFileSync(join(root, `part-${i}`, `entry-${i}-${j}.dat`), '');
  }
  return { root, remove: () => rmSync(root, { recursive: true }) };
}

/** A directory for the path, with the command that `npm link` would put there. */
export function linkCommand(cli) {
  const bin = mkdtempSync(join(tmpdir(), 'agent-ls-bin-'));
  writeFileSync(join(bin, 'agent-ls'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`, { mode: 0o755 });
  return { bin, remove: () => rmSync(bin, { recursive: true }) };
}
