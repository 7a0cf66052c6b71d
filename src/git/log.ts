/** Reads the last commits of a history, bounded in commits and bytes, never in time: all of it, or nothing. */
import { type Bytes, isBelow, parentOf } from '../names/bytes.ts';
import type { StartedGit } from '../workspace/source.ts';
import { type HistoryStore, outputEnd, startGit } from './program.ts';

interface Commit {
  readonly subject: string;
  /** Indices of `paths`; empty if the commit touched too many files to say anything about one of them. */
  readonly files: readonly number[];
}

export interface CommitLog {
  /** The paths that the commits touched, relative to the root of the repository. Some may no longer exist. */
  readonly paths: readonly Bytes[];
  /** The newest is first. Merges, and commits that touched nothing, are left out. */
  readonly commits: readonly Commit[];
}

const MAX_COMMITS = 3000;
const MAX_BYTES = 4_000_000;
const TOO_MANY_FILES = 1000;
/** UTF-16 units of a subject that are kept. */
const LONGEST_SUBJECT = 300;

const ARGUMENTS = [
  // The first commit, and the only one of a shallow clone, "touches" every file.
  ...['-c', 'log.showRoot=false'],
  ...['log', `--max-count=${MAX_COMMITS}`, '--no-merges', '--no-notes', '--no-color', '--no-mailmap', '--no-decorate'],
  // Git would have to read files to find renames.
  ...['--no-renames', '--no-ext-diff', '--no-textconv', '--ignore-submodules=all', '--no-show-signature'],
  ...['-z', '--encoding=UTF-8', '--format=%x00%s', '--name-only'],
];

export interface History extends HistoryStore {
  /** Its last commit, in hexadecimal digits. */
  readonly commit: string;
  /** Starts git in an existing scratch repository of the same objects. */
  readonly start?: (words: readonly string[]) => StartedGit | null;
}

/** Resolves to null unless git reported everything. Never rejects. Git starts at once, while the descriptor is open. */
export async function readLog(history: History, signal: AbortSignal): Promise<CommitLog | null> {
  if (signal.aborted) return null;
  const parser = new LogParser();
  const words = [...ARGUMENTS, history.commit, '--'];
  try {
    const started = history.start === undefined ? startGit(words, history) : history.start(words);
    if (started === null) return null;
    const end = await outputEnd(started, (chunk) => parser.read(chunk), signal);
    // Else the last commit may be incomplete.
    if (end === 'whole') parser.endCommit();
    return end === 'whole' || end === 'enough' ? parser.log : null;
  } catch {
    return null;
  }
}

/**
 * Parses the output of `git log`: an empty record before each subject, then its paths, the first after a line break.
 *
 *     \0 Fix a \0 \n src/a.ts \0 src/b.ts \0 \0 Add docs \0 \n README.md \0
 */
class LogParser {
  readonly #paths = new Map<Bytes, number>();
  readonly #commits: Commit[] = [];
  #subject: string | null = null;
  #isSubjectNext = false;
  #touched: Bytes[] = [];
  #bytes = 0;
  #rest = '';

  get log(): CommitLog {
    return { paths: [...this.#paths.keys()], commits: this.#commits };
  }

  /** Returns false when the limit is reached. What counts is records, so it does not matter how they arrive. */
  read(chunk: Buffer): boolean {
    const records = (this.#rest + chunk.toString('latin1')).split('\0');
    this.#rest = records.pop() as string;
    for (const record of records) {
      this.#bytes += record.length + 1;
      if (this.#bytes > MAX_BYTES) break;
      this.#readRecord(record);
    }
    return this.#bytes + this.#rest.length <= MAX_BYTES;
  }

  #readRecord(record: string): void {
    if (this.#isSubjectNext) {
      this.#subject = Buffer.from(record, 'latin1').toString().slice(0, LONGEST_SUBJECT);
      this.#isSubjectNext = false;
    } else if (record === '') {
      this.endCommit();
      this.#isSubjectNext = true;
    } else {
      const isFirst = this.#touched.length === 0;
      this.#touched.push((isFirst && record.startsWith('\n') ? record.slice(1) : record) as Bytes);
    }
  }

  /** A commit counts only when its last path is known. */
  endCommit(): void {
    const touched = this.#touched;
    this.#touched = [];
    if (touched.length === 0 || this.#subject === null) return;
    const files = touched.length > TOO_MANY_FILES ? [] : touched.map((path) => this.#indexOf(path));
    this.#commits.push({ subject: this.#subject, files });
  }

  #indexOf(path: Bytes): number {
    const known = this.#paths.get(path) ?? this.#paths.size;
    this.#paths.set(path, known);
    return known;
  }
}

/** The most commits to a directory that count; by how many later ones, and how many files, a commit counts half. */
const MAX_COUNTED = 1500;
const MANY_LATER = 100;
const MANY_FILES = 16;

/**
 * Returns the fraction of recent commits that touched each path; null if none did. One to many files counts little, most of
 * all if they are in one directory: whoever needs them all finds them by opening that.
 */
export function activityIn({ paths, commits }: CommitLog, directory: Bytes): ReadonlyMap<Bytes, number> | null {
  const inside = paths.map((path) =>
    isBelow(directory, path) ? (path.slice(directory === '' ? 0 : directory.length + 1) as Bytes) : null,
  );
  const parents = inside.map((path) => path && parentOf(path));
  const weights = new Map<Bytes, number>();
  let [counted, total] = [0, 0];
  for (const { files } of commits) {
    const touched = files.filter((file) => inside[file] !== null);
    if (touched.length === 0 && directory !== '') continue;
    const weight = 1 / (1 + counted / MANY_LATER);
    total += weight;
    const each = weight / (1 + touched.length / MANY_FILES);
    const together = new Map<unknown, number>();
    for (const file of touched) together.set(parents[file], (together.get(parents[file]) ?? 0) + 1);
    for (const file of touched) {
      const path = inside[file] as Bytes;
      weights.set(path, (weights.get(path) ?? 0) + each / Math.sqrt(together.get(parents[file]) as number));
    }
    if (++counted === MAX_COUNTED) break;
  }
  if (weights.size === 0) return null;
  return new Map([...weights].map(([path, weight]) => [path, weight / total]));
}
