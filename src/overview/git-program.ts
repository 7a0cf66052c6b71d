/**
 * The program `git`: where it is, and how it is started. Whoever writes into a workspace must not be able to have a
 * program of theirs started in its place, nor to choose one.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { type Bytes, bytesOf } from '../workspace/bytes.ts';
import { isInServedRoot } from '../workspace/served-roots.ts';

/** Set to anything but 0, it keeps this process from starting any program. */
const SWITCH = 'AGENT_LS_NO_GIT';

type GitProcess = ChildProcessByStdio<null, Readable, null>;

/** A repository's objects, and all that git is told of the rest of it. */
export interface HistoryStore {
  /** Of the directory with the objects, held open by the caller; null where the path has to do. */
  readonly descriptor: number | null;
  readonly objects: string;
  /** The directories in it that git may read: `pack`, `00` to `ff`. */
  readonly parts: readonly string[];
  /** Commits whose parents are not there, as git notes them; null when all are. */
  readonly shallow: Bytes | null;
  readonly hash: 'sha1' | 'sha256';
}

interface StartedGit {
  readonly git: GitProcess;
  /** Ends it, with whatever it has started, and leaves nothing behind. */
  end(): void;
}

/**
 * Starts git in a scratch repository of our own, of which only the objects are the real ones. No setting, hook, attribute
 * or ref of the repository is read, nor what it says of objects elsewhere, so that none of them can start or reach
 * anything. Null when git must not be started, or cannot be.
 */
export function startGit(words: readonly string[], store: HistoryStore): StartedGit | null {
  const program = gitProgram();
  const scratch = program === null ? null : makeScratchRepository(store);
  if (program === null || scratch === null) return null;
  const remove = () => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  try {
    const git = spawn(program, ['--no-pager', ...words], {
      cwd: scratch,
      env: { ...ENVIRONMENT, ...systemRoot(), PATH: dirname(program), GIT_DIR: scratch },
      stdio: ['ignore', 'pipe', 'ignore', ...(store.descriptor === null ? [] : [store.descriptor])],
      // A group of its own, which can be ended as a whole.
      detached: process.platform !== 'win32',
      windowsHide: true,
    }) as GitProcess;
    return { git, end: endOf(git, () => quietly(remove)) };
  } catch {
    // The words were too many for the system, for instance.
    quietly(remove);
    return null;
  }
}

/** Signals that would end this process, and leave git and its directory behind. */
const DEADLY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function endOf(git: GitProcess, remove: () => void): () => void {
  const endWithUs = (signal: NodeJS.Signals) => {
    end();
    remove();
    process.kill(process.pid, signal);
  };
  // Whoever handles a signal ends its calls in its own way.
  const watched = DEADLY.filter((signal) => process.listenerCount(signal) === 0);
  for (const signal of watched) process.once(signal, endWithUs);
  const end = () => {
    for (const signal of watched) process.removeListener(signal, endWithUs);
    quietly(() => {
      if (git.pid !== undefined && process.platform !== 'win32') process.kill(-git.pid, 'SIGKILL');
      else git.kill('SIGKILL');
    });
  };
  // It runs there: on some systems a directory cannot be removed before.
  git.once('close', remove);
  git.once('error', remove);
  return end;
}

/** For what may have happened already, or is not worth an answer. */
function quietly(act: () => void): void {
  try {
    act();
  } catch {}
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

/** In a directory that only this user can write to; null when there is no place for it outside of every root. */
function makeScratchRepository({ descriptor, objects, parts, shallow, hash }: HistoryStore): string | null {
  const hops = hopsTo(tmpdir());
  const place = hops.at(-1);
  if (place === undefined || hops.some(isServed)) return null;
  let scratch: string | null = null;
  try {
    scratch = mkdtempSync(join(place, 'agent-ls-'));
    const format = hash === 'sha1' ? 0 : 1;
    const extensions = hash === 'sha1' ? '' : `[extensions]\nobjectFormat = ${hash}\n`;
    for (const directory of ['refs', 'objects']) mkdirSync(join(scratch, directory));
    writeFileSync(join(scratch, 'HEAD'), 'ref: refs/heads/none\n');
    writeFileSync(join(scratch, 'config'), `[core]\nrepositoryFormatVersion = ${format}\nbare = true\n${extensions}`);
    if (shallow !== null) writeFileSync(join(scratch, 'shallow'), shallow, 'latin1');
    const real = descriptor === null ? objects : '/proc/self/fd/3';
    for (const part of parts) symlinkSync(join(real, part), join(scratch, 'objects', part), 'junction');
    return scratch;
  } catch {
    if (scratch !== null) rmSync(scratch, { recursive: true, force: true });
    return null;
  }
}

interface Candidate {
  readonly program: string;
  /** Every path that leads to it, from link to link; the last one is its own. */
  readonly hops: readonly string[];
}

/** The candidates of one PATH, which are looked for once. */
let found: { readonly path: string; readonly candidates: readonly Candidate[] } | null = null;

/** The first `git` of PATH that neither lies in a root that was ever served, nor is reached through one; null without one. */
function gitProgram(): string | null {
  const { PATH = '', [SWITCH]: isOff = '' } = process.env;
  if (isOff !== '' && isOff !== '0') return null;
  if (found?.path !== PATH) found = { path: PATH, candidates: candidatesIn(PATH) };
  return found.candidates.find(({ hops }) => !hops.some(isServed))?.program ?? null;
}

function candidatesIn(path: string): Candidate[] {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  // What is relative, or empty, would be looked for in the current directory, which may well be the workspace.
  const directories = path.split(delimiter).filter((directory) => isAbsolute(directory));
  return directories.flatMap((directory) => {
    const hops = hopsTo(join(directory, name));
    const program = hops.at(-1);
    return program !== undefined && isProgram(program) ? [{ program, hops }] : [];
  });
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isServed(path: string): boolean {
  return isInServedRoot(bytesOf(path));
}

/** As many as the kernel follows. */
const MOST_HOPS = 40;

/** The path, and what it becomes as one link after the other is followed; the last is real. None where nothing is there. */
function hopsTo(path: string): string[] {
  const hops = [resolve(path)];
  try {
    const real = realpathSync.native(path);
    for (let here = hops[0]; here !== undefined && hops.length <= MOST_HOPS; here = hops.at(-1)) {
      const next = withoutFirstLink(here);
      if (next === null) return here === real ? hops : [...hops, real];
      hops.push(next);
    }
  } catch {}
  return [];
}

/** The path with the target of its first link in place; null when it has none. */
function withoutFirstLink(path: string): string | null {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  for (let i = 1; i <= names.length; i++) {
    const here = root + names.slice(0, i).join(sep);
    if (lstatSync(here).isSymbolicLink()) {
      return resolve(dirname(here), readlinkSync(here), ...names.slice(i));
    }
  }
  return null;
}
