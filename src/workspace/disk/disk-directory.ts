/**
 * A directory of the disk that is held, not named.
 *
 * To check a path and then read it is a race that a link swap can win. A pinned directory is opened once, from its
 * pinned parent and never through a link, and everything about it is then asked through what was opened. Two ways:
 *
 * `pinned-by-descriptor.ts` where the system has `/proc`, `pinned-by-path.ts` elsewhere.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { type Bytes, bytesOf } from '../bytes.ts';
import { concernsOneEntry, isUnreachable, REFUSALS, systemCode } from '../listing-error.ts';
import type { LookupResult, Metadata, SourceDirectory } from '../source.ts';
import { typeOf } from './disk-reader.ts';
import { fsPath, HAS_TEXT_ALONE } from './fs-path.ts';

export interface DiskDirectory extends SourceDirectory {
  /** A path that leads up from here for certain, so many levels; null where nothing is held open. */
  upwards(levels: number): string | null;
  /** Whether it was removed while it was held. */
  isDeleted(): boolean;
}

/** Pins the directory at a real path, which must lead there without any link; null when it does not. */
export type PinRoot = (realPath: Bytes) => DiskDirectory | null;

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'ERR_INVALID_ARG_VALUE']);

export function resultOfError(error: unknown): LookupResult {
  const code = systemCode(error);
  if (MISSING.has(code)) return { kind: 'missing' };
  if (REFUSALS.has(code)) return { kind: 'denied' };
  throw error;
}

/** `path` leads to the entry for certain. */
export function metadataAt(path: string): Metadata | 'refused' | null {
  try {
    const stats = lstatSync(fsPath(path));
    const type = typeOf(stats);
    return {
      type,
      size: stats.size,
      modified: stats.mtimeMs,
      mode: stats.mode,
      user: stats.uid,
      group: stats.gid,
      target: type === 'link' ? latin1Link(path) : null,
    };
  } catch (error) {
    if (REFUSALS.has(systemCode(error))) return 'refused';
    if (isUnreachable(error)) return null;
    if (concernsOneEntry(systemCode(error))) return 'refused';
    throw error;
  }
}

export function latin1Link(path: string): Bytes {
  if (HAS_TEXT_ALONE) return bytesOf(readlinkSync(fsPath(path)));
  return readlinkSync(fsPath(path), { encoding: 'latin1' }) as Bytes;
}

export function realBytes(path: Bytes): Bytes {
  return realpathSync.native(fsPath(path), { encoding: 'latin1' }) as Bytes;
}

/** The directory, if it passes the test; else it is closed, also where the test throws. */
export function closedUnless<Directory extends SourceDirectory>(
  passes: () => boolean,
  directory: Directory,
): Directory | null {
  let isKept = false;
  try {
    isKept = passes();
    return isKept ? directory : null;
  } finally {
    if (!isKept) directory.close();
  }
}
