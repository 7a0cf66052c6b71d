/** Holds a directory without `/proc`: by its real path, with device and inode compared before and after each read. */
import { lstatSync } from 'node:fs';
import { type Bytes, below } from '../names/bytes.ts';
import { AT_ROOT, inAbsolute, type RootPath } from '../names/paths.ts';
import { codedError, codedFailure, ListingError } from '../workspace/listing-error.ts';
import type { DirectoryReader } from '../workspace/reader.ts';
import { type Identity, type LookupResult, type Metadata, type SkippedFile, same } from '../workspace/source.ts';
import {
  type DiskDirectory,
  latin1Link,
  metadataAt,
  metadataOfError,
  realBytes,
  resultOfError,
} from './disk-directory.ts';
import { openReader } from './disk-reader.ts';
import { fsPath } from './fs-path.ts';
import { readPlainFile } from './plain-file.ts';

export function pinByPath(realPath: Bytes): DiskDirectory | null {
  const stats = lstatSync(fsPath(realPath), { bigint: true });
  // The same failure as of a system call: a file can then be listed by itself.
  if (!stats.isDirectory() && !stats.isSymbolicLink()) {
    throw codedError('ENOTDIR', 'ENOTDIR: not a directory');
  }
  if (!stats.isDirectory() || realBytes(realPath) !== realPath) return null;
  return new PathDirectory(realPath, stats, AT_ROOT, null);
}

class PathDirectory implements DiskDirectory {
  readonly path: RootPath;
  readonly #parent: PathDirectory | null;
  readonly identity: Identity;
  readonly descriptor = null;
  readonly mayFold = true;
  readonly #absolute: Bytes;

  constructor(absolute: Bytes, identity: Identity, path: RootPath, parent: PathDirectory | null) {
    this.#absolute = absolute;
    this.identity = { dev: identity.dev, ino: identity.ino };
    this.path = path;
    this.#parent = parent;
  }

  lookup(name: Bytes): LookupResult {
    const absolute = inAbsolute(this.#absolute, name);
    try {
      const stats = lstatSync(fsPath(absolute), { bigint: true });
      const target = stats.isSymbolicLink() ? latin1Link(absolute) : null;
      // The result is this directory's entry only if this directory is still there.
      this.#verify();
      if (target !== null) return { kind: 'link', target };
      if (!stats.isDirectory()) return { kind: 'not-a-directory' };
      return { kind: 'directory', directory: new PathDirectory(absolute, stats, below(this.path, name), this) };
    } catch (error) {
      return resultOfError(error);
    }
  }

  up(): DiskDirectory | null {
    return this.#parent;
  }

  open(withTypes: boolean): DirectoryReader {
    const reader = openReader(this.#absolute, 'unknown', withTypes, () => this.#verify());
    try {
      this.#verify();
      return reader;
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  readFile(name: Bytes, largest: number): Bytes | SkippedFile | null {
    const content = readPlainFile(inAbsolute(this.#absolute, name), largest);
    this.#verify();
    return content;
  }

  upwards(): null {
    return null;
  }

  metadata(name: Bytes): Metadata | 'refused' | null {
    const metadata = metadataAt(inAbsolute(this.#absolute, name));
    try {
      this.#verify();
      return metadata;
    } catch (error) {
      // The entries of a directory that was replaced are gone with it.
      return error instanceof ListingError ? null : metadataOfError(error);
    }
  }

  /** The directory at the path may by now be another, or one that was put back. */
  stamp(): null {
    return null;
  }

  /** Nothing is held open, so a directory that is no longer at its path is gone. */
  isDeleted(): boolean {
    return true;
  }

  close(): void {}

  #verify(): void {
    const now = lstatSync(fsPath(this.#absolute), { bigint: true });
    if (now.isDirectory() && same(now, this.identity) && realBytes(this.#absolute) === this.#absolute) return;
    // A walk treats it as one directory that cannot be read.
    throw codedFailure('ESTALE', 'the directory was replaced while it was being read; call again');
  }
}
