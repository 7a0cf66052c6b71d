/** Reads git's files by absolute paths. Inside the workspace no link is followed; outside are the user's own files. */
import { isAbsolute, normalize, sep } from 'node:path';
import type { Bytes } from '../names/bytes.ts';
import { AT_ROOT, inAbsolute, type RootPath, withSlashes } from '../names/paths.ts';
import { shown } from '../names/quote.ts';
import { type FilesBelowRoot, LARGEST_RULE_FILE, type Metadata, type SkippedFile } from '../workspace/source.ts';

export const GITIGNORE = '.gitignore' as Bytes;

export class GitFiles {
  readonly #inside: FilesBelowRoot;

  constructor(inside: FilesBelowRoot) {
    this.#inside = inside;
  }

  /** True if there are files outside the workspace: those of the user, and of directories above the root. */
  get hasOutside(): boolean {
    return this.#inside.outside !== null;
  }

  /** Anything inside can be written by anyone who can write to the workspace. */
  isInside(path: Bytes): boolean {
    return this.fromRoot(path) !== null;
  }

  /** Returns the content of a plain file; null if there is none. */
  read(path: Bytes, largest = LARGEST_RULE_FILE): Bytes | SkippedFile | null {
    const real = this.real(path);
    if (real === null) return null;
    const inner = this.fromRoot(real);
    if (inner !== null) return this.#inside.fileAt(inner, largest);
    return this.#inside.outside?.readFile(real, largest) ?? null;
  }

  /** Reads one of git's own files; null, without a reason, if it cannot be used. */
  readQuietly(path: Bytes, largest?: number): Bytes | null {
    const content = this.read(path, largest);
    return typeof content === 'string' ? content : null;
  }

  entry(path: Bytes): Metadata | null {
    const real = this.real(path);
    if (real === null) return null;
    const inner = this.fromRoot(real);
    if (inner !== null) return this.#inside.entryAt(inner);
    return this.#inside.outside?.metadata(real) ?? null;
  }

  /** Formats a path for a note: relative to the root, which is '.', if it is inside. */
  nameOf(path: Bytes): string {
    return shown((this.fromRoot(path) ?? path) || ('.' as Bytes));
  }

  /** Follows a path outside the workspace, which may lead back inside; a path inside is returned unchanged. */
  real(path: Bytes): Bytes | null {
    if (this.isInside(path)) return path;
    const { outside } = this.#inside;
    // Perf: usually nothing is there.
    if (outside === null || this.#isOffLimits(path) || !outside.exists(path)) return null;
    return outside.realPath(path);
  }

  /** Returns true for devices, the kernel's virtual files and other machines, none of which is ever accessed. */
  #isOffLimits(path: Bytes): boolean {
    const found = /^(?:[\\/]{2}|[\\/](?:dev|proc|sys|net)(?:[\\/][^\\/]*|$))/.exec(path)?.[0];
    // A workspace may be in `/dev/shm`, which does not make `/dev/null` a file.
    return found !== undefined && !this.#inside.rootRealPath.startsWith(`${found}/`);
  }

  /** Returns '' for the root itself; null for a path that is not inside. */
  fromRoot(path: Bytes): RootPath | null {
    const { rootRealPath } = this.#inside;
    if (path === rootRealPath) return AT_ROOT;
    const start = inAbsolute(rootRealPath, AT_ROOT);
    // On Windows, a name with a backslash would be looked up as one name, through any link in it.
    return path.startsWith(start) ? (withSlashes(path.slice(start.length) as Bytes) as RootPath) : null;
  }
}

/** Resolves `path` against `directory`, unless it is absolute, and removes `.` and `..`. */
export function pathFrom(directory: Bytes, path: string): Bytes {
  const whole = normalize(isAbsolute(path) ? path : `${directory}${sep}${path}`);
  return (whole.length > 1 && whole.endsWith(sep) ? whole.slice(0, -1) : whole) as Bytes;
}
