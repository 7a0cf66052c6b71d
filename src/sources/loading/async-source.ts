/** A source backed by an asynchronous tree. Levels, entries and files are loaded on demand. */
import { type Bytes, below } from '../../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../names/paths.ts';
import type { DirectoryReader, EntryType } from '../../workspace/reader.ts';
import type { Identity, LookupResult, Metadata, Source, SourceDirectory, Stamp } from '../../workspace/source.ts';
import { newDevice, SkippedFile } from '../../workspace/source.ts';
import type { AsyncEntry, AsyncTree } from './async-tree.ts';
import { CallLoads, gateOf, remembering } from './call-loads.ts';
import { mayHold } from './usable-names.ts';

/** Options of `asyncSource`. */
export interface AsyncSourceOptions {
  /**
   * Milliseconds for which later calls may reuse what was loaded.
   * @default 0, or no limit if the tree has a revision
   */
  readonly maxAge?: number | undefined;
}

const AT_A_TIME = 8;
/** Walks of fewer levels list each directory instead of loading the subtree at once. */
const LEVELS_OF_WALK = 3;

/** Makes a source of an asynchronous tree. Nothing is requested from the tree before it is needed. */
export function asyncSource(tree: AsyncTree, options: AsyncSourceOptions = {}): Source {
  const { realPath, aliases = [], pathStyle = 'posix', revision, repository, concurrency = AT_A_TIME } = tree;
  const maxAge = options.maxAge ?? (revision === undefined ? 0 : Number.POSITIVE_INFINITY);
  const remembered = maxAge > 0 ? remembering(maxAge) : null;
  const gate = gateOf(concurrency);
  // Sources of one revision share a device, so that caches keyed by identity treat them as one.
  const device = revision === undefined ? newDevice() : -numberOf(revision);
  return {
    ...{ realPath, aliases, pathStyle, loads: true },
    root: () => {
      const loads = new CallLoads(tree, device, gate, remembered);
      const directory = new AsyncDirectory(loads, readAhead(loads, concurrency), AT_ROOT, null);
      return { directory, outside: null, repository, release: () => loads.end() };
    },
    // A failure to close does not matter.
    close: () => void (async () => tree.close?.())().catch(() => {}),
  };
}

class AsyncDirectory implements SourceDirectory {
  readonly path: RootPath;
  /** Changes cannot be detected; only a revision, which never changes, has stamps. */
  readonly stampAt?: (path: Bytes) => Stamp;
  readonly #loads: CallLoads;
  readonly #ahead: ReadAhead;
  readonly #parent: AsyncDirectory | null;
  #isRead = false;

  constructor(loads: CallLoads, ahead: ReadAhead, path: RootPath, parent: AsyncDirectory | null) {
    this.#loads = loads;
    this.#ahead = ahead;
    this.path = path;
    this.#parent = parent;
    if (loads.tree.revision === undefined) return;
    this.stampAt = (inner) => lastingStamp(loads.device, inner === '' ? path : below(path, inner));
  }

  /** The path alone identifies a directory: nothing else is known of it. */
  get identity(): Identity {
    return { dev: this.#loads.device, ino: numberOf(this.path) };
  }

  lookup(name: Bytes): LookupResult {
    const found = mayHold(this.path, name) ? this.#loads.entry(this.path, name) : null;
    if (found === null) return { kind: 'missing' };
    if (found === 'refused') return { kind: 'denied' };
    if (found.type === 'link') return this.#link(name, found);
    if (found.type !== 'dir') return { kind: 'not-a-directory' };
    return { kind: 'directory', directory: new AsyncDirectory(this.#loads, this.#ahead, below(this.path, name), this) };
  }

  #link(name: Bytes, entry: AsyncEntry): LookupResult {
    const loads = this.#loads;
    if (entry.target !== undefined) return { kind: 'link', target: entry.target };
    if (loads.tree.readLink === undefined) return { kind: 'not-a-directory' };
    const path = below(this.path, name);
    return loads.waitFor(`link ${path}`, () => loads.loadTarget(path, entry));
  }

  up(): SourceDirectory | null {
    return this.#parent;
  }

  open(): DirectoryReader {
    const loads = this.#loads;
    this.#ahead.reached(this.path);
    this.#isRead = true;
    const level = loads.level(this.path);
    if (level !== null) return withNotes(level.reader(), loads.tree);
    const what = `level ${this.path}`;
    if (loads.isUnderWay(what)) loads.waitFor(what, async () => {});
    loads.waitForWalk(this.path);
    return withNotes(loads.stream(this.path), loads.tree);
  }

  beginWalk(levels: number, milliseconds: number): void {
    if (levels >= LEVELS_OF_WALK) this.#loads.startWalk(this.path, levels, milliseconds);
  }

  expect(names: readonly Bytes[]): void {
    if (!this.#loads.isWalked(this.path)) this.#ahead.expect(this.path, names);
  }

  readFile(name: Bytes, largest: number): Bytes | SkippedFile | null {
    const loads = this.#loads;
    const found = mayHold(this.path, name) ? loads.entry(this.path, name) : null;
    if (found === null || found === 'refused') return null;
    if (found.type === 'link') return SkippedFile.link;
    if (found.type !== 'file') return SkippedFile.notPlain;
    if ((found.size ?? 0) > largest) return SkippedFile.largerThan(largest);
    return loads.file(below(this.path, name), largest);
  }

  loadMetadata(names: readonly Bytes[]): Promise<void> {
    return this.#loads.loadDescriptions(this.path, names);
  }

  metadata(name: Bytes, listedAs?: EntryType): Metadata | 'refused' | null {
    const loads = this.#loads;
    if (name === '.' && loads.tree.describe === undefined) return metadataOf({ name, type: 'dir' });
    if (name !== '.' && !mayHold(this.path, name)) return null;
    const found = loads.described(this.path, name);
    if (found === null || found === 'refused') return found;
    const isOther = listedAs !== undefined && listedAs !== found.type && (listedAs === 'dir' || found.type === 'dir');
    if (!isOther) return metadataOf(found);
    // A file and a directory share this name, and the lookup found the other one. Only the parent's listing has both.
    return metadataOf(loads.level(this.path)?.find(name, listedAs) ?? { name, type: listedAs });
  }

  stamp(): Stamp | null {
    return this.stampAt?.('' as Bytes) ?? null;
  }

  close(): void {
    // A walk reads each directory only once.
    if (this.#isRead) this.#loads.dropLevel(this.path);
  }
}

/** The most directories that are loaded ahead and not read yet. */
const MAX_UNREAD = 64;
/** The most entries of a directory that is loaded ahead; a larger one is loaded when the walk reaches it. */
const MAX_ENTRIES = 5000;

type ReadAhead = ReturnType<typeof readAhead>;

/** Loads directories before a walk reaches them, several at a time: a round trip takes longer than the reading. */
function readAhead(loads: CallLoads, atATime: number) {
  /** The next one comes last: a walk reads everything below a directory before the directories after it. */
  const waiting: RootPath[] = [];
  const unread = new Set<RootPath>();
  let underWay = 0;

  function pump(): void {
    while (underWay < atATime && unread.size < MAX_UNREAD) {
      const path = waiting.pop();
      if (path === undefined) return;
      if (loads.level(path) !== null || loads.isUnderWay(`level ${path}`)) continue;
      underWay++;
      unread.add(path);
      // A directory that fails here is requested again when the walk reaches it, and its error is reported then.
      loads.loadLevelOnce(path, MAX_ENTRIES).then(done, done);
    }
  }

  function done(): void {
    underWay--;
    pump();
  }

  return {
    /** Queues directories that a walk will read in this order. */
    expect(directory: RootPath, names: readonly Bytes[]): void {
      for (const name of names.toReversed()) waiting.push(below(directory, name));
      pump();
    },
    reached(path: RootPath): void {
      if (unread.delete(path)) pump();
    },
  };
}

/** Perf: a path is compared faster than the number that it stands for. */
function lastingStamp(dev: bigint, path: RootPath): Stamp & { readonly path: RootPath } {
  return {
    ...{ dev, path, mtimeNs: 0n, ctimeNs: 0n },
    get ino() {
      return numberOf(path);
    },
    equals: (other) => other.dev === dev && (other as ReturnType<typeof lastingStamp>).path === path,
  };
}

/** Passes on the notes of the tree after each read. */
function withNotes(reader: DirectoryReader, tree: AsyncTree): DirectoryReader {
  if (!('notes' in tree)) return reader;
  return {
    read(entries, budget) {
      const hasMore = reader.read(entries, budget);
      for (const note of tree.notes ?? []) budget.note?.(note);
      return hasMore;
    },
    close: () => reader.close(),
  };
}

/** Returns a number that is unique to the text. */
function numberOf(text: string): bigint {
  return BigInt(`0x1${Buffer.from(text, 'latin1').toString('hex')}`);
}

function metadataOf({ type, size, modified, mode, user, group, target }: AsyncEntry): Metadata {
  return {
    type,
    size: size ?? Number.NaN,
    modified: modified ?? Number.NaN,
    mode: mode ?? null,
    user: user ?? null,
    group: group ?? null,
    target: target ?? null,
  };
}
