/** A directory of a mapped tree: its counts, its weight, and its names as far as memory allows. */
import { type Bytes, below } from '../names/bytes.ts';
import { namesOn } from '../names/paths.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { PackedNames } from './packed-names.ts';
import type { Steps } from './steps.ts';

/** More files than this are unpacked in steps. */
const LARGE = 8192;

const NO_LINKS: ReadonlySet<Bytes> = new Set();

export class Folder {
  readonly name: Bytes;
  parent: Folder | null;
  /** The worth of everything below it, by its name and those above it. */
  readonly worth: number;
  readonly folders: Folder[] = [];
  /** Perf: unpacked only when `names` is read. */
  #names: Bytes[] | PackedNames | null = null;
  links: ReadonlySet<Bytes> = NO_LINKS;
  /** The number of entries that are not directories. */
  files = 0;
  /** Their total worth, and the bytes of their names. */
  mass = 0;
  bytes = 0;
  /** The totals including everything below; set when the survey is complete. */
  filesBelow = 0;
  foldersBelow = 0;
  /** Perf: after 0, V8 would have to change each object for the first fraction; not after -0. */
  massBelow = -0;
  bytesBelow = 0;
  /** The worth that recent changes add to its files, by name; null if there are none. */
  activity: ReadonlyMap<Bytes, number> | null = null;
  /** The largest of these values. */
  mostActivity = 0;
  isUnreadable = false;
  /** True if rules hide everything in it. */
  isHiddenOnly = false;
  /** Perf: created on first use. */
  #byName: Map<Bytes, Folder> | null = null;

  constructor(name: Bytes, parent: Folder | null, worth: number) {
    this.name = name;
    this.parent = parent;
    this.worth = worth;
  }

  /** False if they were only counted. Perf: does not unpack them. */
  get hasNames(): boolean {
    return this.#names !== null || this.files === 0;
  }

  /** The entries that are not directories; null when they were only counted. */
  get names(): Bytes[] | null {
    if (this.#names !== null && 'unpacked' in this.#names) this.#names = this.#names.unpacked();
    return this.hasNames ? (this.#names ?? []) : null;
  }

  /** True if `names` would block the event loop unless `unpack` is called first. */
  get isLarge(): boolean {
    return this.files > LARGE;
  }

  *unpack(): Steps<void> {
    const names = this.#names;
    if (names !== null && 'unpacked' in names) this.#names = yield* names.unpackedInSteps();
  }

  /** Returns a membership test. If names were only counted, it accepts any. */
  *amongNames(): Steps<(name: Bytes) => boolean> {
    if (!this.hasNames) return () => true;
    if (this.isLarge) yield* this.unpack();
    const names = new Set<Bytes>();
    for (const name of this.names ?? []) {
      names.add(name);
      if (names.size % HANDFUL.entries === 0) yield;
    }
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

  /** True if it contains something that can be shown. */
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

  *folderNamed(name: Bytes): Steps<Folder | null> {
    if (this.#byName === null) {
      const byName = new Map<Bytes, Folder>();
      for (const inner of this.folders) if (byName.set(inner.name, inner).size % HANDFUL.entries === 0) yield;
      this.#byName = byName;
    }
    return this.#byName.get(name) ?? null;
  }

  /** Returns the directory at a path relative to this one; null if the survey did not find it. */
  *find(path: Bytes): Steps<Folder | null> {
    let here: Folder | null = this;
    for (const name of namesOn(path)) here = here && (yield* here.folderNamed(name));
    return here;
  }
}
