/**
 * Which files were worked on lately, as git's history tells: where work was, work will be.
 *
 * `git log` runs beside whatever else is done, and what it has told when it is asked for is taken. It is a guest in a
 * repository that may be hostile: no setting of it may start a program, reach the network or write, and none of the
 * caller's environment may lead git elsewhere. Whatever fails, there is no activity, and nobody hears of it.
 */
import { spawn } from 'node:child_process';
import { delimiter, isAbsolute, resolve, sep } from 'node:path';
import { type Bytes, bytesOf, textOf } from '../workspace/bytes.ts';

/** Weights above 0 by path, relative to the directory asked about. Some of the files may no longer exist. */
export type Activity = ReadonlyMap<Bytes, number>;

export interface PendingActivity {
  /** What could be learnt within the time limit; null when there is nothing. Never rejects. */
  take(): Promise<Activity | null>;
}

const MOST_COMMITS = 1000;
const MOST_BYTES = 4_000_000;

/** What the newest commit adds to the worth of a file that it alone touches, and after how many commits it is half. */
const WEIGHT = 5;
const HALF_LIFE = 100;

/** A commit to many files says little of each, and one to more than the second says nothing. */
const MANY_FILES = 10;
const TOO_MANY_FILES = 1000;

const SETTINGS = {
  'core.fsmonitor': 'false',
  'core.hooksPath': '/dev/null',
  'log.decorate': 'false',
  'log.follow': 'false',
  'log.mailmap': 'false',
  // The first commit of all, and the only one of a shallow clone, "touches" every file.
  'log.showRoot': 'false',
  'log.showSignature': 'false',
  'protocol.allow': 'never',
  // A directory whose files look like a repository's is none.
  'safe.bareRepository': 'explicit',
};

const ARGUMENTS = [
  ...Object.entries(SETTINGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ...['--no-pager', 'log', `--max-count=${MOST_COMMITS}`, '--no-merges', '--no-notes', '--no-color'],
  // Renames would be found by reading files, and the order may be told by a file that is none.
  ...['--no-renames', '-O/dev/null', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all'],
  ...['-z', '--format=%x00', '--name-only', '--relative', '--', '.'],
];

/** All that git is told of the caller's environment, beside PATH: where the user's own settings are. */
const HANDED_ON = ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'SYSTEMROOT'];

const ENVIRONMENT = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  // What a partial clone lacks is not fetched. Versions that do not know the first know the second.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_NO_REPLACE_OBJECTS: '1',
  LC_ALL: 'C',
};

interface Terms {
  /** The workspace's root: no program that stands in it is started. */
  readonly rootPath: Bytes;
  /** In milliseconds. */
  readonly timeLimit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Starts at once, in the directory that `directory` leads to just now. */
export function recentActivity(directory: Bytes, terms: Terms): PendingActivity {
  const history = new History();
  const ended = readHistory(directory, history, terms).catch(() => {});
  return {
    async take() {
      await ended;
      return history.weights.size === 0 ? null : history.weights;
    },
  };
}

/** Resolves when git has ended, or has been ended because it took too long, said too much or was cancelled. */
async function readHistory(directory: Bytes, history: History, { rootPath, timeLimit, signal }: Terms): Promise<void> {
  const cwd = textOf(directory);
  if (cwd === null || signal?.aborted) return;
  const known = HANDED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
  const git = spawn('git', ARGUMENTS, {
    cwd,
    env: { ...Object.fromEntries(known), ...ENVIRONMENT, PATH: trustedPath(rootPath) },
    stdio: ['ignore', 'pipe', 'ignore'],
    windowsHide: true,
  });
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      git.kill('SIGKILL');
      git.stdout.destroy();
      resolve();
    };
    const timer = setTimeout(end, timeLimit);
    signal?.addEventListener('abort', end);
    git.on('error', end);
    git.stdout.on('error', end);
    git.stdout.on('data', (chunk: Buffer) => {
      if (!history.read(chunk)) end();
    });
    git.stdout.on('end', () => {
      history.endCommit();
      end();
    });
  });
}

/** Without what leads into the workspace, as `.` and `node_modules/.bin` may: a `git` could stand there. */
function trustedPath(rootPath: Bytes): string {
  const isInside = (directory: string) => `${bytesOf(resolve(directory))}${sep}`.startsWith(`${rootPath}${sep}`);
  const directories = (process.env.PATH ?? '').split(delimiter);
  return directories.filter((directory) => isAbsolute(directory) && !isInside(directory)).join(delimiter);
}

/**
 * What `git log` prints: an empty record before each commit, then its paths, the first of which follows a line break.
 *
 *     \0 \0 \n src/a.ts \0 src/b.ts \0 \0 \0 \n README.md \0
 */
class History {
  readonly weights = new Map<Bytes, number>();
  #paths: Bytes[] = [];
  #isFirst = true;
  #commits = 0;
  #bytes = 0;
  /** The beginning of a path whose end has not been read. */
  #rest = '';

  /** Whether it should go on. */
  read(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    const records = (this.#rest + chunk.toString('latin1')).split('\0');
    this.#rest = records.pop() as string;
    for (const record of records) this.#readRecord(record);
    return this.#bytes < MOST_BYTES;
  }

  #readRecord(record: string): void {
    if (record === '') {
      this.endCommit();
    } else {
      const path = this.#isFirst && record.startsWith('\n') ? record.slice(1) : record;
      this.#isFirst = false;
      this.#paths.push(path as Bytes);
    }
  }

  /** A commit is weighed when its last path is known, and not at all if it never is. */
  endCommit(): void {
    const paths = this.#paths;
    this.#isFirst = true;
    if (paths.length === 0) return;
    this.#paths = [];
    const weight = (WEIGHT * 2 ** (-this.#commits / HALF_LIFE)) / (1 + paths.length / MANY_FILES);
    this.#commits += 1;
    if (paths.length > TOO_MANY_FILES) return;
    for (const path of paths) this.weights.set(path, (this.weights.get(path) ?? 0) + weight);
  }
}
