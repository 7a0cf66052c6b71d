// What agent-ls is compared with.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const NAIVE = fileURLToPath(new URL('peers/naive-list.js', import.meta.url));

/** `ls` that prints in the directory's own order: the least a program can do that prints every name. */
export function lsUnsorted(directory) {
  return ['ls', '-U', directory];
}

/** The program that everybody would write first. */
export function naiveList(directory, offset) {
  return [process.execPath, NAIVE, directory, String(offset)];
}

export function bareNode() {
  return [process.execPath, '-e', '0'];
}

/** Why a group that needs `ls -U` cannot run here; null when it can. */
export function lsIsMissing() {
  // With the `ls` of macOS and the BSDs, which has no --version either, -U means something else.
  const { error, status } = spawnSync('ls', ['--version'], { stdio: 'ignore' });
  return error || status !== 0 ? 'there is no GNU ls here to compare with' : null;
}

/** The first of the names under which a program can be run here; null when there is none. */
export function programNamed(...names) {
  return names.find((name) => spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0) ?? null;
}

/** What a program says its version is; null when it cannot be run. */
export function programVersion(name) {
  const { status, stdout } = spawnSync(name, ['--version'], { encoding: 'utf8' });
  return status === 0 ? (/\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? null) : null;
}

/** The version of a package that `npm ci --prefix bench` installs; null when it is not there. */
export function packageVersion(name) {
  const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : null;
}

/** Why what needs a package cannot run here. */
export function packageIsMissing(name) {
  return `the package ${name} is not installed: npm ci --prefix bench`;
}
