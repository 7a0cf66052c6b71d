/**
 * The program `git`: where it is, and how it is started. Whoever writes into a workspace must not be able to have a
 * program of theirs started in its place, nor one beside it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Bytes, bytesOf } from '../workspace/bytes.ts';
import { isInServedRoot } from '../workspace/served-roots.ts';

/** Set to anything but 0, it keeps this process from starting any program. */
const SWITCH = 'AGENT_LS_NO_GIT';

export type GitProcess = ChildProcessByStdio<null, Readable, null>;

/** A repository's objects, and all that git is told of the rest of it. */
export interface HistoryStore {
  /** Held open by the caller, where the system lets a program use that; null where the path has to do. */
  readonly descriptor: number | null;
  readonly objects: string;
  /** Commits whose parents are not there, as git notes them; null when all are. */
  readonly shallow: Bytes | null;
  readonly hash: 'sha1' | 'sha256';
}

/**
 * Starts git for a repository of which it sees the objects alone. Its settings, hooks, attributes and refs are not read,
 * so that none of them can start anything: in their place stand those of an empty repository of our own, in which git
 * runs, too. Null when git must not be started, or cannot be. The caller ends it.
 */
export function startGit(words: readonly string[], store: HistoryStore): { git: GitProcess; end(): void } | null {
  const program = gitProgram();
  if (program === null || isInServedRoot(realBytes(tmpdir()))) return null;
  const ground = makeGround(store);
  const objects = store.descriptor === null ? store.objects : '/proc/self/fd/3';
  const git = spawn(program, ['--no-pager', ...words], {
    cwd: ground,
    env: { ...ENVIRONMENT, ...systemRoot(), PATH: dirname(program), GIT_DIR: ground, GIT_OBJECT_DIRECTORY: objects },
    stdio: ['ignore', 'pipe', 'ignore', ...(store.descriptor === null ? [] : [store.descriptor])],
    // A group of its own, which can be ended as a whole.
    detached: process.platform !== 'win32',
    windowsHide: true,
  }) as GitProcess;
  let isEnded = false;
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    killGroup(git);
    rmSync(ground, { recursive: true, force: true });
  };
  return { git, end };
}

/** Nothing of the caller's environment is handed on, so none of it can lead git elsewhere. */
const ENVIRONMENT = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
};

/** Without it no program starts on Windows. */
function systemRoot(): Record<string, string> {
  const { SYSTEMROOT } = process.env;
  return SYSTEMROOT === undefined ? {} : { SYSTEMROOT };
}

/** A repository with nothing in it, that only this user can write to. */
function makeGround({ shallow, hash }: HistoryStore): string {
  const ground = mkdtempSync(join(tmpdir(), 'agent-ls-'));
  const format = hash === 'sha1' ? 'repositoryFormatVersion = 0' : 'repositoryFormatVersion = 1';
  const extensions = hash === 'sha1' ? '' : `[extensions]\nobjectFormat = ${hash}\n`;
  mkdirSync(join(ground, 'refs'));
  writeFileSync(join(ground, 'HEAD'), 'ref: refs/heads/none\n');
  writeFileSync(join(ground, 'config'), `[core]\n${format}\nbare = true\n${extensions}`);
  if (shallow !== null) writeFileSync(join(ground, 'shallow'), shallow, 'latin1');
  return ground;
}

function killGroup(git: GitProcess): void {
  try {
    if (git.pid !== undefined && process.platform !== 'win32') process.kill(-git.pid, 'SIGKILL');
    else git.kill('SIGKILL');
  } catch {
    // It has ended already.
  }
}

/** The candidates of one PATH, which are looked for once. */
let found: { readonly path: string; readonly programs: readonly string[] } | null = null;

/** The first `git` of PATH that lies outside of every root that was ever served, by its real path; null without one. */
function gitProgram(): string | null {
  const { PATH = '', [SWITCH]: isOff = '' } = process.env;
  if (isOff !== '' && isOff !== '0') return null;
  if (found?.path !== PATH) found = { path: PATH, programs: programsIn(PATH) };
  return found.programs.find((program) => !isInServedRoot(bytesOf(program))) ?? null;
}

function programsIn(path: string): string[] {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  // What is relative, or empty, would be looked for in the current directory, which may well be the workspace.
  const directories = path.split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.flatMap((directory) => executable(join(directory, name)));
}

/** Its real path, if it is a program; none where a root lies on the way to it, of which the links could be changed. */
function executable(path: string): string[] {
  try {
    const real = realpathSync.native(path);
    accessSync(real, constants.X_OK);
    return statSync(real).isFile() && !isInServedRoot(bytesOf(path)) ? [real] : [];
  } catch {
    return [];
  }
}

function realBytes(path: string): Bytes {
  try {
    return bytesOf(realpathSync.native(path));
  } catch {
    return bytesOf(path);
  }
}
