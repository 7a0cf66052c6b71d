/**
 * A tree in memory as a source: for virtual file systems, for files that another program has read, and for tests.
 *
 *     memorySource({ 'src/app.ts': 'export {}', 'empty/': null, latest: { link: 'src' } })
 */
import { type Bytes, below, bytesIn, bytesOf } from '../../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../names/paths.ts';
import { bytesOfShown, shownAsGiven } from '../../names/quote.ts';
import { splitPath } from '../../workspace/argument.ts';
import { codedError, ListingError } from '../../workspace/listing-error.ts';
import { type EntryType, entryReader } from '../../workspace/reader.ts';
import type { Identity, Metadata, Source, SourceDirectory, SourceRoot } from '../../workspace/source.ts';
import { newDevice, SkippedFile } from '../../workspace/source.ts';
import { isUsable } from '../loading/usable-names.ts';

/** The entry at a path: the content of a file, null for a directory, or details. */
export type MemoryEntry = string | Uint8Array | null | MemoryEntryDetails;

/** The content of an entry, and what else is known of it. */
export interface MemoryEntryDetails {
  /** @default 'link' with a `link`, 'dir' where the path ends with a slash, else 'file' */
  readonly type?: EntryType;
  /** @default '' */
  readonly content?: string | Uint8Array;
  /** The target of a link. */
  readonly link?: string;
  /** @default the length of the content or of the link's target, in bytes */
  readonly size?: number;
  /**
   * Milliseconds since 1970.
   * @default now
   */
  readonly modified?: number;
  /** POSIX mode bits. They are shown, but not enforced. */
  readonly mode?: number;
  readonly user?: number;
  readonly group?: number;
  /**
   * Restricts access. `none`: a file cannot be read, nor a directory listed. `names`: a directory can be listed, but
   * nothing else about its entries is known.
   * @default 'all'
   */
  readonly access?: 'all' | 'names' | 'none';
}

/** Entries by path from the root, with '/' between names. A path with a name that is not valid UTF-8 is quoted. */
export type MemoryTree = Readonly<Record<string, MemoryEntry>>;

/** Options of `memorySource`. */
export interface MemorySourceOptions {
  /**
   * The absolute path that names the root.
   * @default '/'
   */
  readonly root?: string;
}

/**
 * Makes a source of a tree in memory, which can be changed later. Missing parent directories are created. Throws a
 * ListingError for an impossible path.
 *
 * @example const workspace = await openWorkspace(memorySource({ 'src/app.ts': 'export {}' }))
 */
export function memorySource(tree: MemoryTree = {}, { root = '/' }: MemorySourceOptions = {}): MemorySource {
  const source = new MemorySource(bytesOfPath(root));
  for (const [path, entry] of Object.entries(tree)) source.set(path, entry);
  return source;
}

/** A tree in memory. It may be changed while it is being listed. */
export class MemorySource implements Source {
  readonly realPath: Bytes;
  readonly aliases: readonly Bytes[] = [];
  readonly #device = newDevice();
  #made = 0n;
  #versions = 0n;
  readonly #root = this.#make({}, true);

  constructor(realPath: Bytes) {
    const { absolute, names } = splitPath(realPath, 'posix');
    if (!absolute || names.includes('..' as Bytes)) throw impossible(realPath, 'is not absolute');
    this.realPath = `/${names.join('/')}` as Bytes;
  }

  /** Puts an entry at a path and replaces any that is there; a directory keeps its entries. */
  set(path: string, entry: MemoryEntry): this {
    const bytes = bytesOfPath(path);
    const names = namesIn(bytes, path);
    const name = names.pop() as Bytes;
    const parent = names.reduce((directory, next) => {
      const found = directory.children.get(next) ?? this.#put(directory, next, this.#make({}, true));
      if (found.type !== 'dir') throw impossible(path, 'leads through something that is not a directory');
      return found;
    }, this.#root);
    const node = this.#make(detailsOf(entry), bytes.endsWith('/'));
    for (const [inner, kept] of (node.type === 'dir' && parent.children.get(name)?.children) || []) {
      node.children.set(inner, kept);
    }
    this.#put(parent, name, node);
    return this;
  }

  /** Removes the entry at a path and everything below it. Returns false if there was none. */
  delete(path: string): boolean {
    const names = namesIn(bytesOfPath(path), path);
    const name = names.pop() as Bytes;
    const parent = names.reduce<MemoryNode | undefined>((directory, next) => directory?.children.get(next), this.#root);
    if (parent === undefined || !parent.children.delete(name)) return false;
    parent.version = ++this.#versions;
    return true;
  }

  root(): SourceRoot {
    return { directory: memoryDirectory(this.#root, AT_ROOT, null), outside: null, release() {} };
  }

  #put(parent: MemoryNode, name: Bytes, node: MemoryNode): MemoryNode {
    parent.children.set(name, node);
    parent.version = ++this.#versions;
    return node;
  }

  #make(details: MemoryEntryDetails, isDirectory: boolean): MemoryNode {
    const { content: given = '' } = details;
    const content = typeof given === 'string' ? bytesOf(given) : bytesIn(given);
    const target = details.link === undefined ? null : bytesOfPath(details.link);
    const type = details.type ?? (target !== null ? 'link' : isDirectory ? 'dir' : 'file');
    return {
      identity: { dev: this.#device, ino: ++this.#made },
      type,
      target: type === 'link' ? (target ?? ('' as Bytes)) : null,
      content,
      size: details.size ?? (target ?? content).length,
      modified: details.modified ?? Date.now(),
      mode: details.mode ?? null,
      user: details.user ?? null,
      group: details.group ?? null,
      access: details.access ?? 'all',
      children: new Map(),
      version: ++this.#versions,
    };
  }
}

interface MemoryNode extends Metadata {
  readonly identity: Identity;
  readonly content: Bytes;
  readonly access: 'all' | 'names' | 'none';
  readonly children: Map<Bytes, MemoryNode>;
  /** Changes whenever its entries do. */
  version: bigint;
}

function memoryDirectory(node: MemoryNode, path: RootPath, parent: SourceDirectory | null): SourceDirectory {
  const { identity, access, children } = node;
  const directory: SourceDirectory = {
    path,
    identity,
    lookup(name) {
      if (access !== 'all') return { kind: 'denied' };
      const found = children.get(name);
      if (found === undefined) return { kind: 'missing' };
      if (found.type === 'dir') {
        return { kind: 'directory', directory: memoryDirectory(found, below(path, name), directory) };
      }
      return found.target === null ? { kind: 'not-a-directory' } : { kind: 'link', target: found.target };
    },
    up: () => parent,
    open() {
      if (access === 'none') throw codedError('EACCES', 'permission denied');
      return entryReader(entriesOf(node));
    },
    readFile(name, largest) {
      const found = access === 'all' ? children.get(name) : undefined;
      if (found === undefined) return null;
      if (found.type === 'link') return SkippedFile.link;
      if (found.type !== 'file') return SkippedFile.notPlain;
      if (found.access !== 'all') return SkippedFile.unreadable;
      return Math.max(found.size, found.content.length) > largest ? SkippedFile.largerThan(largest) : found.content;
    },
    metadata(name) {
      if (access !== 'all') return 'refused';
      const found = name === '.' ? node : children.get(name);
      if (found === undefined) return null;
      const { type, size, modified, mode, user, group, target } = found;
      return { type, size, modified, mode, user, group, target };
    },
    stamp: () => ({ ...identity, mtimeNs: node.version, ctimeNs: node.version }),
    close() {},
  };
  return directory;
}

function* entriesOf({ children }: MemoryNode): Generator<[Bytes, EntryType]> {
  for (const [name, { type }] of children) yield [name, type];
}

function detailsOf(entry: MemoryEntry): MemoryEntryDetails {
  if (entry === null) return { type: 'dir' };
  return typeof entry === 'string' || entry instanceof Uint8Array ? { content: entry } : entry;
}

/** Returns the bytes of a path, which may be in quoted form. */
function bytesOfPath(path: string): Bytes {
  const bytes = bytesOfShown(path);
  if (bytes === null) throw impossible(path, 'is in quoted form, which is not complete');
  return bytes;
}

function namesIn(bytes: Bytes, path: string): Bytes[] {
  const names = bytes.replace(/\/$/, '').split('/') as Bytes[];
  if (!names.every(isUsable)) throw impossible(path, 'is not a path from the root, name by name');
  return names;
}

function impossible(path: string, reason: string): ListingError {
  return new ListingError('malformed', `'${shownAsGiven(path)}' ${reason}`);
}
