/** A directory of the tree that a map is drawn of: counted, weighed, and as far as memory allows with its names. */
import { type Bytes, below } from '../workspace/bytes.ts';

/** Directories in one among which a name is looked for one by one. */
const FEW = 16;

const NO_LINKS: ReadonlySet<Bytes> = new Set();

export class Folder {
  readonly name: Bytes;
  readonly parent: Folder | null;
  /** What everything below it is worth, because of its name and those above it. */
  readonly worth: number;
  readonly folders: Folder[] = [];
  /** Whatever is no directory; null where it was only counted. */
  names: Bytes[] | null = null;
  links: ReadonlySet<Bytes> = NO_LINKS;
  /** How many of them there are, and the characters of their names. */
  files = 0;
  characters = 0;
  /** The worth of all of them. */
  mass = 0;
  /** The same with everything below; known when the survey is complete. */
  filesBelow = 0;
  foldersBelow = 0;
  massBelow = 0;
  /** Recent changes of its files, by name; null where there were none. */
  activity: Map<Bytes, number> | null = null;
  isUnreadable = false;
  /** Perf: made when one of many is asked for by name. */
  #byName: Map<Bytes, Folder> | null = null;

  constructor(name: Bytes, parent: Folder | null, worth: number) {
    this.name = name;
    this.parent = parent;
    this.worth = worth;
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

  /** What it contains, if that is one directory and nothing else. */
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

  /** The directory in this one that has the name. */
  folderNamed(name: Bytes): Folder | null {
    if (this.folders.length <= FEW) return this.folders.find((inner) => inner.name === name) ?? null;
    this.#byName ??= new Map(this.folders.map((inner) => [inner.name, inner]));
    return this.#byName.get(name) ?? null;
  }

  /** The directory at a path relative to this one; null when it was not met. */
  find(path: Bytes): Folder | null {
    let here: Folder | null = this;
    for (const name of path === '' ? [] : path.split('/')) here = here?.folderNamed(name as Bytes) ?? null;
    return here;
  }
}
