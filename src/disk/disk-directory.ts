/**
 * Checking a path and then reading it is a race that a link swap can win. A pinned directory is opened once, from its
 * pinned parent and never through a link, and is then accessed through what was opened: `pinned-by-call.ts` with direct
 * system calls, `pinned-by-descriptor.ts` with `/proc`, and `pinned-by-path.ts` elsewhere.
 */
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { type Bytes, bytesOf } from '../names/bytes.ts';
import { codedError, concernsOneEntry, REFUSALS, systemCode, UNREACHABLE } from '../workspace/listing-error.ts';
import type { LookupResult, Metadata, SourceDirectory } from '../workspace/source.ts';
import { typeOf } from './disk-reader.ts';
import { fsPath, HAS_TEXT_ALONE, IS_WINDOWS } from './fs-path.ts';

export interface DiskDirectory extends SourceDirectory {
  /** Returns a path that is certain to lead so many levels up from here; null if nothing is held open. */
  upwards(levels: number): string | null;
  /** Returns true if it was removed while it was held. */
  isDeleted(): boolean;
}

/** Pins the directory at a real path, which must lead there without any link; null if it does not. */
export type PinRoot = (realPath: Bytes) => DiskDirectory | null;

const MISSING = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP', 'EILSEQ', 'ERR_INVALID_ARG_VALUE']);

export function resultOfError(error: unknown): LookupResult {
  const result = resultOfCode(systemCode(error));
  if (result === null) throw error;
  return result;
}

/** Returns null if the code is a failure of the call. */
export function resultOfCode(code: string): LookupResult | null {
  if (MISSING.has(code)) return { kind: 'missing' };
  return REFUSALS.has(code) ? { kind: 'denied' } : null;
}

/** Windows goes by the extension, and Node reports no permission to execute there. */
const PROGRAM = /\.(?:exe|com|bat|cmd)$/i;

/** `path` must be certain to lead to the entry. */
export function metadataAt(path: string): Metadata | 'refused' | null {
  try {
    const stats = lstatSync(fsPath(path));
    const type = typeOf(stats);
    return {
      type,
      size: stats.size,
      modified: stats.mtimeMs,
      mode: IS_WINDOWS && PROGRAM.test(path) ? stats.mode | 0o111 : stats.mode,
      user: IS_WINDOWS ? null : stats.uid,
      group: IS_WINDOWS ? null : stats.gid,
      target: type === 'link' ? latin1Link(path) : null,
      inode: stats.ino,
      changed: stats.ctimeMs,
      links: stats.nlink,
    };
  } catch (error) {
    return metadataOfError(error);
  }
}

/** Returns the result for an entry whose metadata the system fails to return. */
export function metadataOfError(error: unknown): 'refused' | null {
  const code = systemCode(error);
  if (REFUSALS.has(code)) return 'refused';
  if (UNREACHABLE.has(code)) return null;
  if (concernsOneEntry(code)) return 'refused';
  throw error;
}

/** Ext, xfs, btrfs, tmpfs; overlay, f2fs, zfs, bcachefs. On others (NFS, SMB, FUSE) times may be late or made up. */
export const LOCAL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994],
  ...[0x794c7630, 0xf2f52010, 0x2fc12fc1, 0xca451a4e],
]);

let proc: boolean | undefined;

/** Even a Linux system may lack `/proc`. */
export function hasProc(): boolean {
  try {
    proc ??= process.platform === 'linux' && statSync('/proc/self/fd').isDirectory();
  } catch {
    proc = false;
  }
  return proc;
}

export function latin1Link(path: string): Bytes {
  if (!HAS_TEXT_ALONE) return readlinkSync(fsPath(path), { encoding: 'latin1' }) as Bytes;
  try {
    return bytesOf(readlinkSync(fsPath(path)));
  } catch (error) {
    // Deno's own failure, for a target that is not text, has no code.
    throw systemCode(error) === '' ? codedError('EILSEQ', 'not valid UTF-8') : error;
  }
}

export function realBytes(path: Bytes): Bytes {
  return realpathSync.native(fsPath(path), { encoding: 'latin1' }) as Bytes;
}

/** Returns the directory if it passes the test; otherwise, or if the test throws, closes it. */
export function closedUnless<Directory extends SourceDirectory>(passes: () => boolean, directory: Directory) {
  let isKept = false;
  try {
    isKept = passes();
    return isKept ? directory : null;
  } finally {
    if (!isKept) directory.close();
  }
}
