/** A directory, as far as rules may look at it: the files that hold rules in it, above it, and elsewhere below the root. */
import type { Bytes } from './bytes.ts';
import type { RootPath } from './paths.ts';
import type { Metadata } from './pinned.ts';
import type { Unusable } from './plain-file.ts';

/** Files below the root. No link is followed, neither on the way nor at its end. Paths are relative to the root. */
export interface FilesBelowRoot {
  /** The root's real path. */
  readonly rootPath: Bytes;
  /** The content of a plain file; null when nothing is there. */
  fileAt(path: RootPath, largest?: number): Bytes | Unusable | null;
  /** Another path to the same place outside: up from the root that is held, whatever stands in a parent's place by now. */
  fromHeldRoot(absolute: Bytes): Bytes;
  /** What stands at a path; null when nothing does, or nothing that can be told. '' is the root itself. */
  entryAt(path: RootPath): Metadata | null;
}

export interface Place extends FilesBelowRoot {
  /** Relative to the root; '' is the root. */
  readonly path: RootPath;
  /**
   * Calls `visit` in every directory from the root down to this one, each while it is held. Where one was moved away
   * meanwhile, those between it and this one are left out.
   */
  eachFromRoot(visit: (directory: HeldPlace) => Promise<void>): Promise<void>;
}

/** A directory that is held open. */
export interface HeldPlace extends FilesBelowRoot {
  readonly path: RootPath;
  readFile(name: Bytes): Bytes | Unusable | null;
}
