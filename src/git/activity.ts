/**
 * Finds the files that were changed recently, by git's history: they are likely to be changed again.
 *
 * `git log` runs in parallel, and what it has printed in time is used. A failure means no activity and is not reported:
 * a map is good without it.
 */
import { type Bytes, textOf } from '../names/bytes.ts';
import type { StartedGit } from '../workspace/source.ts';
import { type HistoryStore, startGit } from './program.ts';

/**
 * The fraction of recent commits that touched each path, relative to the directory. Newer commits count more, commits
 * to many files less. Some of the files may no longer exist.
 */
type Activity = ReadonlyMap<Bytes, number>;

export interface RecentActivity {
  /** Null if there is none. */
  readonly weights: Activity | null;
  /** True if git finished in time, so that the result would be the same again. */
  readonly isWhole: boolean;
}

const MAX_COMMITS = 1000;
const MAX_BYTES = 4_000_000;

/** The most paths to weigh; more would make no difference. */
const MAX_PATHS = 20_000;

/** The longest path of a directory, in bytes, that git is asked about. */
const LONGEST_PATH = 4096;

/** The number of commits after which the weight is halved. */
const HALF_LIFE = 400;

/** A commit to many files counts little for each; one to too many does not count at all. */
const MANY_FILES = 15;
const TOO_MANY_FILES = 1000;

const ARGUMENTS = [
  // The first commit, and the only one of a shallow clone, "touches" every file.
  ...['-c', 'log.showRoot=false'],
  ...['log', `--max-count=${MAX_COMMITS}`, '--no-merges', '--no-notes', '--no-color', '--no-mailmap', '--no-decorate'],
  // Git would have to read files to find renames.
  ...['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--no-show-signature'],
  ...['-z', '--format=%x00', '--name-only'],
];

export interface History extends HistoryStore {
  /** Its last commit, in hexadecimal digits. */
  readonly commit: string;
  /** Relative to the root of the repository, which is ''. */
  readonly directory: Bytes;
  /** Starts git in an existing scratch repository of the same objects. */
  readonly start?: (words: readonly string[]) => StartedGit | null;
}

export interface ActivityOptions {
  /** In milliseconds. */
  readonly timeLimit: number;
  readonly signal: AbortSignal;
}

/**
 * Resolves to the activity that was read within the time limit. Never rejects. Git is started at once, while the
 * history's descriptor is open.
 */
export async function recentActivity(history: History, options: ActivityOptions): Promise<RecentActivity> {
  const log = new Log();
  const isWhole = await readLog(history, log, options).catch(() => false);
  return { weights: log.weights.size === 0 ? null : log.parts(), isWhole };
}

/**
 * Resolves when git has ended, or was killed because it took too long, printed enough or was cancelled; to true if
 * everything needed was read.
 */
async function readLog(history: History, log: Log, { timeLimit, signal }: ActivityOptions): Promise<boolean> {
  const { commit, directory } = history;
  const inside = textOf(directory);
  if (inside === null || directory.length > LONGEST_PATH || signal.aborted) return false;
  const paths = inside === '' ? [commit, '--'] : [`--relative=${inside}/`, commit, '--', `:(literal)${inside}`];
  const words = [...ARGUMENTS, ...paths];
  const started = history.start === undefined ? startGit(words, history) : history.start(words);
  if (started === null) return false;
  const { git } = started;
  return new Promise((resolve) => {
    const end = (isWhole: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
      started.end();
      git.stdout.destroy();
      resolve(isWhole);
    };
    const giveUp = () => end(false);
    const timer = setTimeout(giveUp, timeLimit);
    signal.addEventListener('abort', giveUp);
    git.on('error', giveUp);
    git.stdout.on('error', giveUp);
    git.stdout.on('data', (chunk: Buffer) => {
      if (!log.read(chunk)) end(true);
    });
    git.stdout.on('end', () => {
      log.endCommit();
      end(true);
    });
  });
}

/**
 * Parses the output of `git log`: an empty record before each commit, then its paths, the first after a line break.
 *
 *     \0 \0 \n src/a.ts \0 src/b.ts \0 \0 \0 \n README.md \0
 */
class Log {
  readonly weights = new Map<Bytes, number>();
  #paths: Bytes[] = [];
  #commits = 0;
  /** The weight of all commits. */
  #total = 0;
  #bytes = 0;
  /** The start of an incomplete path. */
  #rest = '';

  parts(): Activity {
    return new Map([...this.weights].map(([path, weight]) => [path, weight / this.#total]));
  }

  /** Returns false when no more is needed. */
  read(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    const records = (this.#rest + chunk.toString('latin1')).split('\0');
    this.#rest = records.pop() as string;
    for (const record of records) this.#readRecord(record);
    return this.#bytes < MAX_BYTES && this.weights.size < MAX_PATHS;
  }

  #readRecord(record: string): void {
    if (record === '') {
      this.endCommit();
    } else {
      const isFirst = this.#paths.length === 0;
      const path = isFirst && record.startsWith('\n') ? record.slice(1) : record;
      this.#paths.push(path as Bytes);
    }
  }

  /** A commit counts only when its last path is known. */
  endCommit(): void {
    const paths = this.#paths;
    if (paths.length === 0) return;
    this.#paths = [];
    const weight = 2 ** (-this.#commits / HALF_LIFE);
    this.#commits += 1;
    this.#total += weight;
    if (paths.length > TOO_MANY_FILES) return;
    const each = weight / (1 + paths.length / MANY_FILES);
    for (const path of paths) this.weights.set(path, (this.weights.get(path) ?? 0) + each);
  }
}
