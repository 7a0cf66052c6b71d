/**
 * Which files were worked on lately, as git's history tells: they are likely to be worked on again.
 *
 * `git log` runs beside whatever else is done, and what it has told when it is asked for is taken. Whatever fails, there
 * is no activity, and nobody hears of it: a map is good without it.
 */
import { type Bytes, textOf } from '../workspace/bytes.ts';
import { type HistoryStore, startGit } from './git-program.ts';

/** Weights above 0 by path, relative to the directory asked about. Some of the files may no longer exist. */
export type Activity = ReadonlyMap<Bytes, number>;

export interface PendingActivity {
  /** What could be learnt within the time limit; null when there is nothing. Never rejects. */
  take(): Promise<Activity | null>;
}

const MOST_COMMITS = 1000;
const MOST_BYTES = 4_000_000;

/** Paths that are weighed; where so many were worked on, more would tell nothing. */
const MOST_PATHS = 20_000;

/** Bytes of a directory's path that git is asked about. */
const LONGEST_PATH = 4096;

/** What the newest commit adds to the worth of a file that it alone touches, and after how many commits it is half. */
const WEIGHT = 5;
const HALF_LIFE = 100;

/** A commit to many files says little of each, and one to more than the second says nothing. */
const MANY_FILES = 10;
const TOO_MANY_FILES = 1000;

const ARGUMENTS = [
  // The first commit of all, and the only one of a shallow clone, "touches" every file.
  ...['-c', 'log.showRoot=false'],
  ...['log', `--max-count=${MOST_COMMITS}`, '--no-merges', '--no-notes', '--no-color', '--no-mailmap', '--no-decorate'],
  // Renames would be found by reading files.
  ...['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--no-show-signature'],
  ...['-z', '--format=%x00', '--name-only'],
];

/** The history of a directory. */
export interface History extends HistoryStore {
  /** The commit that it ends with, in hexadecimal digits. */
  readonly commit: string;
  /** The directory, relative to the root of the repository; '' is that. */
  readonly directory: Bytes;
}

interface Terms {
  /** In milliseconds. */
  readonly timeLimit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Starts at once, as long as the descriptor of the history is open. */
export function recentActivity(history: History, terms: Terms): PendingActivity {
  const log = new Log();
  const ended = readLog(history, log, terms).catch(() => {});
  return {
    async take() {
      await ended;
      return log.weights.size === 0 ? null : log.weights;
    },
  };
}

/** Resolves when git has ended, or has been ended because it took too long, said too much or was cancelled. */
async function readLog(history: History, log: Log, { timeLimit, signal }: Terms): Promise<void> {
  const { commit, directory } = history;
  const inside = textOf(directory);
  if (inside === null || inside.length > LONGEST_PATH || signal?.aborted) return;
  const paths = inside === '' ? [commit, '--'] : [`--relative=${inside}/`, commit, '--', `:(literal)${inside}`];
  const started = startGit([...ARGUMENTS, ...paths], history);
  if (started === null) return;
  const { git } = started;
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      started.end();
      git.stdout.destroy();
      resolve();
    };
    const timer = setTimeout(end, timeLimit);
    signal?.addEventListener('abort', end);
    git.on('error', end);
    git.stdout.on('error', end);
    git.stdout.on('data', (chunk: Buffer) => {
      if (!log.read(chunk)) end();
    });
    git.stdout.on('end', () => {
      log.endCommit();
      end();
    });
  });
}

/**
 * What `git log` prints: an empty record before each commit, then its paths, the first of which follows a line break.
 *
 *     \0 \0 \n src/a.ts \0 src/b.ts \0 \0 \0 \n README.md \0
 */
class Log {
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
    return this.#bytes < MOST_BYTES && this.weights.size < MOST_PATHS;
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
