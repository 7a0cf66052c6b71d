/** A revision of a repository as a tree: directories are git's tree objects, and nothing is checked out. */
import { type Bytes, below, bytesIn, lastNameOf, parentOf } from '../../workspace/bytes.ts';
import type { GitScratch } from '../../workspace/git-program.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { AskOptions, AsyncEntry, WalkOptions } from '../../workspace/loading/async-tree.ts';
import type { LevelTree, WalkedLevel } from '../../workspace/loading/bulk-walk.ts';
import type { RootPath } from '../../workspace/paths.ts';
import { LARGEST_RULE_FILE, type RevisionRepository, SkippedFile } from '../../workspace/source.ts';
import type { ObjectReader } from './object-reader.ts';
import { DIRECTORY, KIND, LINK, PLAIN, SUBMODULE, type TreeEntry, treeEntries, unreadable } from './tree-entries.ts';
import { TreeWalk } from './tree-walk.ts';

/** Directories have a slash behind their names: an object that somebody has made may have a file of the same name. */
type Level = ReadonlyMap<string, TreeEntry>;

function entryIn(level: Level, name: Bytes): TreeEntry | undefined {
  return level.get(`${name}/`) ?? level.get(name);
}

/** Directories whose entries are kept, to be asked about. */
const MOST_LEVELS = 256;
/** Entries of a directory that is kept. */
const LARGEST_LEVEL = 20_000;

/** Entries that a walk has told of, of which somebody may want to know more. */
const MOST_TOLD = 10_000;

/** Files of rules that are read while a walk goes on, before anybody asks; and the bytes of one. */
const MOST_AHEAD = 1000;
const LARGEST_AHEAD = 16 * 1024;

/** Bytes of a link's target. */
const LARGEST_TARGET = 64 * 1024;

const GITIGNORE = '.gitignore' as Bytes;

interface GitRevision {
  readonly realPath: Bytes;
  /** The id of the tree that is the root. */
  readonly tree: string;
  readonly hash: 'sha1' | 'sha256';
  readonly repository?: RevisionRepository;
}

export class GitTree implements LevelTree {
  readonly realPath: Bytes;
  /** The id of the tree that is the root. */
  readonly revision: string;
  readonly repository: RevisionRepository | undefined;
  // Git answers one after the other, but the next question should be there when it has.
  readonly concurrency = 64;
  readonly #scratch: GitScratch;
  readonly #objects: ObjectReader;
  readonly #idBytes: number;
  readonly #levels = new Map<RootPath, Level>();
  /** What walks have told of entries, and the files among them that are read already. */
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

  async list(path: RootPath, options: AskOptions): Promise<readonly AsyncEntry[]> {
    return [...(await this.#level(path, options)).values()].map(entryOf);
  }

  /** Whole directories, without sizes, for which git would have to open every file. */
  async *walkLevels(path: RootPath, { signal, levels }: WalkOptions): AsyncGenerator<readonly WalkedLevel[]> {
    const walk = new TreeWalk(this.#objects, this.#idBytes, levels, signal, (inner, entry) =>
      this.#note(below(path, inner), entry, signal),
    );
    yield* walk.from(await this.directoryId(path, signal));
  }

  async describe(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<(AsyncEntry | null)[]> {
    const level = await this.#level(path, options);
    return Promise.all(
      names.map(async (name) => {
        if (name === '.') return { name, type: 'dir' as const };
        const entry = entryIn(level, name);
        if (entry === undefined) return null;
        const kind = entry.mode & KIND;
        if (kind === DIRECTORY || kind === SUBMODULE) return entryOf(entry);
        const size = (await this.#objects.info(entry.id, options.signal))?.size;
        // Of all permissions git keeps one: whether a file can be executed.
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
    // A partial clone does not have it, and nothing is fetched unasked.
    if (info === null) return SkippedFile.unreadable;
    if (info.size > largest) return SkippedFile.largerThan(largest);
    return (await this.#objects.content(entry.id, options.signal))?.content ?? null;
  }

  async readLink(path: RootPath, options: AskOptions): Promise<Bytes | null> {
    const content = await this.readFile(path, LARGEST_TARGET, options);
    return content instanceof Uint8Array ? bytesIn(content) : ('' as Bytes);
  }

  /** The `.gitignore` of a directory. */
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

  /** Keeps what a walk has told of an entry, and reads it if it is a file of rules. */
  #note(path: RootPath, entry: TreeEntry, signal: AbortSignal): void {
    if (this.#told.size < MOST_TOLD) this.#told.set(path, entry);
    if (!path.endsWith(GITIGNORE) || this.#ahead.size >= MOST_AHEAD || this.#ahead.has(path)) return;
    const read = async () => {
      const isSmall = ((await this.#objects.info(entry.id, signal))?.size ?? Number.POSITIVE_INFINITY) <= LARGEST_AHEAD;
      return isSmall ? ((await this.#objects.content(entry.id, signal))?.content ?? null) : null;
    };
    this.#ahead.set(
      path,
      read().catch(() => null),
    );
  }

  /** The id of the directory at a path. */
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
    return entryIn(await this.#level(parentOf(path), options), lastNameOf(path));
  }

  async #level(path: RootPath, options: AskOptions): Promise<Level> {
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    const object = await this.#objects.content(await this.directoryId(path, options.signal), options.signal);
    if (object === null || object.type !== 'tree') throw unreadable('EIO');
    const keyOf = ({ name, mode }: TreeEntry) => ((mode & KIND) === DIRECTORY ? `${name}/` : name);
    const level = new Map(treeEntries(object.content, this.#idBytes).map((entry) => [keyOf(entry), entry]));
    if (level.size <= LARGEST_LEVEL) this.#levels.set(path, level);
    if (this.#levels.size > MOST_LEVELS) this.#levels.delete(this.#levels.keys().next().value as RootPath);
    return level;
  }
}

function entryOf({ name, mode }: TreeEntry): AsyncEntry {
  const kind = mode & KIND;
  if (kind === SUBMODULE) return { name, type: 'dir', isClosed: true };
  return { name, type: kind === DIRECTORY ? 'dir' : kind === LINK ? 'link' : 'file' };
}
