/** Holds a directory without `/proc`: by its real path, with device and inode compared before and after each read. */
import { lstatSync } from 'node:fs';
import { type Bytes, below } from '../names/bytes.ts';
import { AT_ROOT, inAbsolute, type RootPath } from '../names/paths.ts';
import { codedError, codedFailure, ListingError } from '../workspace/listing-error.ts';
import { type Identity, same } from '../workspace/source.ts';
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
  if (!stats.isDirectory() && !stats.isSymbolicLink()) throw codedError('ENOTDIR', 'ENOTDIR: not a directory');
  if (!stats.isDirectory() || realBytes(realPath) !== realPath) return null;
  return pathDirectory(realPath, stats, AT_ROOT, null);
}

function pathDirectory(absolute: Bytes, { dev, ino }: Identity, path: RootPath, parent: DiskDirectory | null) {
  function verify(): void {
    const now = lstatSync(fsPath(absolute), { bigint: true });
    if (now.isDirectory() && same(now, { dev, ino }) && realBytes(absolute) === absolute) return;
    // A walk treats it as one directory that cannot be read.
    throw codedFailure('ESTALE', 'the directory was replaced while it was being read; call again');
  }

  const directory: DiskDirectory = {
    path,
    identity: { dev, ino },
    descriptor: null,
    mayFold: true,
    lookup(name) {
      const entry = inAbsolute(absolute, name);
      try {
        const stats = lstatSync(fsPath(entry), { bigint: true });
        const target = stats.isSymbolicLink() ? latin1Link(entry) : null;
        // The result is this directory's entry only if this directory is still there.
        verify();
        if (target !== null) return { kind: 'link', target };
        if (!stats.isDirectory()) return { kind: 'not-a-directory' };
        return { kind: 'directory', directory: pathDirectory(entry, stats, below(path, name), directory) };
      } catch (error) {
        return resultOfError(error);
      }
    },
    up: () => parent,
    open(withTypes) {
      const reader = openReader(absolute, false, withTypes, verify);
      try {
        verify();
        return reader;
      } catch (error) {
        reader.close();
        throw error;
      }
    },
    readFile(name, largest) {
      const content = readPlainFile(inAbsolute(absolute, name), largest);
      verify();
      return content;
    },
    metadata(name) {
      const metadata = metadataAt(inAbsolute(absolute, name));
      try {
        verify();
        return metadata;
      } catch (error) {
        // The entries of a directory that was replaced are gone with it.
        return error instanceof ListingError ? null : metadataOfError(error);
      }
    },
    // The directory at the path may by now be another, or one that was put back.
    stamp: () => null,
    // Nothing is held open, so a directory that is no longer at its path is gone.
    upwards: () => null,
    isDeleted: () => true,
    close() {},
  };
  return directory;
}
