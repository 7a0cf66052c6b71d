/** A revision of a repository as a tree. Its directories are git's tree objects, and nothing is checked out. */
import { GITIGNORE } from '../../git/files.ts';
import type { GitScratch, HistoryStore } from '../../git/program.ts';
import { type Bytes, below, bytesIn, DOT, lastNameOf, parentOf, SLASH, SPACE } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { directoryCache } from '../../workspace/cache.ts';
import { codedError, codedFailure, ListingError } from '../../workspace/listing-error.ts';
import { DIRECTORY as DIRECTORY_TYPE, FILE, LINK as LINK_TYPE } from '../../workspace/reader.ts';
import { LARGEST_RULE_FILE, SkippedFile } from '../../workspace/source.ts';
import { pagesOf } from '../asking.ts';
import type { AskOptions, AsyncEntry, WalkOptions } from '../loading/async-tree.ts';
import type { LevelTree, WalkedLevel } from '../loading/bulk-walk.ts';
import { LoadedEntries, LoadedLevel } from '../loading/loaded-level.ts';
import { isUsable, LevelBounds, LONGEST_NAME, LONGEST_PATH, shownForm } from '../loading/usable-names.ts';
import type { ObjectReader } from './object-reader.ts';

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

type GitRevision = Pick<LevelTree, 'realPath' | 'repository'> & Pick<HistoryStore, 'hash'> & { readonly tree: string };

export function gitTree(revision: GitRevision, scratch: GitScratch, objects: ObjectReader) {
  const idBytes = revision.hash === 'sha1' ? 20 : 32;
  /** Entries that walks have found, and the content of rule files among them. */
  const told = new Map<RootPath, TreeEntry>();
  const ahead = new Map<RootPath, Promise<Uint8Array | null>>();

  /** Keeps an entry that a walk has found, and reads it ahead if it is a rule file. */
  function note(path: RootPath, entry: TreeEntry, signal: AbortSignal): void {
    if (told.size < MAX_TOLD) told.set(path, entry);
    if (!path.endsWith(GITIGNORE) || ahead.size >= MAX_AHEAD || ahead.has(path)) return;
    const content = readFile(path, LARGEST_AHEAD, { signal }).then(
      (found) => (found instanceof Uint8Array ? found : null),
      () => null,
    );
    ahead.set(path, content);
  }

  async function directoryId(path: RootPath, signal: AbortSignal): Promise<string> {
    if (path === '') return revision.tree;
    const entry = await entryAt(path, signal);
    if (entry === undefined) throw unreadable('ENOENT');
    const kind = entry.mode & KIND;
    if (kind === SUBMODULE) {
      const message = `a submodule at commit ${entry.id.slice(0, 12)}: its files are in another repository`;
      throw Object.assign(new ListingError('failed', message, path), { code: 'ESUBMODULE' });
    }
    if (kind !== DIRECTORY) throw unreadable('ENOTDIR');
    return entry.id;
  }

  async function entryAt(path: RootPath, signal: AbortSignal): Promise<TreeEntry | undefined> {
    const known = told.get(path);
    if (known !== undefined) return known;
    const name = lastNameOf(path);
    return entryIn(await levelWith(parentOf(path), [name], signal), name);
  }

  /** Returns a directory's entries by name; of a large one, only those that have one of these names. */
  async function levelWith(path: RootPath, names: readonly Bytes[], signal: AbortSignal): Promise<Level> {
    const tree = await treeAt(path, signal);
    return Buffer.isBuffer(tree) ? parsed(tree, new Set(names)) : tree;
  }

  /** Returns a directory's entries by name, which are kept; or its object, if it is large. */
  async function treeAt(path: RootPath, signal: AbortSignal): Promise<Level | Buffer> {
    const key = `git tree ${revision.tree} ${path}`;
    const known = directoryCache.find<Level>(key);
    if (known !== null) return known;
    const object = await objects.content(await directoryId(path, signal), signal);
    if (object === null || object.type !== 'tree') throw unreadable('EIO');
    if (object.content.length > LARGEST_LEVEL) return object.content;
    const level = await parsed(object.content, null);
    directoryCache.remember(key, level, BYTES_OF_ENTRY * level.size);
    return level;
  }

  async function parsed(content: Buffer, names: ReadonlySet<Bytes> | null): Promise<Level> {
    const level = new Map<string, TreeEntry>();
    for await (const page of pagesOf(entriesIn(content), ({ name }) => name.length)) {
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

  function* entriesIn(content: Buffer): Generator<TreeEntry> {
    const cursor = new TreeCursor(content, idBytes);
    while (cursor.advance()) yield { name: cursor.name, mode: cursor.mode, id: cursor.id };
  }

  async function readFile(path: RootPath, largest: number, { signal }: AskOptions) {
    const known = (await ahead.get(path)) ?? null;
    if (known !== null) return known;
    const entry = await entryAt(path, signal);
    if (entry === undefined) return null;
    const info = await objects.info(entry.id, signal);
    // A partial clone may lack it, and nothing is fetched implicitly.
    if (info === null) return SkippedFile.unreadable;
    if (info.size > largest) return SkippedFile.largerThan(largest);
    return (await objects.content(entry.id, signal))?.content ?? null;
  }

  return {
    realPath: revision.realPath,
    revision: revision.tree,
    repository: revision.repository,
    // Git answers one request after the other, but the next one should already be waiting.
    concurrency: 64,
    directoryId,
    readFile,
    async *list(path: RootPath, { signal }: AskOptions) {
      const tree = await treeAt(path, signal);
      const entries = Buffer.isBuffer(tree) ? entriesIn(tree) : tree.values();
      for await (const page of pagesOf(entries, ({ name }) => name.length)) yield page.map(entryOf);
    },
    /** Yields whole directories without sizes, because git would have to open every file for them. */
    async *walkLevels(path: RootPath, { signal, levels }: WalkOptions) {
      const top = { id: await directoryId(path, signal), levels };
      const keep = (inner: Bytes, entry: TreeEntry) => note(below(path, inner), entry, signal);
      yield* walkTree(objects, idBytes, path, top, signal, keep);
    },
    async describe(path: RootPath, names: readonly Bytes[], { signal }: AskOptions) {
      const level = await levelWith(path, names, signal);
      return Promise.all(
        names.map(async (name) => {
          if (name === '.') return { name, type: 'dir' as const };
          const entry = entryIn(level, name);
          if (entry === undefined) return null;
          const kind = entry.mode & KIND;
          if (kind === DIRECTORY || kind === SUBMODULE) return entryOf(entry);
          const size = (await objects.info(entry.id, signal))?.size;
          // Git stores only one permission: whether a file is executable.
          const mode = kind === LINK ? undefined : entry.mode & 0o100 ? 0o100755 : 0o100644;
          return { ...entryOf(entry), size, mode };
        }),
      );
    },
    async readLink(path: RootPath, options: AskOptions) {
      const content = await readFile(path, LONGEST_PATH, options);
      return content instanceof Uint8Array ? bytesIn(content) : ('' as Bytes);
    },
    async gitignoreIn(path: RootPath, signal: AbortSignal): Promise<Bytes | SkippedFile | null> {
      const at = below(path, GITIGNORE);
      const entry = await entryAt(at, signal);
      if (entry === undefined) return null;
      if ((entry.mode & KIND) === LINK) return SkippedFile.link;
      if ((entry.mode & KIND) !== PLAIN) return SkippedFile.notPlain;
      const content = await readFile(at, LARGEST_RULE_FILE, { signal });
      return content instanceof Uint8Array ? bytesIn(content) : content;
    },
    close() {
      objects.close();
      scratch.remove();
    },
  } satisfies LevelTree & Record<string, unknown>;
}

function entryOf({ name, mode }: TreeEntry): AsyncEntry {
  const kind = mode & KIND;
  if (kind === SUBMODULE) return { name, type: 'dir', isClosed: true };
  return { name, type: kind === DIRECTORY ? 'dir' : kind === LINK ? 'link' : 'file' };
}

/** Directories per request, and requests in flight. */
const AT_A_TIME = 512;
const UNDER_WAY = 2;
/** The largest directory, in bytes, that is parsed at once. A larger one is listed, with pauses. */
const LARGEST_AT_ONCE = 1024 * 1024;
/** The most bytes that a walk takes, and those of a directory that is not read yet. What is beyond is listed. */
const MAX_BYTES = 96 * 1024 * 1024;
const BYTES_OF_BRANCH = 200;
const EXPECTED = 4096;

interface Branch {
  /** Relative to the start of the walk. */
  readonly path: Bytes;
  readonly id: string;
  readonly levels: number;
}

/**
 * Yields directories as they arrive, in no particular order. One that cannot be read is left out. `note` receives links
 * and names with a leading dot, such as rule files: these are likely to be looked up later.
 */
async function* walkTree(
  objects: ObjectReader,
  idBytes: number,
  start: RootPath,
  top: Pick<Branch, 'id' | 'levels'>,
  signal: AbortSignal,
  note: (path: Bytes, entry: TreeEntry) => void,
): AsyncGenerator<readonly WalkedLevel[]> {
  const entries = new LoadedEntries(EXPECTED);
  /** Directories not yet requested. The last one is next, so that what is below a directory comes soon after it. */
  const waiting: Branch[] = [{ ...top, path: '' as Bytes }];
  const underWay = new Set<Promise<void>>();
  let found: WalkedLevel[] = [];
  let bytes = 0;
  while (waiting.length > 0 || underWay.size > 0) {
    while (waiting.length > 0 && underWay.size < UNDER_WAY) {
      const asking: Promise<void> = ask(waiting.splice(-AT_A_TIME).reverse()).finally(() => underWay.delete(asking));
      underWay.add(asking);
    }
    await Promise.race(underWay);
    const arrived = found;
    found = [];
    yield arrived;
    if (bytes > MAX_BYTES) throw new Error('too much for one walk');
  }

  function ask(branches: readonly Branch[]): Promise<void> {
    const ids = branches.map(({ id }) => id);
    let next = 0;
    return objects.contents(ids, signal, (object) => {
      const branch = branches[next++] as Branch;
      if (object?.type === 'tree' && !signal.aborted) take(branch, object.content);
    });
  }

  function take({ path, levels }: Branch, content: Buffer): void {
    if (content.length > LARGEST_AT_ONCE || bytes > MAX_BYTES) return;
    bytes += content.length;
    const level = new LoadedLevel(new LevelBounds(below(start, path)), entries);
    const inner: Branch[] = [];
    const cursor = new TreeCursor(content, idBytes);
    try {
      while (cursor.advance()) {
        if (!level.bounds.admits(cursor.end - cursor.start)) continue;
        const kind = cursor.mode & KIND;
        const isDirectory = kind === DIRECTORY;
        const isLikely = kind === LINK || content[cursor.start] === DOT;
        const name = isDirectory || isLikely ? cursor.name : null;
        if (!cursor.isUsable) {
          level.add({ name: shownForm(cursor.name), type: 'other' });
          continue;
        }
        const type = isDirectory || kind === SUBMODULE ? DIRECTORY_TYPE : kind === LINK ? LINK_TYPE : FILE;
        level.addName(content, cursor.start, cursor.end, type);
        if (name === null) continue;
        const { mode, id } = cursor;
        if (!isDirectory) note(below(path, name), { name, mode, id });
        else if (levels > 1) {
          inner.push({ path: below(path, name), id, levels: levels - 1 });
          bytes += BYTES_OF_BRANCH + path.length;
        }
      }
    } catch {
      // The object is truncated. Without its level the directory gets listed, and that reports the error.
      return;
    }
    found.push({ path, level });
    for (let i = inner.length - 1; i >= 0; i--) waiting.push(inner[i] as Branch);
  }
}

interface TreeEntry {
  readonly name: Bytes;
  readonly mode: number;
  /** In hexadecimal. */
  readonly id: string;
}

const DIRECTORY = 0o040000;
const LINK = 0o120000;
const SUBMODULE = 0o160000;
const PLAIN = 0o100000;
/** The bits of a mode that hold one of these. */
const KIND = 0o170000;

const ZERO = 0x30;
/** In digits. */
const LONGEST_MODE = 7;

/** Parses a tree object: a sequence of entries `MODE NAME \0 ID`. */
class TreeCursor {
  readonly #content: Buffer;
  readonly #idBytes: number;
  mode = 0;
  /** The start of its name, and the position after it. */
  start = 0;
  end = 0;
  #hasSlash = false;
  #next = 0;

  constructor(content: Buffer, idBytes: number) {
    this.#content = content;
    this.#idBytes = idBytes;
  }

  advance(): boolean {
    const content = this.#content;
    const { length } = content;
    let at = this.#next;
    if (at === length) return false;
    let mode = 0;
    const modeEnd = Math.min(at + LONGEST_MODE, length);
    for (; at < modeEnd && content[at] !== SPACE; at++) mode = mode * 8 + (content[at] as number) - ZERO;
    if (content[at] !== SPACE) throw unreadable('EIO');
    this.mode = mode;
    this.start = at + 1;
    this.#hasSlash = false;
    const nameEnd = Math.min(this.start + LONGEST_NAME, length);
    for (at++; at < nameEnd && content[at] !== 0; at++) if (content[at] === SLASH) this.#hasSlash = true;
    this.end = content[at] === 0 ? at : content.indexOf(0, at);
    this.#next = this.end + 1 + this.#idBytes;
    if (this.end >= 0 && this.#next <= length) return true;
    throw unreadable('EIO');
  }

  /** The name, or the beginning of one that is too long: that is left out for its length. */
  get name(): Bytes {
    return this.#content.toString('latin1', this.start, Math.min(this.end, this.start + LONGEST_NAME + 1)) as Bytes;
  }

  /** True unless the name would lead elsewhere, as any name in a forged object may. */
  get isUsable(): boolean {
    return !this.#hasSlash && (this.end - this.start > 2 || isUsable(this.name));
  }

  get id(): string {
    return this.#content.toString('hex', this.end + 1, this.#next);
  }
}

function unreadable(code: string): Error {
  return code === 'EIO' ? codedFailure(code, NOT_READ) : codedError(code, 'git cannot read it');
}

const NOT_READ =
  'git cannot read this directory (EIO); run git fsck there, and if the clone is partial or borrows objects, make it complete';
