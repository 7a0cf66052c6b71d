/** A revision of a repository as a tree. Its directories are git's tree objects, and nothing is checked out. */

import { GITIGNORE } from '../../git/files.ts';
import type { GitScratch } from '../../git/program.ts';
import { type Bytes, below, bytesIn, lastNameOf, parentOf } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { directoryCache } from '../../workspace/cache.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { LARGEST_RULE_FILE, type RevisionRepository, SkippedFile } from '../../workspace/source.ts';
import { pagesOf } from '../asking.ts';
import type { AskOptions, AsyncEntry, WalkOptions } from '../loading/async-tree.ts';
import type { LevelTree, WalkedLevel } from '../loading/bulk-walk.ts';
import { LONGEST_NAME, LONGEST_PATH } from '../loading/usable-names.ts';
import type { ObjectReader } from './object-reader.ts';
import { DIRECTORY, KIND, LINK, PLAIN, SUBMODULE, TreeCursor, type TreeEntry, unreadable } from './tree-entries.ts';
import { walkTree } from './tree-walk.ts';

/** The entries by name. A directory's name ends with a slash: a forged object may have a file of the same name. */
type Level = ReadonlyMap<string, TreeEntry>;

function entryIn(level: Level, name: Bytes): TreeEntry | undefined {
  return level.get(`${name}/`) ?? level.get(name);
}

/** The largest directory, in bytes of its object, whose entries are kept for later lookups. */
const LARGEST_LEVEL = 512 * 1024;
/** The memory of an entry that is kept, in bytes. */
const BYTES_OF_ENTRY = 200;

/** Entries that a walk has told of, of which somebody may want to know more. */
const MAX_TOLD = 10_000;

/** The most rule files that are read ahead during a walk, and the largest of them, in bytes. */
const MAX_AHEAD = 1000;
const LARGEST_AHEAD = 16 * 1024;

/** The longest target of a link, in bytes. */
const LARGEST_TARGET = LONGEST_PATH;

interface GitRevision {
  readonly realPath: Bytes;
  /** The id of the root's tree object. */
  readonly tree: string;
  readonly hash: 'sha1' | 'sha256';
  readonly repository?: RevisionRepository;
}

export class GitTree implements LevelTree {
  readonly realPath: Bytes;
  /** The id of the root's tree object. */
  readonly revision: string;
  readonly repository: RevisionRepository | undefined;
  // Git answers one request after the other, but the next one should already be waiting.
  readonly concurrency = 64;
  readonly #scratch: GitScratch;
  readonly #objects: ObjectReader;
  readonly #idBytes: number;
  /** Entries that walks have found, and the content of rule files among them. */
  readonly #told = new Map<RootPath, TreeEntry>();
  readonly #ahead = new Map<RootPath, Promise<Uint8Array | null>>();

  constructor({ realPath, tree, hash, repository }: GitRevision, scratch: GitScratch, objects: ObjectReader) {
    this.realPath = realPath;
    this.repository = repository;
    this.revision = tree;
    this.#scratch = scratch;
    this.#objects = objects;
    this.#idBytes = hash === 'sha1' ? 20 : 32;
  }

  async *list(path: RootPath, options: AskOptions): AsyncGenerator<readonly AsyncEntry[]> {
    const tree = await this.#tree(path, options);
    const entries = Buffer.isBuffer(tree) ? this.#entriesIn(tree) : tree.values();
    for await (const page of pagesOf(entries, ({ name }) => name.length)) yield page.map(entryOf);
  }

  /** Yields whole directories without sizes, because git would have to open every file for them. */
  async *walkLevels(path: RootPath, { signal, levels }: WalkOptions): AsyncGenerator<readonly WalkedLevel[]> {
    const top = { id: await this.directoryId(path, signal), levels };
    yield* walkTree(this.#objects, this.#idBytes, path, top, signal, (inner, entry) =>
      this.#note(below(path, inner), entry, signal),
    );
  }

  async describe(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<(AsyncEntry | null)[]> {
    const level = await this.#level(path, names, options);
    return Promise.all(
      names.map(async (name) => {
        if (name === '.') return { name, type: 'dir' as const };
        const entry = entryIn(level, name);
        if (entry === undefined) return null;
        const kind = entry.mode & KIND;
        if (kind === DIRECTORY || kind === SUBMODULE) return entryOf(entry);
        const size = (await this.#objects.info(entry.id, options.signal))?.size;
        // Git stores only one permission: whether a file is executable.
        const mode = kind === LINK ? undefined : entry.mode & 0o100 ? 0o100755 : 0o100644;
        return { ...entryOf(entry), size, mode };
      }),
    );
  }

  async readFile(path: RootPath, largest: number, options: AskOptions): Promise<Uint8Array | SkippedFile | null> {
    const ahead = (await this.#ahead.get(path)) ?? null;
    if (ahead !== null) return ahead;
    const entry = await this.#entryAt(path, options);
    if (entry === undefined) return null;
    const info = await this.#objects.info(entry.id, options.signal);
    // A partial clone may lack it, and nothing is fetched implicitly.
    if (info === null) return SkippedFile.unreadable;
    if (info.size > largest) return SkippedFile.largerThan(largest);
    return (await this.#objects.content(entry.id, options.signal))?.content ?? null;
  }

  async readLink(path: RootPath, options: AskOptions): Promise<Bytes | null> {
    const content = await this.readFile(path, LARGEST_TARGET, options);
    return content instanceof Uint8Array ? bytesIn(content) : ('' as Bytes);
  }

  /** Reads the `.gitignore` of a directory. */
  async gitignoreIn(path: RootPath, signal: AbortSignal): Promise<Bytes | SkippedFile | null> {
    const at = below(path, GITIGNORE);
    const entry = await this.#entryAt(at, { signal });
    if (entry === undefined) return null;
    if ((entry.mode & KIND) === LINK) return SkippedFile.link;
    if ((entry.mode & KIND) !== PLAIN) return SkippedFile.notPlain;
    const content = await this.readFile(at, LARGEST_RULE_FILE, { signal });
    return content instanceof Uint8Array ? bytesIn(content) : content;
  }

  close(): void {
    this.#objects.close();
    this.#scratch.remove();
  }

  /** Keeps an entry that a walk has found, and reads it ahead if it is a rule file. */
  #note(path: RootPath, entry: TreeEntry, signal: AbortSignal): void {
    if (this.#told.size < MAX_TOLD) this.#told.set(path, entry);
    if (!path.endsWith(GITIGNORE) || this.#ahead.size >= MAX_AHEAD || this.#ahead.has(path)) return;
    const read = this.readFile(path, LARGEST_AHEAD, { signal });
    const content = read.then(
      (found) => (found instanceof Uint8Array ? found : null),
      () => null,
    );
    this.#ahead.set(path, content);
  }

  async directoryId(path: RootPath, signal: AbortSignal): Promise<string> {
    if (path === '') return this.revision;
    const entry = await this.#entryAt(path, { signal });
    if (entry === undefined) throw unreadable('ENOENT');
    const kind = entry.mode & KIND;
    if (kind === SUBMODULE) {
      const message = `a submodule at commit ${entry.id.slice(0, 12)}: its files are in another repository`;
      throw Object.assign(new ListingError('failed', message, path), { code: 'ESUBMODULE' });
    }
    if (kind !== DIRECTORY) throw unreadable('ENOTDIR');
    return entry.id;
  }

  async #entryAt(path: RootPath, options: AskOptions): Promise<TreeEntry | undefined> {
    const told = this.#told.get(path);
    if (told !== undefined) return told;
    const name = lastNameOf(path);
    return entryIn(await this.#level(parentOf(path), [name], options), name);
  }

  /** Returns a directory's entries by name; of a large one, only those that have one of these names. */
  async #level(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<Level> {
    const tree = await this.#tree(path, options);
    return Buffer.isBuffer(tree) ? this.#parsed(tree, new Set(names)) : tree;
  }

  /** Returns a directory's entries by name, which are kept; or its object, if it is large. */
  async #tree(path: RootPath, { signal }: AskOptions): Promise<Level | Buffer> {
    const key = `git tree ${this.revision} ${path}`;
    const known = directoryCache.find<Level>(key);
    if (known !== null) return known;
    const id = await this.directoryId(path, signal);
    const object = await this.#objects.content(id, signal);
    if (object === null || object.type !== 'tree') throw unreadable('EIO');
    if (object.content.length > LARGEST_LEVEL) return object.content;
    const level = await this.#parsed(object.content, null);
    directoryCache.remember(key, level, BYTES_OF_ENTRY * level.size);
    return level;
  }

  async #parsed(content: Buffer, names: ReadonlySet<Bytes> | null): Promise<Level> {
    const level = new Map<string, TreeEntry>();
    for await (const page of pagesOf(this.#entriesIn(content), ({ name }) => name.length)) {
      for (const entry of page) {
        const { name, mode } = entry;
        if (names !== null && !names.has(name)) continue;
        // Names that are too long are told apart, so that each is counted.
        const end = name.length > LONGEST_NAME ? `/${level.size}` : (mode & KIND) === DIRECTORY ? '/' : '';
        level.set(name + end, entry);
      }
    }
    return level;
  }

  *#entriesIn(content: Buffer): Generator<TreeEntry> {
    const cursor = new TreeCursor(content, this.#idBytes);
    while (cursor.advance()) yield { name: cursor.name, mode: cursor.mode, id: cursor.id };
  }
}

function entryOf({ name, mode }: TreeEntry): AsyncEntry {
  const kind = mode & KIND;
  if (kind === SUBMODULE) return { name, type: 'dir', isClosed: true };
  return { name, type: kind === DIRECTORY ? 'dir' : kind === LINK ? 'link' : 'file' };
}
