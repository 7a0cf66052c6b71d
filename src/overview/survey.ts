/**
 * The walk before a map: every directory below the listed one with what it holds. Names are kept as long as there are
 * not too many; what a budget can never show is counted, and read again in the rare case that it is shown after all.
 */
import type { Unreadable } from '../listing/query.ts';
import type { Level, WalkSink } from '../listing/walk-plan.ts';
import { type Bytes, below, isBelow, lastNameOf, parentOf } from '../workspace/bytes.ts';
import { namesOn } from '../workspace/paths.ts';
import { LINK } from '../workspace/reader.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { Folder } from './folder.ts';
import { NameStore, PackedNames } from './packed-names.ts';
import { allBelow, type Steps } from './steps.ts';
import { LEAST_WORTH, worthOfDirectory, worthOfEntry } from './worth.ts';

/** Names that are kept; about 10 MB of them. Those of the listed directory are kept in any case. */
const MOST_NAMES = 200_000;

/** Bytes that a directory takes, about, with a few names that were looked at. */
const BYTES_OF_FOLDER = 700;

/** Bytes of names for each that is kept, beyond which most are no longer those of an entry. */
const WORN = 64;

export class Survey implements WalkSink {
  readonly root = new Folder('' as Bytes, null, 1);
  /** The directories from the root down to the one that was told of last. */
  readonly #way: Step[];
  readonly #mostNames: number;
  readonly #store: NameStore;
  #kept = 0;

  /** `before` is a survey of the same directory, of which some may be given again. It cannot be used any more then. */
  constructor(mostNames = MOST_NAMES, before: Survey | null = null) {
    this.#mostNames = mostNames;
    this.#store = before === null ? new NameStore() : before.#store;
    this.#way = [{ level: null, path: '' as Bytes, folder: this.root, names: null, before: before?.root ?? null }];
  }

  /** Bytes, about, that it takes. */
  get bytes(): number {
    return this.#store.size + BYTES_OF_FOLDER * this.root.foldersBelow;
  }

  /** Whether most of the names that it holds are those of directories that have changed since. */
  get isWorn(): boolean {
    return this.#store.used > WORN * (this.#kept + 1);
  }

  take(level: Level, from: number, to: number): void {
    const step = this.#stepAt(level);
    const { folder } = step;
    const { entries } = level;
    // A directory that was begun to be kept is kept whole, or what is shown of it would seem to be all.
    if (folder.files === 0 && (this.#kept < this.#mostNames || folder === this.root)) {
      step.names = new PackedNames(this.#store);
      folder.names = step.names;
    }
    const { names } = step;
    const start = this.#store.used;
    for (let i = from; i < to; i++) {
      if (entries.isDirectory(i)) {
        enterFolder(folder, entries.nameAt(i));
        continue;
      }
      folder.files++;
      folder.mass += folder.worth * worthOfEntry(entries.bytes, entries.starts[i] as number, entries.ends[i] as number);
      if (entries.codeAt(i) === LINK) folder.addLink(entries.nameAt(i));
      if (names === null) continue;
      this.#store.add(entries, i);
      this.#kept++;
    }
    names?.add(start, this.#store.used);
  }

  reuse(level: Level, name: Bytes): void {
    const { folder, before } = this.#stepAt(level);
    const inner = before?.folderNamed(name) as Folder;
    // It was told right before.
    folder.replaceLast(inner);
    this.#kept += inner.filesBelow;
  }

  /** Adds up, once everything was told. Directories come before what they contain, so the way back adds inner ones first. */
  *finish(unreadable: readonly Unreadable[]): Steps<void> {
    for (const [i, { path }] of unreadable.entries()) {
      let folder = this.root;
      for (const name of namesOn(path)) folder = folder.folderNamed(name) ?? enterFolder(folder, name);
      folder.isUnreadable = true;
      if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    }
    const all = yield* allBelow(this.root, ({ folders }) => folders);
    for (const [i, folder] of all.reverse().entries()) {
      addUp(folder);
      if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    }
  }

  /**
   * Makes recent changes count, each path by its part of them. All together they are worth `times` as much as everything
   * is by its name. What was not met is no longer there.
   */
  *weigh(activity: ReadonlyMap<Bytes, number>, times: number): Steps<void> {
    const scale = times * this.root.massBelow;
    let looked = 0;
    for (const [path, worths] of byDirectory(activity)) {
      const folder = this.root.find(path);
      if (folder === null) continue;
      looked += 1 + worths.size + folder.files;
      if (looked > HANDFUL.names) {
        looked = 0;
        yield undefined;
      }
      const hasName = folder.amongNames(worths.size);
      let gained = 0;
      for (const [name, weight] of worths) {
        const worth = exact(weight * scale);
        worths.set(name, worth);
        if (hasName(name)) gained += worth;
      }
      setActivity(folder, worths, gained);
    }
  }

  /** Makes files count by what `worthOf` gives for their paths, as far as their names are kept. */
  *favour(worthOf: (path: Bytes) => number): Steps<void> {
    for (const folder of yield* allBelow(this.root, ({ folders }) => folders)) {
      const worths = new Map(folder.activity);
      let gained = 0;
      for (const [j, name] of (folder.names ?? []).entries()) {
        const worth = worthOf(below(folder.path, name)) * factorOf(worths.get(name) ?? 0);
        worths.set(name, worth);
        gained += worth - (folder.activity?.get(name) ?? 0);
        if (j % HANDFUL.names === HANDFUL.names - 1) yield;
      }
      setActivity(folder, worths, gained);
      yield;
    }
  }

  #stepAt(level: Level): Step {
    const way = this.#way;
    const { path } = level;
    let last = way.at(-1) as Step;
    while (last.level !== level && !isBelow(last.path, path)) {
      way.pop();
      last = way.at(-1) as Step;
    }
    if (last.level === level) return last;
    let { folder, before } = last;
    for (const name of namesOn(path.slice(last.path === '' ? 0 : last.path.length + 1) as Bytes)) {
      // It was told right before it was entered; or it was not, because only something that it contains is selected.
      const told = folder.folders.at(-1);
      folder = told?.name === name ? told : enterFolder(folder, name);
      before = before?.folderNamed(name) ?? null;
    }
    const step = { level, path, folder, names: null, before };
    way.push(step);
    return step;
  }
}

/** Takes the names of one directory that was only counted before, and corrects the numbers if it has changed since. */
export class NamesOfOne implements WalkSink {
  readonly #folder: Folder;
  readonly #names: Bytes[] = [];

  constructor(folder: Folder) {
    this.#folder = folder;
  }

  take({ entries }: Level, from: number, to: number): void {
    for (const [i, name] of entries.namesOf(from, to).entries()) {
      if (entries.isDirectory(from + i)) continue;
      this.#names.push(name);
      if (entries.codeAt(from + i) === LINK) this.#folder.addLink(name);
    }
  }

  finish(): void {
    const more = this.#names.length - this.#folder.files;
    this.#folder.names = this.#names;
    this.#folder.files += more;
    for (let above: Folder | null = this.#folder; above !== null; above = above.parent) above.filesBelow += more;
  }
}

/** With so few binary digits that sums are exact, whatever the order in which a disk has told the names. */
function exact(worth: number): number {
  return Math.round(worth * 1024) / 1024;
}

interface Step {
  readonly level: Level | null;
  readonly path: Bytes;
  readonly folder: Folder;
  /** Where its names are kept; null while they are only counted. */
  names: PackedNames | null;
  /** What it was in the survey before; null where there is none. */
  readonly before: Folder | null;
}

function enterFolder(folder: Folder, name: Bytes): Folder {
  return folder.add(new Folder(name, folder, Math.max(folder.worth * worthOfDirectory(name), LEAST_WORTH)));
}

/** The weights of each directory's files. */
function byDirectory(activity: ReadonlyMap<Bytes, number>): Map<Bytes, Map<Bytes, number>> {
  const directories = new Map<Bytes, Map<Bytes, number>>();
  for (const [path, weight] of activity) {
    const directory = parentOf(path);
    const weights = directories.get(directory) ?? new Map<Bytes, number>();
    weights.set(lastNameOf(path), weight);
    directories.set(directory, weights);
  }
  return directories;
}

function addUp(folder: Folder): void {
  folder.activity = null;
  folder.mostActivity = 0;
  folder.filesBelow = folder.files;
  folder.massBelow = folder.mass;
  folder.foldersBelow = folder.folders.length;
  for (const inner of folder.folders) {
    folder.filesBelow += inner.filesBelow;
    folder.massBelow += inner.massBelow;
    folder.foldersBelow += inner.foldersBelow;
  }
}

/** `gained` is what they add to the worth of all its files. */
function setActivity(folder: Folder, worths: ReadonlyMap<Bytes, number>, gained: number): void {
  folder.activity = worths;
  folder.mostActivity = 0;
  for (const worth of worths.values()) folder.mostActivity = Math.max(folder.mostActivity, worth);
  for (let above: Folder | null = folder; above !== null; above = above.parent) above.massBelow += gained;
}

/** What recent changes multiply the worth of a match by: a power of two, so that sums are exact. */
function factorOf(activity: number): number {
  return activity <= 0 ? 1 : 2 ** Math.min(Math.max(Math.ceil(Math.log2(activity)) + CHANGED, 1), MOST_CHANGED);
}

const CHANGED = 2;
const MOST_CHANGED = 6;
