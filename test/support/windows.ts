/**
 * Windows lacks some of what tests need: links that anybody may make, names with any character, modes, `git`, `mkfifo`.
 * There, and nowhere else, a test that asks for such a thing is skipped, and its `meta` says for want of what.
 */
import childProcess from 'node:child_process';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { TestRunner } from 'vitest';

/** A stream, a device, or a name that Windows would change. */
const NOT_ON_WINDOWS = /[<>:"|?*\0-\x1f]|[. ](?:[\\/]|$)/;

export function isNameHere(path: string): boolean {
  return process.platform !== 'win32' || !NOT_ON_WINDOWS.test(path.replace(/^[A-Z]:/i, ''));
}

/** A backslash parts names there, and `A` is `a`. */
export function expectPaths(paths: readonly string[]): void {
  if (paths.some((path) => path.includes('\\'))) skipOnWindows('such names');
  const all = new Set(paths.flatMap((path) => path.split('/').map((_, i, names) => names.slice(0, i + 1).join('/'))));
  if (new Set([...all].map((path) => path.toLowerCase())).size < all.size)
    skipOnWindows('a disk that tells case apart');
}

/** For what no call to the system shows. */
export function skipOnWindows(what: string): void {
  if (process.platform === 'win32') skipFor(what);
}

function skipFor(what: string): never {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error(`Windows lacks what this file needs: ${what}`);
  Object.assign(test.meta, { lacks: what });
  return test.context.skip(what) as never;
}

type Path = string | Buffer;

function expectName(path: unknown): void {
  const text = String(path);
  const isText = !Buffer.isBuffer(path) || path.equals(Buffer.from(text));
  if (!isText || !isNameHere(text)) skipFor('such names');
}

function named<Args extends unknown[], Result>(call: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    expectName(args[0]);
    return call(...args);
  };
}

/** Windows forbids links to most users. Wine says that it made one, and made none. */
function expectLink(path: Path): void {
  if (fs.lstatSync(path, { throwIfNoEntry: false }) === undefined) skipFor('links');
}

function skipForProgram(error: unknown, program: string): void {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') skipFor(`the program ${program}`);
}

export function skipWhatWindowsLacks(): void {
  const { writeFileSync, mkdirSync, symlinkSync, promises } = fs;
  const { writeFile, mkdir, symlink } = promises;
  const { spawnSync, execFileSync } = childProcess;
  Object.assign(fs, {
    writeFileSync: named(writeFileSync),
    mkdirSync: named(mkdirSync),
    chmodSync: () => skipFor('modes'),
    symlinkSync: (...args: Parameters<typeof symlinkSync>) => {
      expectName(args[1]);
      try {
        symlinkSync(...args);
      } finally {
        expectLink(args[1] as Path);
      }
    },
  });
  Object.assign(promises, {
    writeFile: named(writeFile),
    mkdir: named(mkdir),
    chmod: () => skipFor('modes'),
    symlink: async (...args: Parameters<typeof symlink>) => {
      await symlink(...args).finally(() => expectLink(args[1] as Path));
    },
  });
  Object.assign(childProcess, {
    spawnSync: (...args: Parameters<typeof spawnSync>) => {
      const result = spawnSync(...args);
      // A file may ask beforehand which programs there are.
      if (TestRunner.getCurrentTest() !== undefined) skipForProgram(result.error, args[0]);
      return result;
    },
    execFileSync: (...args: Parameters<typeof execFileSync>) => {
      try {
        return execFileSync(...args);
      } catch (error) {
        skipForProgram(error, args[0]);
        throw error;
      }
    },
  });
  syncBuiltinESMExports();
}
