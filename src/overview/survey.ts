/**
 * Collects every directory below the listed one and its contents, before a map is planned. Names are kept up to a limit;
 * beyond it, files are only counted, and their names are read again in the rare case that the map shows them.
 */
import type { Unreadable } from '../listing/query.ts';
import type { FormBelow, Level, WalkSink } from '../listing/walk-plan.ts';
import { type Bytes, below, isBelow, lastNameOf, parentOf } from '../names/bytes.ts';
import { MIN_WORTH, worthOfDirectory, worthOfEntry } from '../names/kind.ts';
import { namesOn } from '../names/paths.ts';
import { EntryBuffer, FILE, LINK } from '../workspace/reader.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { endOf, isPrefix, typeOf } from '../workspace/subtree.ts';
import { Folder } from './folder.ts';
import { PackedNames } from './packed-names.ts';
import { allBelow, type Steps } from './steps.ts';

/** The most names kept, about 10 MB. Those of the listed directory are always kept. */
const MAX_NAMES = 200_000;

/** The worth of a directory without contents. It is small, so that such names are shown only if there is room. */
const BARE = 1 / 16;

export class Survey implements WalkSink {
  readonly root = new Folder('' as Bytes, null, 1);
  /** The directories from the root down to the one that was emitted last. */
  readonly #way: Step[];
  readonly #mostNames: number;
  readonly #store = new EntryBuffer();
  #kept = 0;

  constructor(mostNames = MAX_NAMES) {
    this.#mostNames = mostNames;
    this.#way = [{ path: '' as Bytes, folder: this.root, names: null }];
  }

  take(level: Level, from: number, to: number): void {
    const step = this.#stepAt(level.path);
    const { entries } = level;
    for (let i = from; i < to; i++) {
      const isDirectory = entries.isDirectory(i);
      if (isDirectory || entries.codeAt(i) === LINK) this.#addNamed(step, entries.nameAt(i), isDirectory);
      if (!isDirectory) this.#addFile(step, entries.bytes, entries.starts[i] as number, entries.ends[i] as number);
    }
  }

  formBelow(path: Bytes): FormBelow {
    return { prefix: below(path, '' as Bytes), end: null, takesAnyName: true };
  }

  takeLines(lines: Uint8Array, index: Uint32Array): void {
    const { buffer, byteOffset, length } = lines;
    const bytes = Buffer.from(buffer, byteOffset, length);
    let step = this.#way[0] as Step;
    let start = 0;
    for (let i = 0; i < index.length; i++) {
      const word = index[i] as number;
      const end = endOf(word);
      if (isPrefix(word)) step = this.#stepAt(bytes.toString('latin1', start, end - 1) as Bytes);
      else {
        const type = typeOf(word);
        if (type === 'dir' || type === 'link')
          this.#addNamed(step, bytes.toString('latin1', start, end) as Bytes, type === 'dir');
        if (type !== 'dir') this.#addFile(step, bytes, start, end);
      }
      start = end;
    }
  }

  #addNamed({ folder }: Step, name: Bytes, isDirectory: boolean): void {
    if (isDirectory) enterFolder(folder, name);
    else folder.addLink(name);
  }

  #addFile(step: Step, bytes: Uint8Array, start: number, end: number): void {
    const { folder } = step;
    // Once some names of a directory are kept, all are: a map would otherwise show a part as if it were everything.
    if (folder.files === 0 && (this.#kept < this.#mostNames || folder === this.root)) {
      step.names = new PackedNames(this.#store);
      folder.names = step.names;
    }
    folder.files++;
    folder.bytes += end - start;
    folder.mass += folder.worth * worthOfEntry(bytes, start, end);
    if (step.names === null) return;
    this.#store.addPart(bytes, start, end, FILE);
    step.names.add(this.#store.count - 1);
    this.#kept++;
  }

  /** Computes the totals after the walk. Parents come before their contents, so they are added up in reverse order. */
  *finish(
    unreadable: readonly Unreadable[],
    hiddenOnly: readonly Bytes[] = [],
    worktrees: readonly Bytes[] = [],
  ): Steps<void> {
    const marks = [
      ...unreadable.map(({ path }) => ({ path, mark: 'isUnreadable' as const })),
      ...hiddenOnly.map((path) => ({ path, mark: 'isHiddenOnly' as const })),
    ];
    for (const [i, { path, mark }] of marks.entries()) {
      let folder = this.root;
      for (const name of namesOn(path)) folder = (yield* folder.folderNamed(name)) ?? enterFolder(folder, name);
      folder[mark] = true;
      if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    }
    yield* this.#closeAround(worktrees);
    const all = yield* allBelow(this.root, ({ folders }) => folders);
    for (let i = all.length - 1; i >= 0; i--) {
      addUp(all[i] as Folder);
      if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    }
  }

  /** Closes directories that contain nothing but worktrees: the map does not grow with their number. */
  *#closeAround(worktrees: readonly Bytes[]): Steps<void> {
    const all = new Set<Folder | null>();
    for (const path of worktrees) all.add(yield* this.root.find(path));
    for (const parent of new Set([...all].map((one) => one?.parent))) {
      if (!parent?.parent || parent.files > 0 || !parent.folders.every((inner) => all.has(inner))) continue;
      parent.folders.length = 0;
      parent.isHiddenOnly = true;
    }
  }

  /** Adds worth to recently changed paths, in proportion to their activity: `times` the worth of all names in total. */
  *weigh(activity: ReadonlyMap<Bytes, number>, times: number): Steps<void> {
    const scale = times * this.root.massBelow;
    let looked = 0;
    for (const [path, worths] of byDirectory(activity)) {
      const folder = yield* this.root.find(path);
      if (folder === null) continue;
      looked += 1 + worths.size + folder.files;
      if (looked > HANDFUL.names) {
        looked = 0;
        yield undefined;
      }
      const hasName = yield* folder.amongNames();
      let gained = 0;
      folder.activity = worths;
      for (const [name, weight] of worths) {
        const worth = exact(weight * scale);
        worths.set(name, worth);
        folder.mostActivity = Math.max(folder.mostActivity, worth);
        if (hasName(name)) gained += worth;
      }
      for (let above: Folder | null = folder; above !== null; above = above.parent) above.massBelow += gained;
    }
  }

  #stepAt(path: Bytes): Step {
    const way = this.#way;
    let last = way.at(-1) as Step;
    while (last.path !== path && !isBelow(last.path, path)) {
      way.pop();
      last = way.at(-1) as Step;
    }
    if (last.path === path) return last;
    let { folder } = last;
    for (const name of namesOn(path.slice(last.path === '' ? 0 : last.path.length + 1) as Bytes)) {
      // A directory is emitted right before it is entered, unless only something inside it is selected.
      const newest = folder.folders.at(-1);
      folder = newest?.name === name ? newest : enterFolder(folder, name);
    }
    const step = { path, folder, names: null };
    way.push(step);
    return step;
  }
}

/** Collects the names of a directory that was only counted before, and corrects the counts if it has changed since. */
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

/** Rounds to so few binary digits that sums are exact, in whatever order the disk lists the names. */
function exact(worth: number): number {
  return Math.round(worth * 1024) / 1024;
}

interface Step {
  readonly path: Bytes;
  readonly folder: Folder;
  /** The store of its names; null while they are only counted. */
  names: PackedNames | null;
}

function enterFolder(folder: Folder, name: Bytes): Folder {
  return folder.add(new Folder(name, folder, Math.max(folder.worth * worthOfDirectory(name), MIN_WORTH)));
}

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
  folder.filesBelow = folder.files;
  folder.massBelow = folder.files + folder.folders.length === 0 ? folder.worth * BARE : folder.mass;
  folder.foldersBelow = folder.folders.length;
  folder.bytesBelow = folder.bytes;
  for (const inner of folder.folders) {
    folder.filesBelow += inner.filesBelow;
    folder.massBelow += inner.massBelow;
    folder.foldersBelow += inner.foldersBelow;
    folder.bytesBelow += inner.bytesBelow + inner.name.length;
  }
}
