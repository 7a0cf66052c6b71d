/**
 * Builds the directories of an archive, which may hold any path. One that leads out is shown and leads nowhere. Of two
 * entries with one path, the later counts. A path through a file makes that file a directory.
 */
import { type Bytes, bytesIn, isBelow, lastNameOf, parentOf } from '../../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../names/paths.ts';
import type { WalkedLevel } from '../loading/bulk-walk.ts';
import { LoadedEntries, LoadedLevel } from '../loading/loaded-level.ts';
import { isUsablePath, LevelBounds, LONGEST_PATH, shownForm } from '../loading/usable-names.ts';
import type { ArchivedEntry } from './archived.ts';

/** The most entries that are kept, including directories that the archive does not list. */
const MAX_ENTRIES = 500_000;
/** The most directories among them, each of which takes a kilobyte. */
const MAX_DIRECTORIES = 200_000;
/** Bytes of their paths and of the targets of links, together. */
const MAX_PATH_BYTES = 64 * 1024 * 1024;
/** The most bytes of each rule file that is kept, and of all that are read; and what each counts as in addition. */
const LARGEST_KEPT = 256 * 1024;
const MAX_READ = 16 * 1024 * 1024;
const BYTES_OF_FILE = 512;
const KEPT_NAMES =
  /(?:^|\/)(?:\.[^/]*ignore|\.gemini\/[^/]+|\.git|\.git\/(?:HEAD|config|commondir|packed-refs|info\/exclude))$/;
const NOTHING = Buffer.alloc(0);

export class ArchiveIndex {
  readonly #all = new LoadedEntries(1024);
  readonly #root = new LoadedLevel(new LevelBounds(AT_ROOT), this.#all);
  readonly #levels = new Map<RootPath, LoadedLevel>([[AT_ROOT, this.#root]]);
  readonly #contents = new Map<RootPath, Buffer>();
  #read = 0;
  /** The number of entries, including directories that the archive does not list. */
  count = 0;
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
    return this.count >= MAX_ENTRIES || this.#levels.size >= MAX_DIRECTORIES || this.#pathBytes >= MAX_PATH_BYTES;
  }

  level(path: RootPath): LoadedLevel | null {
    return this.#levels.get(path) ?? null;
  }

  contentOf(path: RootPath): Buffer | undefined {
    return this.#contents.get(path);
  }

  get notes(): string[] {
    const told = (count: number, one: string, more: string) =>
      count === 0 ? [] : [count === 1 ? `one ${one}` : `${count} ${more}`];
    const [out, outs] = ['path leads out of the archive: it is', 'paths lead out of the archive: they are'];
    const [both, boths] = ['path is a file and a directory: it is', 'paths are files and directories: they are'];
    const twice = 'entry appears more than once in the archive: the last one is shown';
    return [
      ...told(this.#leadingOut, `${out} shown, and cannot be opened`, `${outs} shown, and cannot be opened`),
      ...told(this.#duplicates, twice, 'entries stand in the archive more than once: the last counts'),
      ...told(this.#conflicts, `${both} shown as a directory`, `${boths} shown as directories`),
    ];
  }

  async add(entry: ArchivedEntry): Promise<void> {
    this.#begin();
    this.#pathBytes += Math.min(entry.path.length, LONGEST_PATH);
    const path = placeOf(entry.path);
    // `./` is the root itself.
    if (path === '') return;
    if (path === null || !isUsablePath(AT_ROOT, path)) {
      this.count++;
      if (!this.#root.bounds.admits(path === null ? entry.path.length : Number.POSITIVE_INFINITY)) return;
      this.#leadingOut++;
      this.#root.put({ name: shownForm(entry.path), type: 'other' });
      return;
    }
    const parent = this.#directoryAt(parentOf(path));
    const name = lastNameOf(path);
    const known = parent.find(name);
    if (known?.type === 'dir' && entry.type !== 'dir') {
      this.#conflicts++;
      return;
    }
    const target = entry.type === 'link' ? await this.#targetOf(entry) : undefined;
    if (!parent.bounds.admits(name.length, target?.length)) return;
    if (known === null) this.count++;
    else if (known.type !== 'dir') this.#duplicates++;
    await this.#readIfKept(path, entry);
    const { type, modified, mode, user, group } = entry;
    const size = entry.size ?? this.#sizeOf(entry.sharesWith);
    parent.put({ name, type, size, modified, mode, user, group, target });
    if (entry.type === 'dir' && !this.#levels.has(path)) this.#open(path);
  }

  /** A hard link comes after the entry that it shares its content with, and has no size of its own. */
  #sizeOf(stored: Bytes | undefined): number | undefined {
    const path = stored === undefined ? null : placeOf(stored);
    if (path === null || path === '') return undefined;
    const found = this.#levels.get(parentOf(path))?.find(lastNameOf(path));
    return found?.type === 'file' ? found.size : undefined;
  }

  *levelsIn(start: RootPath): Generator<WalkedLevel> {
    const from = start === '' ? 0 : start.length + 1;
    for (const [path, level] of this.#levels) {
      if (path === start || isBelow(start, path)) yield { path: path.slice(from) as Bytes, level };
    }
  }

  /** Bytes are counted before they are unpacked: those of an entry whose sum is wrong cost as much as others. */
  async #targetOf({ target, size = 0, read }: ArchivedEntry): Promise<Bytes> {
    this.#pathBytes += Math.min(target?.length ?? size, LONGEST_PATH);
    return target ?? bytesIn((await read(LONGEST_PATH)) ?? NOTHING);
  }

  async #readIfKept(path: RootPath, { type, size = LARGEST_KEPT, read }: ArchivedEntry): Promise<void> {
    // It belonged to an earlier entry of the same path.
    this.#contents.delete(path);
    if (type !== 'file' || size > LARGEST_KEPT || this.#read >= MAX_READ || !KEPT_NAMES.test(path)) return;
    this.#read += BYTES_OF_FILE + size;
    const content = await read(LARGEST_KEPT);
    if (content !== null) this.#contents.set(path, content);
  }

  #open(path: RootPath): LoadedLevel {
    const level = new LoadedLevel(new LevelBounds(path), this.#all);
    this.#levels.set(path, level);
    return level;
  }

  #directoryAt(path: RootPath): LoadedLevel {
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    const parent = this.#directoryAt(parentOf(path));
    const name = lastNameOf(path);
    if (parent.find(name) !== null) this.#conflicts++;
    parent.put({ name, type: 'dir' });
    this.count++;
    this.#pathBytes += path.length;
    return this.#open(path);
  }
}

/** Returns the path of an entry inside the archive; null if it has none. `./a//b/` is `a/b`. */
function placeOf(path: Bytes): RootPath | null {
  if (path.startsWith('/') || path.includes('\0') || path === '') return null;
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  return names.includes('..') ? null : (names.join('/') as RootPath);
}
