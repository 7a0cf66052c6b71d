/** Reads and writes the settings of other programs: as a whole, through links, and with the mode that they have. */
import { mkdirSync, readFileSync, realpathSync, renameSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** Returns null if there is no such file. Throws an Error if it is not valid UTF-8. */
export function readSettings(path: string): string | null {
  if (!exists(path)) return null;
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
}

/** Replaces the file in one step, so that a client never reads half of it. Null deletes it, and its empty folders. */
export function writeSettings(path: string, text: string | null): void {
  if (text === null) {
    rmSync(path, { force: true });
    removeEmpty(dirname(path));
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  const target = exists(path) ? realpathSync(path) : path;
  const mode = exists(target) ? statSync(target).mode & 0o777 : 0o600;
  const next = `${target}.agent-ls-${process.pid}`;
  try {
    writeFileSync(next, text, { mode, flag: 'wx' });
    renameSync(next, target);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

function removeEmpty(folder: string): void {
  if (folder === homedir() || folder === process.cwd()) return;
  try {
    rmdirSync(folder);
    removeEmpty(dirname(folder));
  } catch {
    // Something else is in it.
  }
}

export function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** True if a program of this name is on the path. */
export function isInstalled(program: string): boolean {
  const names = process.platform === 'win32' ? [`${program}.exe`, `${program}.cmd`] : [program];
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.some((folder) => folder !== '' && names.some((name) => exists(join(folder, name))));
}
