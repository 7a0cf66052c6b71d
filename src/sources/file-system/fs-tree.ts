/** Reads anything shaped like Node's `fs.promises` as a tree: memfs, a shell's virtual file system, a union of both. */
import { type Bytes, below, bytesOf } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { codedError, ListingError, REFUSALS, systemCode, UNREACHABLE } from '../../workspace/listing-error.ts';
import type { EntryType } from '../../workspace/reader.ts';
import { SkippedFile } from '../../workspace/source.ts';
import { pagesOf, textPath } from '../asking.ts';
import type { AsyncEntry, AsyncTree } from '../loading/async-tree.ts';
import { LONGEST_NAME } from '../loading/usable-names.ts';

/** The type of an entry. Each flag is a method, as in Node, or a plain value. */
interface TypeFlags {
  readonly isDirectory: boolean | (() => boolean);
  readonly isFile: boolean | (() => boolean);
  readonly isSymbolicLink: boolean | (() => boolean);
}

/** An entry of a directory. */
export interface FileSystemDirent extends TypeFlags {
  readonly name: string;
}

/** The result of `lstat`. Missing fields are not shown. */
export interface FileSystemStats extends TypeFlags {
  readonly size: number;
  readonly mode?: number;
  readonly uid?: number;
  readonly gid?: number;
  readonly mtimeMs?: number;
  readonly mtime?: Date;
}

/** The part of Node's `fs.promises` that a workspace needs. */
export interface FileSystemLike {
  /** If it returns only names, `lstat` is called for the type of each. */
  readdir(path: string, options: { readonly withFileTypes: true }): Promise<readonly unknown[]>;
  lstat(path: string): Promise<FileSystemStats>;
  readlink?(path: string): Promise<unknown>;
  readFile(path: string): Promise<unknown>;
  realpath?(path: string): Promise<unknown>;
}

const AT_A_TIME = 64;

/** Rejects with a ListingError if there is no such directory. */
export async function fsTree(fs: FileSystemLike, root: string): Promise<AsyncTree> {
  const place = `'${shownAsGiven(root)}'`;
  if (!root.startsWith('/'))
    throw new ListingError('malformed', `${place} is not absolute, as a root of a file system has to be`);
  const given = root.replace(/(?<=^\/|[^/])\/+$/, '');
  const real = fs.realpath === undefined ? given : await asked(async () => String(await fs.realpath?.(given)), given);
  const stats = await asked(() => fs.lstat(real), given);
  if (typeOf(stats) !== 'dir') throw new ListingError('not-a-directory', `${place} is not a directory`);
  return treeOf(fs, real, real === given ? [] : [bytesOf(given)]);
}

function treeOf(fs: FileSystemLike, root: string, aliases: readonly Bytes[]): AsyncTree {
  const at = (path: RootPath) => textPath(root, path);
  const { readlink, realpath } = fs;

  async function described(path: RootPath, name: Bytes): Promise<AsyncEntry | null> {
    try {
      // An impossible name must not be looked up: it would lead elsewhere.
      if (name.includes('/') || name === '' || name === '..') return { name, type: 'other' };
      const place = at(name === '.' ? path : below(path, name));
      const stats = await coded(() => fs.lstat(place));
      const { size, mode, uid: user, gid: group, mtimeMs, mtime } = stats;
      return { name, type: typeOf(stats), size, modified: mtimeMs ?? mtime?.getTime(), mode, user, group };
    } catch (error) {
      const code = systemCode(error);
      if (!UNREACHABLE.has(code) || REFUSALS.has(code)) throw error;
      return null;
    }
  }

  async function entryOf(path: RootPath, entry: unknown): Promise<AsyncEntry | null> {
    if (typeof entry === 'string') return described(path, bytesOf(entry));
    const dirent = entry as FileSystemDirent;
    return { name: bytesOf(String(dirent.name)), type: typeOf(dirent) };
  }

  return {
    realPath: bytesOf(root),
    aliases,
    concurrency: AT_A_TIME,
    async *list(path) {
      const place = at(path);
      const found = await coded(() => fs.readdir(place, { withFileTypes: true }));
      // If a link was put into the path, that can be noticed only after reading, without a descriptor.
      const real = realpath === undefined ? place : String(await coded(() => realpath.call(fs, place)));
      if (real !== place) throw codedError('ENOENT', 'no such directory');
      if (!Array.isArray(found)) throw new TypeError('not a list of entries');
      for await (const page of pagesOf(found, () => LONGEST_NAME)) {
        const entries: (AsyncEntry | null)[] = [];
        for (let from = 0; from < page.length; from += AT_A_TIME) {
          const some = page.slice(from, from + AT_A_TIME);
          entries.push(...(await Promise.all(some.map((entry) => entryOf(path, entry)))));
        }
        yield entries.filter((entry) => entry !== null);
      }
    },
    describe: (path, names) => Promise.all(names.map((name) => described(path, name))),
    async readFile(path, largest) {
      const { size } = await coded(() => fs.lstat(at(path)));
      if (size > largest) return SkippedFile.largerThan(largest);
      const content = await coded(() => fs.readFile(at(path)));
      return content instanceof Uint8Array ? content : Buffer.from(String(content), 'utf8');
    },
    async readLink(path) {
      return readlink === undefined ? null : bytesOf(String(await coded(() => readlink.call(fs, at(path)))));
    },
  };
}

function typeOf(entry: TypeFlags): EntryType {
  const says = (key: keyof TypeFlags) => {
    const value = entry[key];
    return typeof value === 'function' ? value.call(entry) : value;
  };
  return says('isSymbolicLink') ? 'link' : says('isDirectory') ? 'dir' : says('isFile') ? 'file' : 'other';
}

/** Rejects with a system code. Some file systems have it only at the beginning of the error's message. */
async function coded<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const code = systemCode(error) || (/^(E[A-Z]+)\b/.exec((error as Error)?.message ?? '')?.[1] ?? 'EIO');
    throw codedError(code, 'the file system failed');
  }
}

function asked<T>(ask: () => Promise<T>, root: string): Promise<T> {
  return coded(ask).catch((error) => {
    throw UNREACHABLE.has(systemCode(error))
      ? new ListingError('missing', `'${shownAsGiven(root)}' is not there`)
      : error;
  });
}
