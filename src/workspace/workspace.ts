/**
 * Where a call may look: a root, a cwd inside it, and the way from a path argument to a pinned directory.
 */
import { isAbsolute } from 'node:path';
import { parsePath, splitPath } from './argument.ts';
import { type Bytes, below, bytesOf } from './bytes.ts';
import { fromSystem, ListingError, systemCode } from './listing-error.ts';
import { type PinnedDirectory, type PinRoot, pinRoot, realBytes, same } from './pinned.ts';
import { shownAsGiven, unquoted } from './quote.ts';
import type { DirectoryReader } from './reader.ts';
import { followLink, resolve, type Territory } from './resolve.ts';

export interface WorkspaceOptions {
  /**
   * The directory that relative paths start at: relative to the root, or absolute inside it.
   * @default '.'
   */
  readonly cwd?: string;
}

/** Closes a root that nobody holds any more, for the callers who never close their workspace. */
const forgotten = new FinalizationRegistry<PinnedDirectory>((root) => root.close());

export async function openWorkspace(root: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  return Workspace.open(root, options.cwd ?? '.', pinRoot);
}

export class Workspace {
  /** The root's real path. */
  readonly realPath: Bytes;
  readonly #givenPath: Bytes;
  readonly #pin: PinRoot;
  #cwd: Bytes = '' as Bytes;
  #root: SharedRoot | null;

  private constructor(realPath: Bytes, givenPath: Bytes, pin: PinRoot, root: PinnedDirectory) {
    this.realPath = realPath;
    this.#givenPath = givenPath;
    this.#pin = pin;
    this.#root = new SharedRoot(root);
  }

  static open(root: string, cwd: string, pin: PinRoot): Workspace {
    const workspace = Workspace.#pinned(root, pin);
    try {
      const directory = workspace.enter(cwd);
      workspace.#cwd = directory.path;
      directory.leave();
      return workspace;
    } catch (error) {
      workspace.close();
      const { kind, message } = fromSystem(error, null);
      throw new ListingError(kind, `cannot use the cwd '${shownAsGiven(cwd)}': ${message}`);
    }
  }

  static #pinned(root: string, pin: PinRoot): Workspace {
    try {
      const given = root.startsWith('"') ? unquoted(root) : bytesOf(root);
      if (given === null) throw new ListingError('malformed', 'the quoted form is not complete');
      const path = isAbsolute(given) ? given : below(realBytes('.' as Bytes), given);
      const realPath = realBytes(path);
      const directory = pin(realPath);
      if (directory !== null) return new Workspace(realPath, path, pin, directory);
    } catch (error) {
      const { kind, message } = fromSystem(error, null);
      throw new ListingError(kind, `cannot open '${shownAsGiven(root)}': ${message}`);
    }
    throw new ListingError('failed', `cannot open '${shownAsGiven(root)}': it was replaced meanwhile`);
  }

  /** The cwd's real path relative to the root; '' is the root. */
  get cwd(): Bytes {
    return this.#cwd;
  }

  /** Pins the directory that a path argument names, or throws a ListingError. The caller leaves it. */
  enter(argument: string): Visit {
    const path = parsePath(argument);
    const root = this.#currentRoot().hold();
    const territory: Territory = {
      root: root.directory,
      realPath: this.realPath,
      entrances: [splitPath(this.realPath), splitPath(this.#givenPath)],
    };
    try {
      return new Visit(territory, resolve(territory, splitPath(this.#cwd).names, path), () => root.release());
    } catch (error) {
      root.release();
      throw fromSystem(error, null);
    }
  }

  /** Gives the root's descriptor back. Calls that are under way finish; new ones are refused. */
  close(): void {
    this.#root?.release();
    this.#root = null;
  }

  /**
   * The root as it is now. It is held by descriptor, so that nobody can swap a parent of it for a link; but where the
   * real path leads, without any link, to another directory (a fresh clone in its place), that one is the root.
   */
  #currentRoot(): SharedRoot {
    if (this.#root === null) throw new ListingError('failed', 'the workspace is closed');
    const held = this.#root;
    const fresh = this.#pinAgain();
    if (fresh === null) {
      // Nothing at the path just now: what is held still is the root that was opened, unless that was deleted.
      if (held.directory.isDeleted()) throw new ListingError('missing', 'the root is gone', '' as Bytes);
      return held;
    }
    if (same(fresh.identity, held.directory.identity)) {
      fresh.close();
      return held;
    }
    held.release();
    this.#root = new SharedRoot(fresh);
    return this.#root;
  }

  #pinAgain(): PinnedDirectory | null {
    try {
      return this.#pin(this.realPath);
    } catch (error) {
      if (systemCode(error) === '') throw error;
      return null;
    }
  }
}

/** A root that is closed when its workspace and every call under way have let go of it. */
class SharedRoot {
  readonly directory: PinnedDirectory;
  #holders = 1;

  constructor(directory: PinnedDirectory) {
    this.directory = directory;
    forgotten.register(this, directory, this);
  }

  hold(): this {
    this.#holders++;
    return this;
  }

  release(): void {
    if (--this.#holders > 0) return;
    forgotten.unregister(this);
    this.directory.close();
  }
}

/** A directory of the workspace while a call looks at it. */
export class Visit {
  readonly #territory: Territory;
  readonly #directory: PinnedDirectory;
  readonly #release: () => void;
  /** Names that were looked at to follow links: work that a long listing has to pause for. */
  stepsWalked = 0;

  constructor(territory: Territory, directory: PinnedDirectory, release: () => void) {
    this.#territory = territory;
    this.#directory = directory;
    this.#release = release;
  }

  get path(): Bytes {
    return this.#directory.path;
  }

  /** Without types each entry is asked for its own, for systems where reading does not tell them. */
  open(withTypes = true): DirectoryReader {
    try {
      return this.#directory.open(withTypes);
    } catch (error) {
      throw fromSystem(error, this.path);
    }
  }

  /** Whether the entry `name`, a link, leads to a directory inside the workspace. */
  linksToDirectory(name: Bytes): boolean {
    const { leadsToDirectory, steps } = followLink(this.#territory, this.#directory, name);
    this.stepsWalked += steps;
    return leadsToDirectory;
  }

  leave(): void {
    if (this.#directory !== this.#territory.root) this.#directory.close();
    this.#release();
  }
}
