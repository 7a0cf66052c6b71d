/**
 * A directory on the disk as a source. Its root is held open, so that swapping a parent for a link has no effect. But
 * if the real path leads to another directory without any link (a fresh clone in its place), that becomes the root.
 */
import { isAbsolute, resolve } from 'node:path';
import { type Bytes, below, bytesOf, textOf } from '../names/bytes.ts';
import { AT_ROOT, sharedNames } from '../names/paths.ts';
import { bytesOfShown, shownAsGiven } from '../names/quote.ts';
import { LITERAL_PREFIX, splitPath } from '../workspace/argument.ts';
import { Budget } from '../workspace/budget.ts';
import { fromSystem, ListingError, systemCode } from '../workspace/listing-error.ts';
import { noteServedRoot } from '../workspace/served-roots.ts';
import { type Outside, type PathStyle, type Source, type SourceRoot, same } from '../workspace/source.ts';
import { Workspace } from '../workspace/workspace.ts';
import { closedUnless, type DiskDirectory, hasProc, metadataAt, type PinRoot, realBytes } from './disk-directory.ts';
import { pinByCall } from './pinned-by-call.ts';
import { pinByDescriptor, pinUntilCallsPay } from './pinned-by-descriptor.ts';
import { pinByPath } from './pinned-by-path.ts';
import { exists, readPlainFile, realPath } from './plain-file.ts';
import { loadedSystemCalls, systemCalls } from './system-calls.ts';

/** On Windows a root may also be written `\proj`, `C:proj` or `\\?\C:\proj`. */
function absolutePath(given: Bytes): Bytes {
  if (process.platform === 'win32') return bytesOf(resolve((textOf(given) ?? given).replace(LITERAL_PREFIX, '')));
  return isAbsolute(given) ? given : below(realBytes('.' as Bytes), given);
}

export class DiskSource implements Source {
  readonly realPath: Bytes;
  readonly aliases: readonly Bytes[];
  readonly pathStyle: PathStyle = process.platform === 'win32' ? 'win32' : 'posix';
  readonly #pin: PinRoot;
  #root: SharedRoot;

  private constructor(realPath: Bytes, givenPath: Bytes, pin: PinRoot, root: DiskDirectory) {
    this.realPath = realPath;
    this.aliases = givenPath === realPath ? [] : [givenPath];
    this.#pin = pin;
    this.#root = sharedRoot(root, realPath);
  }

  /** `root` may lead through links, and may be quoted. No program in a root that `isServed` is ever started. */
  static open(root: string, pin: PinRoot = pinRoot, isServed = true): DiskSource {
    try {
      const given = bytesOfShown(root);
      if (given === null) throw new ListingError('malformed', 'the quoted form is not complete');
      const path = absolutePath(given);
      const realPath = realBytes(path);
      if (isServed) noteServedRoot(realPath);
      const directory = pin(realPath);
      if (directory !== null) return new DiskSource(realPath, path, pin, directory);
    } catch (error) {
      const { kind, message, code } = fromSystem(error, null);
      throw Object.assign(new ListingError(kind, `cannot open '${shownAsGiven(root)}': ${message}`), { code });
    }
    throw new ListingError('failed', `cannot open '${shownAsGiven(root)}': it was replaced meanwhile`);
  }

  root(): SourceRoot {
    const fresh = this.#pinAgain();
    if (fresh instanceof ListingError) {
      // The path is unavailable just now. The held directory is still the root that was opened, unless it was deleted.
      if (this.#root.directory.isDeleted()) throw fresh;
      return this.#root.hold();
    }
    const held = this.#root;
    // The same directory can be held in a better way once the direct system calls are loaded.
    const isBetter = fresh.stampAt !== undefined && held.directory.stampAt === undefined;
    const other = closedUnless(() => isBetter || !same(fresh.identity, held.directory.identity), fresh);
    if (other === null) return held.hold();
    this.#root = sharedRoot(other, this.realPath);
    held.release();
    return this.#root.hold();
  }

  /** Returns false if nothing is left at the root's path, or if only a link leads there. */
  isInPlace(): boolean {
    try {
      const fresh = this.#pin(this.realPath);
      fresh?.close();
      return fresh !== null;
    } catch (error) {
      return systemCode(error) !== 'ENOENT';
    }
  }

  close(): void {
    this.#root.release();
  }

  /** Pins the directory at the root's path, or returns the reason why there is none. */
  #pinAgain(): DiskDirectory | ListingError {
    try {
      return this.#pin(this.realPath) ?? gone();
    } catch (error) {
      if (systemCode(error) === '') throw error;
      const failure = fromSystem(error, AT_ROOT);
      return failure.kind === 'missing' || failure.kind === 'not-a-directory' ? gone() : failure;
    }
  }
}

const gone = (): ListingError => new ListingError('missing', 'the root is gone', AT_ROOT);

/** Closes roots that are no longer referenced, for callers that never close their workspace. */
const forgotten = new FinalizationRegistry<DiskDirectory>((root) => root.close());

interface SharedRoot extends SourceRoot {
  readonly directory: DiskDirectory;
  hold(): SharedRoot;
}

/** A root that is closed once its source and all calls in progress have released it. */
function sharedRoot(directory: DiskDirectory, realPath: Bytes): SharedRoot {
  let holders = 1;
  const root: SharedRoot = {
    directory,
    outside: outsideOf(directory, realPath),
    hold() {
      holders++;
      return root;
    },
    release() {
      if (--holders > 0) return;
      forgotten.unregister(root);
      directory.close();
    },
  };
  forgotten.register(root, directory, root);
  return root;
}

/** Everything is reached upwards from the held root, whatever has been put in the place of a parent. */
function outsideOf(root: DiskDirectory, rootRealPath: Bytes): Outside {
  const rootNames = splitPath(rootRealPath).names;
  const fromRoot = (absolute: Bytes): string => {
    const { names } = splitPath(absolute);
    const shared = sharedNames(rootNames, names);
    const up = shared === 0 ? null : root.upwards(rootNames.length - shared);
    return up === null ? absolute : [up, ...names.slice(shared)].join('/');
  };
  return {
    exists: (path) => exists(fromRoot(path)),
    realPath: (path) => realPath(fromRoot(path)),
    readFile: (path, largest) => readPlainFile(fromRoot(path), largest),
    metadata: (path) => {
      const metadata = metadataAt(fromRoot(path));
      return metadata === 'refused' ? null : metadata;
    },
  };
}

export function pinRoot(realPath: Bytes): DiskDirectory | null {
  // Without `/proc`, the calls give stronger guarantees than any other way, so they are always worth loading.
  const calls = hasProc() ? loadedSystemCalls() : systemCalls();
  if (calls !== null) return pinByCall(realPath, calls);
  return hasProc() ? pinUntilCallsPay(realPath) : pinByPath(realPath);
}

/** Pins a root in the best way without direct system calls. */
export const pinWithoutCalls: PinRoot = (realPath) => (hasProc() ? pinByDescriptor(realPath) : pinByPath(realPath));

/** Weak: if workspaces are never closed, the source is collected with them, and its root is closed. */
const shared = new Map<string, { readonly source: WeakRef<DiskSource>; users: number }>();

/** Takes the same arguments as `DiskSource.open`. The root is closed once it was closed as often as it was opened. */
export function openSharedDisk(root: string, pin: PinRoot): Source {
  const fresh = DiskSource.open(root, pin);
  const { realPath, aliases, pathStyle } = fresh;
  const key = [pin.name, realPath, ...aliases].join('\0');
  const known = shared.get(key);
  const source = known?.source.deref() ?? fresh;
  const entry = known !== undefined && source !== fresh ? known : { source: new WeakRef(source), users: 0 };
  if (source !== fresh) fresh.close();
  entry.users++;
  shared.set(key, entry);
  return {
    ...{ realPath, aliases, pathStyle },
    root: () => source.root(),
    close: () => {
      if (--entry.users > 0) return;
      if (shared.get(key) === entry) shared.delete(key);
      source.close();
    },
  };
}

/** The options for opening a workspace. */
export interface WorkspaceOptions {
  /**
   * The directory that relative paths start at: relative to the root, or absolute inside it.
   * @default '.'
   */
  readonly cwd?: string;
  /**
   * Allows `Tree` and `Find` to start git to read the history. Without it no program is ever started.
   * @default true
   */
  readonly git?: boolean;
  /**
   * Allows large directories and trees on a disk to be read by direct system calls, if koffi is installed. The answers
   * are the same without them, but take longer.
   * @default true
   */
  readonly systemCalls?: boolean;
}

/** Opens a workspace. `root` is the path of a directory, or a source, which then belongs to the workspace. */
export async function openWorkspace(root: string | Source, options: WorkspaceOptions = {}): Promise<Workspace> {
  const pin = (options.systemCalls ?? true) ? pinRoot : pinWithoutCalls;
  const source = typeof root === 'string' ? openSharedDisk(root, pin) : root;
  return new Budget().run(Workspace.opening(source, options.cwd ?? '.', options.git ?? true));
}
