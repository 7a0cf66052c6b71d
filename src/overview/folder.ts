/** A directory of a mapped tree: counted, weighed, and with its names as far as memory allows. */
import { type Bytes, below } from '../workspace/bytes.ts';
import { namesOn } from '../workspace/paths.ts';
import type { PackedNames } from './packed-names.ts';

/** Among more directories, a name is looked up in a map. */
const LINEAR_SEARCH_LIMIT = 16;

/** Names that are searched for in all names of a directory at once. */
const FEW_SEARCHES = 16;

const NO_LINKS: ReadonlySet<Bytes> = new Set();

export class Folder {
  readonly name: Bytes;
  parent: Folder | null;
  /** The worth of everything below it, by its name and those above it. */
  readonly worth: number;
  readonly folders: Folder[] = [];
  /** Perf: what becomes of it is `names`, if somebody asks. */
  #names: Bytes[] | PackedNames | null = null;
  links: ReadonlySet<Bytes> = NO_LINKS;
  /** The number of these entries. */
  files = 0;
  /** Their worth together. */
  mass = 0;
  /** The same including everything below; known when the survey is complete. */
  filesBelow = 0;
  foldersBelow = 0;
  massBelow = 0;
  /** What recent changes add to the worth of its files, by name; null if there are none. */
  activity: ReadonlyMap<Bytes, number> | null = null;
  /** The most that they add to one of them. */
  mostActivity = 0;
  isUnreadable = false;
  /** Perf: made when it is first needed. */
  #byName: Map<Bytes, Folder> | null = null;

  constructor(name: Bytes, parent: Folder | null, worth: number) {
    this.name = name;
    this.parent = parent;
    this.worth = worth;
  }

  /** The entries that are not directories; null when they were only counted. */
  get names(): Bytes[] | null {
    if (this.#names !== null && 'unpacked' in this.#names) this.#names = this.#names.unpacked();
    return this.#names;
  }

  /** Tells which names are among them, about `times` times; all may be where they were only counted. */
  amongNames(times: number): (name: Bytes) => boolean {
    if (this.#names === null) return () => true;
    // Perf: to search a text a few times takes less than to make a text of each name.
    if ('unpacked' in this.#names && times <= FEW_SEARCHES) {
      const { text } = this.#names;
      return (name) => text.includes(`\0${name}\0`);
    }
    const names = new Set(this.names);
    return (name) => names.has(name);
  }

  set names(names: Bytes[] | PackedNames | null) {
    this.#names = names;
  }

  /** Relative to the listed directory, which is ''. */
  get path(): Bytes {
    let path = this.name;
    for (let above = this.parent; above !== null && above.parent !== null; above = above.parent) {
      path = below(above.name, path);
    }
    return path;
  }

  get isEmpty(): boolean {
    return this.files === 0 && this.folders.length === 0 && !this.isUnreadable;
  }

  /** Whether it holds something that can be shown. */
  get hasContents(): boolean {
    return !this.isEmpty && !this.isUnreadable;
  }

  /** Its only entry, if that is a directory. */
  get onlyFolder(): Folder | null {
    return this.files === 0 && this.folders.length === 1 ? (this.folders[0] as Folder) : null;
  }

  addLink(name: Bytes): void {
    if (this.links === NO_LINKS) this.links = new Set();
    (this.links as Set<Bytes>).add(name);
  }

  add(inner: Folder): Folder {
    this.folders.push(inner);
    this.#byName?.set(inner.name, inner);
    return inner;
  }

  /** Puts one of the same name in the place of the last. */
  replaceLast(inner: Folder): void {
    inner.parent = this;
    this.folders[this.folders.length - 1] = inner;
    this.#byName?.set(inner.name, inner);
  }

  folderNamed(name: Bytes): Folder | null {
    if (this.folders.length <= LINEAR_SEARCH_LIMIT) return this.folders.find((inner) => inner.name === name) ?? null;
    this.#byName ??= new Map(this.folders.map((inner) => [inner.name, inner]));
    return this.#byName.get(name) ?? null;
  }

  /** Returns the directory at a path relative to this one; null when the survey did not meet it. */
  find(path: Bytes): Folder | null {
    let here: Folder | null = this;
    for (const name of namesOn(path)) here = here?.folderNamed(name) ?? null;
    return here;
  }
}
