/** A directory as rules see it: the rule files in it, above it, and elsewhere below the root. */
import type { Bytes } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import type { Metadata, Outside, RevisionRepository, SkippedFile } from './source.ts';

/** Access to files below the root. No link is followed, neither along a path nor at its end. */
export interface FilesBelowRoot {
  readonly rootRealPath: Bytes;
  /** The surroundings of the root; null if it has none. */
  readonly outside: Outside | null;
  /** Returns the content of a plain file; null if nothing is there. */
  fileAt(path: RootPath, largest?: number): Bytes | SkippedFile | null;
  /** Returns the metadata of the entry at a path; null if there is none, or its metadata is unavailable. */
  entryAt(path: RootPath): Metadata | null;
}

/** A directory that rules are bound to. */
export interface PlaceInRoot extends FilesBelowRoot {
  readonly path: RootPath;
  /** The repository whose revision is listed; null if repositories are recognised by their `.git`. */
  readonly repository: RevisionRepository | null;
  /**
   * Calls `visit` for every directory from the root down to this one, while each is held. If one has been moved away
   * meanwhile, the directories between it and this one are skipped.
   */
  eachFromRoot(visit: (directory: HeldPlace) => Promise<void>): Promise<void>;
}

/** A directory that is held open. */
export interface HeldPlace extends FilesBelowRoot {
  readonly path: RootPath;
  readFile(name: Bytes): Bytes | SkippedFile | null;
}
