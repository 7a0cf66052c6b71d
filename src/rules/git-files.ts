/**
 * The files that git's rules come from: inside the workspace, where they are read from directory to directory and never
 * through a link; and outside of it, where git keeps what belongs to the user. Paths are absolute.
 */

import { isAbsolute, normalize, sep } from 'node:path';
import type { Bytes } from '../workspace/bytes.ts';
import { AT_ROOT, inAbsolute, type RootPath } from '../workspace/paths.ts';
import type { FilesBelowRoot } from '../workspace/place.ts';
import { LARGEST_RULE_FILE, type Metadata, type Outside, type SkippedFile } from '../workspace/source.ts';

export class GitFiles {
  readonly #inside: FilesBelowRoot;

  constructor(inside: FilesBelowRoot) {
    this.#inside = inside;
  }

  /** Whether there are files outside of the workspace: those of the user, and of directories above the root. */
  get hasOutside(): boolean {
    return this.#inside.outside !== null;
  }

  /** Anything inside can be written by anyone who can write into the workspace. */
  isInside(path: Bytes): boolean {
    return this.#fromRoot(path) !== null;
  }

  /** The content of a plain file; null when there is none. */
  read(path: Bytes, largest = LARGEST_RULE_FILE): Bytes | SkippedFile | null {
    return this.#dispatch(
      path,
      (inner) => this.#inside.fileAt(inner, largest),
      (real, outside) => outside.readFile(real, largest),
    );
  }

  /** The same for files of git's own, of which nothing is said where they cannot be used. */
  readQuietly(path: Bytes, largest?: number): Bytes | null {
    const content = this.read(path, largest);
    return typeof content === 'string' ? content : null;
  }

  entry(path: Bytes): Metadata | null {
    return this.#dispatch(
      path,
      (inner) => this.#inside.entryAt(inner),
      (real, outside) => outside.metadata(real),
    );
  }

  /** Relative to the root where it is inside; '.' is the root. */
  nameOf(path: Bytes): Bytes {
    return (this.#fromRoot(path) ?? path) || ('.' as Bytes);
  }

  /** Follows a path outside the workspace, which may lead back inside; a path inside is returned unchanged. */
  real(path: Bytes): Bytes | null {
    if (this.isInside(path)) return path;
    const { outside } = this.#inside;
    // Perf: mostly nothing is there.
    if (outside === null || this.#isOffLimits(path) || !outside.exists(path)) return null;
    return outside.realPath(path);
  }

  /** Devices, what the kernel makes up, and what lies on other machines: nothing there is ever asked for. */
  #isOffLimits(path: Bytes): boolean {
    const found = /^(?:[\\/]{2}|\/(?:dev|proc|sys|net)(?=\/|$))/.exec(path)?.[0];
    // A workspace may well lie in `/dev/shm`.
    return found !== undefined && !this.#inside.rootRealPath.startsWith(`${found}/`);
  }

  #dispatch<T>(
    path: Bytes,
    askInside: (fromRoot: RootPath) => T | null,
    askOutside: (real: Bytes, outside: Outside) => T | null,
  ): T | null {
    const real = this.real(path);
    if (real === null) return null;
    const inner = this.#fromRoot(real);
    if (inner !== null) return askInside(inner);
    const { outside } = this.#inside;
    return outside === null ? null : askOutside(real, outside);
  }

  /** '' for the root itself; null for what is not inside. */
  #fromRoot(path: Bytes): RootPath | null {
    const { rootRealPath } = this.#inside;
    if (path === rootRealPath) return AT_ROOT;
    const start = inAbsolute(rootRealPath, AT_ROOT);
    return path.startsWith(start) ? (path.slice(start.length) as RootPath) : null;
  }
}

/** `path`, if it is absolute, or else what it means in `directory`; without `.` and `..`. */
export function pathFrom(directory: Bytes, path: string): Bytes {
  const whole = normalize(isAbsolute(path) ? path : `${directory}${sep}${path}`);
  return (whole.length > 1 && whole.endsWith(sep) ? whole.slice(0, -1) : whole) as Bytes;
}
