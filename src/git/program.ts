/** Finds and starts the program `git`. Nobody who can write into a workspace may choose which program is started. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import {
  accessSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type Bytes, bytesOf } from '../names/bytes.ts';
import { isInServedRoot } from '../workspace/served-roots.ts';
import type { StartedGit } from '../workspace/source.ts';

/** If this variable is set to anything but 0, git is never started. */
const SWITCH = 'AGENT_LS_NO_GIT';

type GitProcess = ChildProcessByStdio<Writable | null, Readable, null>;

/** The objects of a repository, and the little else of it that git may see. */
export interface HistoryStore {
  /** A descriptor of the objects directory, held open by the caller; null to use the path. */
  readonly descriptor: number | null;
  readonly objects: string;
  /** The subdirectories of `objects` that git may read: `pack`, `00` to `ff`. */
  readonly parts: readonly string[];
  /** The content of git's `shallow` file: commits without their parents. Null if there are none. */
  readonly shallow: Bytes | null;
  readonly hash: 'sha1' | 'sha256';
  /** Where git looks up the names of commits: the directory `refs`, and the file `packed-refs`; null if there is none. */
  readonly refs?: { readonly head: Bytes; readonly directory: string; readonly packed: string | null };
}

/** The files that git compares with the objects, and git's own index of them. */
export interface WorkTree {
  readonly path: string;
  /** The content of git's `index` file, and the time it was written: git reads files that were changed later. */
  readonly index: Bytes;
  readonly indexed: Date;
  readonly commit: string;
  /** Only settings that cannot start a program or point to a file. */
  readonly settings: ReadonlyMap<string, string>;
  /** The ignore rules that are not in the work tree itself. */
  readonly exclude: Bytes;
}

/** A scratch repository of our own, in which git can be started more than once. */
export type GitScratch = NonNullable<ReturnType<typeof openScratch>>;

/**
 * Makes a scratch repository in which only the objects are real: no setting, hook, attribute or alternate of the
 * repository can start or reach anything. Null when git must not be started.
 */
export function openScratch(store: HistoryStore, workTree: WorkTree | null = null) {
  const made = (place: string) => makeScratchIn(place, store, workTree);
  // Perf: in memory, because hundreds of links take up to a tenth of a second on a disk.
  const mayUseMemory = process.platform === 'linux' && process.env.TMPDIR === undefined;
  const scratch = gitProgram() === null ? null : ((mayUseMemory ? made('/dev/shm') : null) ?? made(tmpdir()));
  if (scratch === null) return null;
  const remove = () => {
    // Perf: the rest takes three calls for each name.
    quietly(() => store.parts.forEach((part) => void unlinkSync(join(scratch, 'objects', part))));
    quietly(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));
  };
  const place = { GIT_DIR: scratch, ...(workTree === null ? {} : { GIT_WORK_TREE: workTree.path }) };
  const forget = whenWeEnd(remove);
  return {
    /** Returns null if git must not or cannot be started. With `asks`, its standard input is a pipe for requests. */
    start: (words: readonly string[], asks = false): StartedGit | null => {
      const program = gitProgram();
      if (program === null) return null;
      const held = store.descriptor === null ? [] : [store.descriptor];
      try {
        const git = spawn(program, ['--no-pager', ...words], {
          cwd: scratch,
          // Windows needs SYSTEMROOT to start a program.
          env: { ...GIT_ENVIRONMENT, SYSTEMROOT: process.env.SYSTEMROOT, PATH: dirname(program), ...place },
          stdio: [asks ? 'pipe' : 'ignore', 'pipe', 'ignore', ...held],
          // In its own process group, git and its children can be killed together.
          detached: process.platform !== 'win32',
          windowsHide: true,
        }) as GitProcess;
        return { git, end: endOf(git) };
      } catch {
        // For instance, the arguments are too long for the system.
        return null;
      }
    },
    remove: () => {
      forget();
      remove();
    },
  };
}

/** Starts git once, in a scratch repository that is removed when git ends. Null if git must not or cannot start. */
export function startGit(words: readonly string[], store: HistoryStore, workTree: WorkTree | null = null) {
  const scratch = openScratch(store, workTree);
  const started = scratch?.start(words) ?? null;
  started?.git.once('close', () => scratch?.remove());
  started?.git.once('error', () => scratch?.remove());
  if (started === null) scratch?.remove();
  return started;
}

type OutputEnd = 'whole' | 'enough' | 'unstarted' | 'failed' | 'aborted';

/** Passes git's output to `read` until that has enough, then ends git. Resolves to how the output ended. */
export function outputEnd({ git, end }: StartedGit, read: (chunk: Buffer) => boolean, signal: AbortSignal) {
  return new Promise<OutputEnd>((resolve) => {
    const finish = (how: OutputEnd) => {
      signal.removeEventListener('abort', giveUp);
      end();
      git.stdout.destroy();
      resolve(how);
    };
    const giveUp = () => finish('aborted');
    signal.addEventListener('abort', giveUp);
    git.on('error', () => finish('unstarted'));
    git.stdout.on('error', () => finish('failed'));
    git.stdout.on('data', (chunk: Buffer) => void (read(chunk) || finish('enough')));
    // The output of a git that was killed ends, too: only its exit code says that it was whole.
    git.on('close', (code) => finish(code === 0 ? 'whole' : 'failed'));
  });
}

function endOf(git: GitProcess): () => void {
  const kill = () =>
    quietly(() => {
      if (git.pid !== undefined && process.platform !== 'win32') process.kill(-git.pid, 'SIGKILL');
      else git.kill('SIGKILL');
    });
  const forget = whenWeEnd(kill);
  git.once('close', forget);
  return () => {
    forget();
    kill();
  };
}

/** Clean-ups to run when this process ends, unless they were run before. */
const leftBehind = new Set<() => void>();

/** Signals that would end this process and leave git and its directory behind. */
const DEADLY = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Runs `cleanUp` when this process ends. Returns a function that cancels this. */
function whenWeEnd(cleanUp: () => void): () => void {
  if (leftBehind.size === 0) {
    process.on('exit', cleanUpAll);
    for (const signal of DEADLY) if (process.listenerCount(signal) === 0) process.on(signal, endWithSignal);
  }
  leftBehind.add(cleanUp);
  return () => {
    leftBehind.delete(cleanUp);
    if (leftBehind.size > 0) return;
    process.removeListener('exit', cleanUpAll);
    for (const signal of DEADLY) process.removeListener(signal, endWithSignal);
  };
}

function endWithSignal(signal: NodeJS.Signals): void {
  // A program with its own handler ends its calls in its own way.
  if (process.listenerCount(signal) > 1) return;
  cleanUpAll();
  process.removeListener(signal, endWithSignal);
  process.kill(process.pid, signal);
}

/** Runs the last clean-up first: some systems cannot remove a directory while git runs in it. */
function cleanUpAll(): void {
  for (const cleanUp of [...leftBehind].reverse()) cleanUp();
}

/** Ignores errors, for clean-ups whose failure does not matter. */
function quietly(act: () => void): void {
  try {
    act();
  } catch {}
}

/** Git inherits nothing from the caller's environment, so nothing in it can redirect git. */
const GIT_ENVIRONMENT = {
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

/** Makes it in a directory that only this user can write to; null if the place is inside a root, or has no room for it. */
function makeScratchIn(
  temporary: string,
  { descriptor, objects, parts, shallow, hash, refs }: HistoryStore,
  workTree: WorkTree | null,
): string | null {
  const hops = hopsTo(temporary);
  const place = hops.at(-1);
  if (place === undefined || hops.some(isServed)) return null;
  let scratch: string | null = null;
  try {
    scratch = mkdtempSync(join(place, 'agent-ls-'));
    const [format, extensions] = hash === 'sha1' ? [0, ''] : [1, `[extensions]\nobjectFormat = ${hash}\n`];
    mkdirSync(join(scratch, 'objects'));
    if (refs === undefined) mkdirSync(join(scratch, 'refs'));
    else symlinkSync(refs.directory, join(scratch, 'refs'), 'junction');
    const none = workTree === null ? 'ref: refs/heads/none\n' : `${workTree.commit}\n`;
    writeFileSync(join(scratch, 'HEAD'), refs?.head ?? none, 'latin1');
    // Perf: a link, because the refs of a large repository are megabytes. On Windows, not every user may create links.
    const linkOrCopy = process.platform === 'win32' ? copyFileSync : symlinkSync;
    if (refs !== undefined && refs.packed !== null) linkOrCopy(refs.packed, join(scratch, 'packed-refs'));
    const settings = [...(workTree?.settings ?? [])].map(([key, value]) => `${key} = ${value}\n`).join('');
    const core = `[core]\nrepositoryFormatVersion = ${format}\nbare = ${workTree === null}\n${settings}`;
    writeFileSync(join(scratch, 'config'), core + extensions);
    if (workTree !== null) {
      writeFileSync(join(scratch, 'index'), workTree.index, 'latin1');
      utimesSync(join(scratch, 'index'), workTree.indexed, workTree.indexed);
      mkdirSync(join(scratch, 'info'));
      writeFileSync(join(scratch, 'info/exclude'), workTree.exclude, 'latin1');
    }
    if (shallow !== null) writeFileSync(join(scratch, 'shallow'), shallow, 'latin1');
    const real = descriptor === null ? objects : '/proc/self/fd/3';
    for (const part of parts) symlinkSync(join(real, part), join(scratch, 'objects', part), 'junction');
    return scratch;
  } catch {
    if (scratch !== null) rmSync(scratch, { recursive: true, force: true });
    return null;
  }
}

/** The candidates of one PATH, which is searched only once. */
let found: { readonly path: string; readonly candidates: ReturnType<typeof candidatesIn> } | null = null;

/** Returns the first `git` on PATH that is neither inside any root ever served nor reached through one. */
function gitProgram(): string | null {
  const { PATH = '', [SWITCH]: isOff = '' } = process.env;
  if (isOff !== '' && isOff !== '0') return null;
  if (found?.path !== PATH) found = { path: PATH, candidates: candidatesIn(PATH) };
  return found.candidates.find(({ hops }) => !hops.some(isServed))?.program ?? null;
}

/** On macOS, this starts the first of the other two that is installed; otherwise it opens a dialog. */
const STUB = '/usr/bin/git';
const DEVELOPER_TOOLS = [
  '/Library/Developer/CommandLineTools/usr/bin/git',
  '/Applications/Xcode.app/Contents/Developer/usr/bin/git',
];

/** Returns programs with their `hops`: the path itself, and the path after each link that is followed. */
function candidatesIn(path: string) {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  return path.split(delimiter).flatMap((directory) => {
    // A relative or empty path would mean the current directory, which may well be the workspace.
    const named = isAbsolute(directory) ? hopsTo(join(directory, name)) : [];
    const isStub = process.platform === 'darwin' && named.at(-1) === STUB;
    return (isStub ? DEVELOPER_TOOLS.map(hopsTo) : [named]).flatMap((hops) => {
      const program = hops.at(-1);
      return program !== undefined && isProgram(program) ? [{ program, hops }] : [];
    });
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

const isServed = (path: string): boolean => isInServedRoot(bytesOf(path));

/** The kernel follows at most this many links. */
const MAX_HOPS = 40;

/** Returns the path, and the path after each link that is followed; the last is real. Empty if nothing is there. */
function hopsTo(path: string): string[] {
  const hops = [resolve(path)];
  try {
    const real = realpathSync.native(path);
    for (let here = hops[0]; here !== undefined && hops.length <= MAX_HOPS; here = hops.at(-1)) {
      const next = withoutFirstLink(here);
      if (next === null) return here === real ? hops : [...hops, real];
      hops.push(next);
    }
  } catch {}
  return [];
}

/** Replaces the first link in a path with its target; null if there is none. */
function withoutFirstLink(path: string): string | null {
  const { root } = parse(path);
  const names = path.slice(root.length).split(sep);
  for (let i = 1; i <= names.length; i++) {
    const here = root + names.slice(0, i).join(sep);
    if (lstatSync(here).isSymbolicLink()) return resolve(dirname(here), readlinkSync(here), ...names.slice(i));
  }
  return null;
}
