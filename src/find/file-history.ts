/** What the commits of a log say about the files of a table: the words of their subjects, and which files go together. */
import type { CommitLog } from '../git/log.ts';
import { type Bytes, below, isBelow, lastNameOf, parentOf } from '../names/bytes.ts';
import { isCommonWord, stemOf, wordsOf } from '../protocol/words.ts';
import { HANDFUL, type Steps } from '../workspace/steps.ts';
import type { FileTable } from './file-table.ts';

/** The number of commits after which a commit counts half. */
const HALF_LIFE = 2000;

/** A commit to several files counts less for each. */
const SEVERAL_FILES = 3;

interface FileCommit {
  /** Positions in the table. */
  readonly files: readonly number[];
  readonly weight: number;
}

export class FileHistory {
  readonly commits: FileCommit[] = [];
  /** The commits whose subject has a word, by its stem. */
  readonly byWord = new Map<string, number[]>();
  /** The weight of all words of the commits that touched a file. */
  readonly lengths: Float32Array;
  /** How many commits touched a file. */
  readonly counts: Uint16Array;
  /** The mean of `lengths`, over the files that have a history. */
  #meanLength = 0;

  private constructor(files: number) {
    this.lengths = new Float32Array(files);
    this.counts = new Uint16Array(files);
  }

  /** Approximate bytes. */
  get size(): number {
    return 6 * this.lengths.length + 150 * this.commits.length + 100 * this.byWord.size;
  }

  get meanLength(): number {
    return this.#meanLength;
  }

  /** `directory` is the path of the table's directory in the repository. */
  static *of({ paths, commits }: CommitLog, directory: Bytes, table: FileTable): Steps<FileHistory> {
    const history = new FileHistory(table.files.count);
    const positions = yield* positionsOf(paths, directory, table);
    for (const [age, { subject, files }] of commits.entries()) {
      const known = files.map((file) => positions[file] as number).filter((position) => position >= 0);
      if (known.length > 0) history.#add(subject, [...new Set(known)], files.length, age);
      if (age % HANDFUL.names === HANDFUL.names - 1) yield;
    }
    let [sum, count] = [0, 0];
    for (const length of history.lengths) {
      sum += length;
      if (length > 0) count++;
    }
    history.#meanLength = sum / Math.max(count, 1);
    return history;
  }

  #add(subject: string, files: readonly number[], touched: number, age: number): void {
    const weight = 2 ** (-age / HALF_LIFE) / (1 + (touched - 1) / SEVERAL_FILES);
    const words = new Set(
      wordsOf(subject)
        .filter((word) => !isCommonWord(word) && !/^\d+$/.test(word))
        .map(stemOf),
    );
    const number = this.commits.push({ files, weight }) - 1;
    for (const word of words) {
      const known = this.byWord.get(word);
      if (known === undefined) this.byWord.set(word, [number]);
      else known.push(number);
    }
    for (const file of files) {
      this.lengths[file] = (this.lengths[file] as number) + weight * words.size;
      this.counts[file] = (this.counts[file] as number) + 1;
    }
  }
}

const NONE = -1;
const SEVERAL = -2;

/**
 * Finds the files that the paths of a log name now; -1 for those that are gone. A file that was moved together with its
 * directory is found by the two names at the end of its path, if no other file ends with them.
 */
function* positionsOf(paths: readonly Bytes[], directory: Bytes, table: FileTable): Steps<Int32Array> {
  const inside = directory === '' ? '' : `${directory}/`;
  const wanted = new Map<Bytes, Map<Bytes, number>>();
  const moved = new Map<Bytes, number>();
  for (const [i, path] of paths.entries()) {
    moved.set(endOf(path), NONE);
    if (!isBelow(directory, path)) continue;
    const own = path.slice(inside.length) as Bytes;
    const names = wanted.get(parentOf(own)) ?? new Map<Bytes, number>();
    wanted.set(parentOf(own), names.set(lastNameOf(own), i));
  }
  const positions = new Int32Array(paths.length).fill(NONE);
  const { files, directories } = table;
  const namesIn: (Map<Bytes, number> | undefined)[] = [];
  for (let i = 0; i < directories.count; i++) {
    namesIn.push(wanted.get(table.directoryPath(i)));
    if (i % HANDFUL.paths === HANDFUL.paths - 1) yield;
  }
  for (let i = 0; i < files.count; i++) {
    const parent = files.parentOf(i);
    const name = files.names.nameAt(i);
    const at = namesIn[parent]?.get(name);
    if (at !== undefined) positions[at] = i;
    const end = below(directories.names.nameAt(parent), name);
    const known = moved.get(end);
    if (known !== undefined) moved.set(end, known === NONE ? i : SEVERAL);
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
  }
  for (const [i, path] of paths.entries()) {
    const position = positions[i] === NONE ? (moved.get(endOf(path)) ?? NONE) : NONE;
    if (position >= 0) positions[i] = position;
  }
  return positions;
}

function endOf(path: Bytes): Bytes {
  return below(lastNameOf(parentOf(path)), lastNameOf(path));
}
