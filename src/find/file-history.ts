/** What the commits of a log say about the files of a table: the words of their subjects, and which files go together. */
import type { CommitLog } from '../git/log.ts';
import { type Bytes, below, isBelow, lastNameOf, parentOf } from '../names/bytes.ts';
import { isCommonWord, stemOf, wordsOf } from '../protocol/words.ts';
import { each, HANDFUL, type Steps } from '../workspace/steps.ts';
import type { FileTable } from './file-table.ts';

/** The number of commits after which a commit counts half. */
const HALF_LIFE = 2000;

/** A commit to several files counts less for each. */
const SEVERAL_FILES = 3;

export class FileHistory {
  /** `files` are positions in the table. */
  readonly commits: { readonly files: readonly number[]; readonly weight: number }[] = [];
  /** The commits whose subject has a word, by its stem. */
  readonly byWord = new Map<string, number[]>();
  /** The weight of all words of the commits that touched a file. */
  readonly lengths: Float32Array;
  /** How many commits touched a file. */
  readonly counts: Uint16Array;
  /** The mean of `lengths`, over the files that have a history. */
  meanLength = 0;

  private constructor(files: number) {
    this.lengths = new Float32Array(files);
    this.counts = new Uint16Array(files);
  }

  /** Approximate bytes. */
  get size(): number {
    return 6 * this.lengths.length + 150 * this.commits.length + 100 * this.byWord.size;
  }

  /** `directory` is the path of the table's directory in the repository. */
  static *of({ paths, commits }: CommitLog, directory: Bytes, table: FileTable): Steps<FileHistory> {
    const history = new FileHistory(table.files.count);
    const positions = yield* positionsOf(paths, directory, table);
    const add = (age: number) => {
      const { subject, files } = commits[age] as CommitLog['commits'][number];
      const known = files.map((file) => positions[file] as number).filter((position) => position >= 0);
      if (known.length > 0) history.#add(subject, [...new Set(known)], files.length, age);
    };
    yield* each(commits.length, add, HANDFUL.names);
    const known = history.lengths.filter((length) => length > 0);
    history.meanLength = known.reduce((sum, length) => sum + length, 0) / Math.max(known.length, 1);
    return history;
  }

  #add(subject: string, files: readonly number[], touched: number, age: number): void {
    const weight = 2 ** (-age / HALF_LIFE) / (1 + (touched - 1) / SEVERAL_FILES);
    const telling = wordsOf(subject).filter((word) => !isCommonWord(word) && !/^\d+$/.test(word));
    const words = new Set(telling.map(stemOf));
    const number = this.commits.push({ files, weight }) - 1;
    for (const word of words) {
      const known = this.byWord.get(word) ?? [];
      if (known.push(number) === 1) this.byWord.set(word, known);
    }
    for (const file of files) {
      this.lengths[file] = (this.lengths[file] as number) + weight * words.size;
      this.counts[file] = (this.counts[file] as number) + 1;
    }
  }
}

const NONE = -1;
const SEVERAL = -2;

/** The files that the paths of a log name now; -1 for none. One that was moved is found by its last two names. */
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
  yield* each(directories.count, (i) => namesIn.push(wanted.get(table.directoryPath(i))), HANDFUL.paths);
  const find = (i: number) => {
    const parent = files.parentOf(i);
    const name = files.names.nameAt(i);
    const at = namesIn[parent]?.get(name);
    if (at !== undefined) positions[at] = i;
    const end = below(directories.names.nameAt(parent), name);
    const known = moved.get(end);
    if (known !== undefined) moved.set(end, known === NONE ? i : SEVERAL);
  };
  yield* each(files.count, find, HANDFUL.names);
  for (const [i, path] of paths.entries()) {
    const position = positions[i] === NONE ? (moved.get(endOf(path)) ?? NONE) : NONE;
    if (position >= 0) positions[i] = position;
  }
  return positions;
}

function endOf(path: Bytes): Bytes {
  return below(lastNameOf(parentOf(path)), lastNameOf(path));
}
