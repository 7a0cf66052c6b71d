/** A directory, as far as rules may look at it: which files that hold rules are in it, and above it. */
import type { Bytes } from './bytes.ts';

export interface Place {
  /** Relative to the root; '' is the root. */
  readonly path: Bytes;
  /** The root's real path. */
  readonly rootPath: Bytes;
  /** The content of the plain file `name`; null when there is none. */
  readFile(name: Bytes): Bytes | null;
  /** The same in the root. */
  rootFile(name: Bytes): Bytes | null;
  /**
   * What `ask` finds in every directory from the root, whose depth is 0, down to this one; null where one was moved
   * away. It is given a path that leads to the directory for certain while it is asked, whatever is swapped for a link.
   */
  fromRoot<T>(ask: (path: Bytes, depth: number) => T): (T | null)[];
}
