/**
 * Builds the directories of an archive from its list of paths. A hostile archive may hold any path. One that leads out
 * is shown and leads nowhere. Of two entries with one path, the later counts. A path through a file makes that file a
 * directory.
 */
import { type Bytes, below, bytesIn, lastNameOf, parentOf } from '../../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../names/paths.ts';
import type { AsyncEntry } from '../loading/async-tree.ts';
import { shownForm } from '../loading/usable-names.ts';
import type { ArchivedEntry } from './archived.ts';

/** The most entries that are kept, including directories that the archive does not list. */
const MAX_ENTRIES = 500_000;
/** Bytes of their paths and of the targets of links, together. */
const MAX_PATH_BYTES = 64 * 1024 * 1024;
/** The most names in a path. */
const DEEPEST = 500;

/** The most bytes of each rule file that is kept, and of all together. */
const LARGEST_KEPT = 256 * 1024;
const MAX_KEPT = 16 * 1024 * 1024;
const KEPT_NAMES =
  /(?:^|\/)(?:\.[^/]*ignore|\.gemini\/[^/]+|\.git|\.git\/(?:HEAD|config|commondir|packed-refs|info\/exclude))$/;
/** The longest target of a link, in bytes. */
const LARGEST_TARGET = 64 * 1024;
const NOTHING = Buffer.alloc(0);

export class ArchiveIndex {
  readonly #levels = new Map<RootPath, Map<Bytes, AsyncEntry>>([[AT_ROOT, new Map()]]);
  readonly #contents = new Map<RootPath, Buffer>();
  #kept = 0;
  #count = 0;
  #pathBytes = 0;
  #leadingOut = 0;
  #duplicates = 0;
  #conflicts = 0;
  #begin = () => {};
  /** Resolves when the first entry arrives. */
  readonly hasSome = new Promise<void>((resolve) => {
    this.#begin = resolve;
  });
  /** The reason why the archive was not read completely; null if it was. */
  failure: string | null = null;

  get isFull(): boolean {
    return this.#count >= MAX_ENTRIES || this.#pathBytes >= MAX_PATH_BYTES;
  }

  get count(): number {
    return this.#count;
  }

  level(path: RootPath): ReadonlyMap<Bytes, AsyncEntry> | null {
    return this.#levels.get(path) ?? null;
  }

  contentOf(path: RootPath): Buffer | undefined {
    return this.#contents.get(path);
  }

  /** Notes for the reader of any listing of the archive. */
  get notes(): string[] {
    const told = (count: number, one: string, more: string) =>
      count === 0 ? [] : [count === 1 ? `one ${one}` : `${count} ${more}`];
    return [
      ...told(
        this.#leadingOut,
        'path leads out of the archive: it is shown, and cannot be opened',
        'paths lead out of the archive: they are shown, and cannot be opened',
      ),
      ...told(
        this.#duplicates,
        'entry appears more than once in the archive: the last one is shown',
        'entries stand in the archive more than once: the last counts',
      ),
      ...told(
        this.#conflicts,
        'path is a file and a directory: it is shown as a directory',
        'paths are files and directories: they are shown as directories',
      ),
    ];
  }

  async add(entry: ArchivedEntry): Promise<void> {
    this.#begin();
    this.#pathBytes += entry.path.length;
    const path = placeOf(entry.path);
    if (path === null) {
      this.#leadingOut++;
      this.#count++;
      this.#levels.get(AT_ROOT)?.set(shownForm(entry.path), { name: shownForm(entry.path), type: 'other' });
      return;
    }
    // `./` is the root itself.
    if (path === '') return;
    const parent = this.#directoryAt(parentOf(path));
    const name = lastNameOf(path);
    const known = parent.get(name);
    if (known === undefined) this.#count++;
    else if (known.type === 'dir' && entry.type !== 'dir') {
      this.#conflicts++;
      return;
    } else if (known.type !== 'dir') this.#duplicates++;
    parent.set(name, await this.#described(name, path, entry));
    if (entry.type === 'dir' && !this.#levels.has(path)) this.#levels.set(path, new Map());
  }

  /** Yields everything below a directory, depth first. */
  *below(start: RootPath): Generator<AsyncEntry> {
    const begin = (path: RootPath, inner: Bytes) => ({ path, inner, rest: this.#levels.get(path)?.values() });
    const way = [begin(start, '' as Bytes)];
    for (let here = way.at(-1); here !== undefined; here = way.at(-1)) {
      const next = here.rest?.next();
      if (next === undefined || next.done) {
        way.pop();
        continue;
      }
      const entry = next.value;
      const inner = below(here.inner, entry.name);
      yield { ...entry, name: inner };
      if (entry.type === 'dir') way.push(begin(below(here.path, entry.name), inner));
    }
  }

  async #described(name: Bytes, path: RootPath, entry: ArchivedEntry): Promise<AsyncEntry> {
    const { type, size, modified, mode, user, group } = entry;
    const target =
      type !== 'link' ? undefined : (entry.target ?? bytesIn((await entry.read(LARGEST_TARGET)) ?? NOTHING));
    this.#pathBytes += target?.length ?? 0;
    // It belonged to an earlier entry of the same path.
    this.#contents.delete(path);
    if (type === 'file' && KEPT_NAMES.test(path) && this.#kept < MAX_KEPT) {
      const content = await entry.read(LARGEST_KEPT);
      this.#kept += content?.length ?? 0;
      if (content !== null) this.#contents.set(path, content);
    }
    return { name, type, size, modified, mode, user, group, target };
  }

  #directoryAt(path: RootPath): Map<Bytes, AsyncEntry> {
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    let level = this.#levels.get(AT_ROOT) as Map<Bytes, AsyncEntry>;
    let here = AT_ROOT;
    for (const name of path.split('/') as Bytes[]) {
      here = below(here, name);
      let inner = this.#levels.get(here);
      if (inner === undefined) {
        if (level.has(name)) this.#conflicts++;
        level.set(name, { name, type: 'dir' });
        inner = new Map();
        this.#levels.set(here, inner);
        this.#count++;
        this.#pathBytes += here.length;
      }
      level = inner;
    }
    return level;
  }
}

/** Returns the path of an entry inside the archive; null if it has none. `./a//b/` is `a/b`. */
function placeOf(path: Bytes): RootPath | null {
  if (path.startsWith('/') || path.includes('\0') || path === '') return null;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names.length > DEEPEST || names.includes('..') ? null : (names.join('/') as RootPath);
}
