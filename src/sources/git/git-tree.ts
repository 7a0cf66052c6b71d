/** A revision of a repository as a tree: directories are git's tree objects, and nothing is checked out. */
import type { Readable } from 'node:stream';
import { type Bytes, below } from '../../workspace/bytes.ts';
import type { GitScratch } from '../../workspace/git-program.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import type { AskOptions, AsyncEntry, AsyncTree } from '../../workspace/loading/async-tree.ts';
import { AT_ROOT, namesOn, type RootPath } from '../../workspace/paths.ts';
import { LARGEST_RULE_FILE, type RevisionRepository, SkippedFile } from '../../workspace/source.ts';
import type { ObjectReader } from './object-reader.ts';

interface TreeEntry {
  readonly name: Bytes;
  readonly mode: number;
  readonly id: string;
}

type Level = ReadonlyMap<Bytes, TreeEntry>;

/** Directories whose entries are kept, to be asked about. */
const MOST_LEVELS = 256;
/** Entries of a directory that is kept. */
const LARGEST_LEVEL = 20_000;

/** Bytes of a link's target. */
const LARGEST_TARGET = 64 * 1024;

const DIRECTORY = 0o040000;
const LINK = 0o120000;
const SUBMODULE = 0o160000;
const PLAIN = 0o100000;
const KIND = 0o170000;

interface GitRevision {
  readonly realPath: Bytes;
  /** The id of the tree that is the root. */
  readonly tree: string;
  readonly hash: 'sha1' | 'sha256';
  readonly repository?: RevisionRepository;
}

export class GitTree implements AsyncTree {
  readonly realPath: Bytes;
  readonly revision: string;
  readonly repository: RevisionRepository | undefined;
  // Git answers one after the other, but the next question should be there when it has.
  readonly concurrency = 64;
  readonly #scratch: GitScratch;
  readonly #objects: ObjectReader;
  readonly #root: string;
  readonly #idBytes: number;
  readonly #levels = new Map<RootPath, Level>();

  constructor({ realPath, tree, hash, repository }: GitRevision, scratch: GitScratch, objects: ObjectReader) {
    this.realPath = realPath;
    this.repository = repository;
    this.revision = tree;
    this.#root = tree;
    this.#scratch = scratch;
    this.#objects = objects;
    this.#idBytes = hash === 'sha1' ? 20 : 32;
  }

  async list(path: RootPath, options: AskOptions): Promise<readonly AsyncEntry[]> {
    return [...(await this.#level(path, options)).values()].map(entryOf);
  }

  /** Paths in one go: `ls-tree` without sizes, for which git would have to open every file. */
  async *walk(path: RootPath, options: AskOptions): AsyncIterable<readonly AsyncEntry[]> {
    const id = await this.#treeAt(path, options);
    const started = this.#scratch.start(['ls-tree', '-r', '-t', '-z', '--full-tree', id]);
    if (started === null) throw coded('ENOEXEC');
    const { git } = started;
    const failed = new Promise<never>((_, reject) => {
      git.once('error', () => reject(coded('EIO')));
      git.once('close', (status) => (status === 0 ? undefined : reject(coded('EIO'))));
    });
    failed.catch(() => {});
    const stop = () => started.end();
    options.signal.addEventListener('abort', stop);
    try {
      yield* entriesIn(git.stdout);
      options.signal.throwIfAborted();
      if (git.exitCode === null)
        await Promise.race([new Promise<void>((resolve) => git.once('close', () => resolve())), failed]);
      if (git.exitCode !== 0) throw coded('EIO');
    } finally {
      options.signal.removeEventListener('abort', stop);
      started.end();
    }
  }

  async describe(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<(AsyncEntry | null)[]> {
    const level = await this.#level(path, options);
    return Promise.all(
      names.map(async (name) => {
        if (name === '.') return { name, type: 'dir' as const };
        const entry = level.get(name);
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
    return content instanceof Uint8Array ? (Buffer.from(content).toString('latin1') as Bytes) : ('' as Bytes);
  }

  /** The `.gitignore` of a directory. */
  async gitignoreIn(path: RootPath, signal: AbortSignal): Promise<Bytes | SkippedFile | null> {
    const at = below(path, '.gitignore' as Bytes);
    const entry = await this.#entryAt(at, { signal });
    if (entry === undefined) return null;
    if ((entry.mode & KIND) === LINK) return SkippedFile.link;
    if ((entry.mode & KIND) !== PLAIN) return SkippedFile.notPlain;
    const content = await this.readFile(at, LARGEST_RULE_FILE, { signal });
    return content instanceof Uint8Array ? (Buffer.from(content).toString('latin1') as Bytes) : content;
  }

  directoryId(path: RootPath, signal: AbortSignal): Promise<string> {
    return this.#treeAt(path, { signal });
  }

  close(): void {
    this.#objects.close();
    this.#scratch.remove();
  }

  /** The id of the directory at a path. */
  async #treeAt(path: RootPath, options: AskOptions): Promise<string> {
    if (path === '') return this.#root;
    const entry = await this.#entryAt(path, options);
    if (entry === undefined) throw coded('ENOENT');
    const kind = entry.mode & KIND;
    if (kind === SUBMODULE) {
      const message = `a submodule at commit ${entry.id.slice(0, 12)}: its files are in another repository`;
      throw Object.assign(new ListingError('failed', message, path), { code: 'ESUBMODULE' });
    }
    if (kind !== DIRECTORY) throw coded('ENOTDIR');
    return entry.id;
  }

  async #entryAt(path: RootPath, options: AskOptions): Promise<TreeEntry | undefined> {
    const names = namesOn(path);
    const parent = names.slice(0, -1).reduce<RootPath>(below, AT_ROOT);
    return (await this.#level(parent, options)).get(names.at(-1) as Bytes);
  }

  async #level(path: RootPath, options: AskOptions): Promise<Level> {
    const known = this.#levels.get(path);
    if (known !== undefined) return known;
    const object = await this.#objects.content(await this.#treeAt(path, options), options.signal);
    if (object === null || object.type !== 'tree') throw coded('EIO');
    const level = new Map(treeEntries(object.content, this.#idBytes).map((entry) => [entry.name, entry]));
    if (level.size <= LARGEST_LEVEL) this.#levels.set(path, level);
    if (this.#levels.size > MOST_LEVELS) this.#levels.delete(this.#levels.keys().next().value as RootPath);
    return level;
  }
}

/** The entries of a tree object: `MODE NAME \0 ID`, one behind the other. */
function treeEntries(content: Buffer, idBytes: number): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(0x20, at);
    const end = content.indexOf(0, space);
    if (space < 0 || end < 0 || end + idBytes >= content.length + 1) throw coded('EIO');
    entries.push({
      mode: Number.parseInt(content.toString('latin1', at, space), 8),
      name: content.toString('latin1', space + 1, end) as Bytes,
      id: content.toString('hex', end + 1, end + 1 + idBytes),
    });
    at = end + 1 + idBytes;
  }
  return entries;
}

/** The output of `ls-tree -z`: `MODE TYPE ID \t PATH \0`. */
async function* entriesIn(output: Readable): AsyncIterable<readonly AsyncEntry[]> {
  let rest = '';
  for await (const chunk of output) {
    const records = (rest + (chunk as Buffer).toString('latin1')).split('\0');
    rest = records.pop() as string;
    yield records.map(entryIn);
  }
}

/** Perf: the first two digits of a mode say what it is: `04`, `10`, `12` or `16`. */
function entryIn(record: string): AsyncEntry {
  const name = record.slice(record.indexOf('\t') + 1) as Bytes;
  if (record.startsWith('0')) return { name, type: 'dir' };
  const second = record[1];
  return second === '6' ? { name, type: 'dir', isClosed: true } : { name, type: second === '2' ? 'link' : 'file' };
}

function entryOf({ name, mode }: TreeEntry): AsyncEntry {
  const kind = mode & KIND;
  if (kind === SUBMODULE) return { name, type: 'dir', isClosed: true };
  return { name, type: kind === DIRECTORY ? 'dir' : kind === LINK ? 'link' : 'file' };
}

function coded(code: string): Error {
  return Object.assign(new Error('git cannot read it'), { code });
}
