/** A directory, as far as rules may look at it: the files that hold rules in it, above it, and elsewhere below the root. */
import type { Bytes } from './bytes.ts';
import type { RootPath } from './paths.ts';
import type { Metadata, Outside, RevisionRepository, SkippedFile } from './source.ts';

/** Files below the root. No link is followed, neither on the way nor at its end. */
export interface FilesBelowRoot {
  readonly rootRealPath: Bytes;
  /** What lies around the root; null where nothing does. */
  readonly outside: Outside | null;
  /** The content of a plain file; null when nothing is there. */
  fileAt(path: RootPath, largest?: number): Bytes | SkippedFile | null;
  /** What stands at a path; null when nothing does, or nothing that can be told. */
  entryAt(path: RootPath): Metadata | null;
}

/** A directory that rules are bound to. */
export interface PlaceInRoot extends FilesBelowRoot {
  readonly path: RootPath;
  /** The repository whose revision is listed; null where a repository shows itself by its `.git`. */
  readonly repository: RevisionRepository | null;
  /**
   * Calls `visit` in every directory from the root down to this one, each while it is held. Where one was moved away
   * meanwhile, those between it and this one are left out.
   */
  eachFromRoot(visit: (directory: HeldPlace) => Promise<void>): Promise<void>;
}

/** A directory that is held open. */
export interface HeldPlace extends FilesBelowRoot {
  readonly path: RootPath;
  readFile(name: Bytes): Bytes | SkippedFile | null;
}
