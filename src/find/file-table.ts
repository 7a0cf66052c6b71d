/** All files below a directory, as a walk finds them, and what the rules hid on the way: the data of every search there. */
import type { Level, WalkSink } from '../listing/walk-plan.ts';
import { type Bytes, below } from '../names/bytes.ts';
import { kindOfDirectory, kindOfFile } from '../names/kind.ts';
import { afterwards, type Scope, type Verdict } from '../rules/rule.ts';
import { EntryBuffer, grown } from '../workspace/reader.ts';
import { each, type Steps } from '../workspace/steps.ts';
import { NameIndex } from './name-index.ts';

/** Entries of many directories: names, types, and the directory of each. */
export class EntryList {
  readonly names = new EntryBuffer();
  readonly index = new NameIndex();
  #parents = new Uint32Array(64);

  get count(): number {
    return this.names.count;
  }

  add({ bytes, starts, ends, types }: EntryBuffer, at: number, parent: number): void {
    this.names.addPart(bytes, starts[at] as number, ends[at] as number, types[at] as number);
    const { length } = this.#parents;
    if (this.count > length) this.#parents = grown(this.#parents, new Uint32Array(2 * length));
    this.#parents[this.count - 1] = parent;
  }

  parentOf(entry: number): number {
    return this.#parents[entry] as number;
  }

  get size(): number {
    return this.names.bytes.length + 13 * this.#parents.length + this.index.size;
  }

  /** Makes the names searchable. */
  makeIndex(): Steps<void> {
    const { bytes, starts, ends } = this.names;
    return each(this.count, (i) => this.index.add(bytes, starts[i] as number, ends[i] as number));
  }
}

export class FileTable implements WalkSink {
  /** The first is the searched directory itself, without a name. A directory comes before those in it. */
  readonly directories = new EntryList();
  readonly files = new EntryList();
  /** What the rules hid, and which of `rules` did. */
  readonly hidden = new EntryList();
  readonly hiddenBy: number[] = [];
  readonly rules: Verdict[] = [];
  /** What each file is: source, or something that a search shows after it. */
  kinds = new Uint8Array(0);
  /** Positions in `directories` by path, until the walk has ended. */
  readonly #numbers = new Map<Bytes, number>();
  readonly #rules = new Map<string, number>();

  constructor() {
    const root = new EntryBuffer(8, 1);
    root.add('' as Bytes, 'dir');
    this.directories.add(root, 0, 0);
    this.#numbers.set('' as Bytes, 0);
  }

  take({ path, entries }: Level, from: number, to: number): void {
    const parent = this.#numbers.get(path) as number;
    for (let i = from; i < to; i++) {
      if (!entries.isDirectory(i)) this.files.add(entries, i, parent);
      else {
        this.#numbers.set(below(path, entries.nameAt(i)), this.directories.count);
        this.directories.add(entries, i, parent);
      }
    }
  }

  /** Wraps the rules of a directory, so that what they hide is noted here. `path` is relative to the searched one. */
  noting(scope: Scope, path = '' as Bytes): Scope {
    const noted = (entries: EntryBuffer, at: number) => {
      const verdict = scope.judge(entries, at);
      // Git's own directory is never shown, so nobody needs to know the rule.
      if (verdict?.hidden && verdict.by !== 'builtin') this.#note(verdict, entries, at, path);
      return verdict;
    };
    return {
      judge: noted,
      isWorktree: scope.isWorktree ?? false,
      // What passed is kept by levels under this key, and must not be shared: nothing would be noted then.
      key: () => `noted ${scope.key()}`,
      filters: () => scope.filters?.() ?? null,
      enter: (name, place, isShown) =>
        afterwards(scope.enter(name, place, isShown), (inner) => this.noting(inner, below(path, name))),
    };
  }

  #note(verdict: Verdict, entries: EntryBuffer, at: number, path: Bytes): void {
    const { by, source, line, pattern } = verdict;
    const key = JSON.stringify([by, source, line, pattern]);
    const rule = this.#rules.get(key) ?? this.rules.push(verdict) - 1;
    this.#rules.set(key, rule);
    this.hidden.add(entries, at, this.#numbers.get(path) as number);
    this.hiddenBy.push(rule);
  }

  /** Prepares the search, after the walk. */
  *finish(): Steps<void> {
    this.#numbers.clear();
    this.#rules.clear();
    const { directories, files, hidden } = this;
    for (const list of [directories, files, hidden]) yield* list.makeIndex();
    const kinds = new Uint8Array(directories.count);
    yield* each(directories.count, (i) => {
      kinds[i] = kinds[directories.parentOf(i)] || kindOfDirectory(directories.names.nameAt(i));
    });
    this.kinds = new Uint8Array(files.count);
    yield* each(files.count, (i) => {
      this.kinds[i] = kinds[files.parentOf(i)] || kindOfFile(files.names.nameAt(i));
    });
  }

  get size(): number {
    const lists = [this.directories, this.files, this.hidden];
    return lists.reduce((sum, { size }) => sum + size, this.kinds.length + 8 * this.hiddenBy.length);
  }

  /** The path of a directory, relative to the searched one. */
  directoryPath(directory: number): Bytes {
    const names: Bytes[] = [];
    for (let at = directory; at > 0; at = this.directories.parentOf(at)) names.push(this.directories.names.nameAt(at));
    return names.reverse().join('/') as Bytes;
  }

  /** The number of directories that a file lies in, below the searched one. */
  depthOf(file: number): number {
    let depth = 0;
    for (let at = this.files.parentOf(file); at > 0; at = this.directories.parentOf(at)) depth++;
    return depth;
  }

  /** The path of a file, or of an entry of another list. */
  pathOf(entry: number, list = this.files): Bytes {
    return below(this.directoryPath(list.parentOf(entry)), list.names.nameAt(entry));
  }
}
