/**
 * Where a call may look: a root, a cwd inside it, and the way from a path argument to a pinned directory.
 */
import { isAbsolute } from 'node:path';
import { parsePath, splitPath } from './argument.ts';
import { Budget } from './budget.ts';
import { type Bytes, below, bytesOf } from './bytes.ts';
import { fromSystem, ListingError, systemCode } from './listing-error.ts';
import { AT_ROOT, asGiven, type GivenPath, type RootPath } from './paths.ts';
import { keptIf, type PinnedDirectory, type PinRoot, realBytes, same } from './pinned.ts';
import { pinRoot } from './pinned-root.ts';
import type { Unusable } from './plain-file.ts';
import { shownAsGiven, unquoted } from './quote.ts';
import { type Boundary, type Location, locate, pinAt, resolve } from './resolve.ts';
import { noteServedRoot } from './served-roots.ts';
import { atOnce, type Steps } from './steps.ts';
import { Visit } from './visit.ts';

export interface WorkspaceOptions {
  /**
   * The directory that relative paths start at: relative to the root, or absolute inside it.
   * @default '.'
   */
  readonly cwd?: string;
  /**
   * Whether `Tree` may start git to learn what was worked on lately. Without it no program is ever started.
   * @default true
   */
  readonly git?: boolean;
}

/** Closes a root that nobody holds any more, for the callers who never close their workspace. */
const forgotten = new FinalizationRegistry<PinnedDirectory>((root) => root.close());

export async function openWorkspace(root: string, options: WorkspaceOptions = {}): Promise<Workspace> {
  return Workspace.open(root, options.cwd ?? '.', pinRoot, options.git ?? true);
}

export class Workspace {
  /** The root's real path. */
  readonly realPath: Bytes;
  /** The absolute path that it was opened by, which may lead through links. */
  readonly givenPath: Bytes;
  /** Whether git may be started to learn about it. */
  readonly mayStartGit: boolean;
  readonly #pin: PinRoot;
  #cwd = AT_ROOT;
  #root: SharedRoot | null;

  private constructor(realPath: Bytes, givenPath: Bytes, pin: PinRoot, root: PinnedDirectory, mayStartGit: boolean) {
    this.mayStartGit = mayStartGit;
    this.realPath = realPath;
    this.givenPath = givenPath;
    this.#pin = pin;
    this.#root = new SharedRoot(root);
  }

  static open(root: string, cwd: string, pin: PinRoot, mayStartGit = true): Workspace {
    const workspace = Workspace.#pinned(root, pin, mayStartGit);
    try {
      const directory = workspace.enter(asGiven(cwd));
      workspace.#cwd = directory.path;
      directory.leave();
      return workspace;
    } catch (error) {
      workspace.close();
      const { kind, message } = fromSystem(error, null);
      throw new ListingError(kind, `cannot use the cwd '${shownAsGiven(cwd)}': ${message}`);
    }
  }

  static #pinned(root: string, pin: PinRoot, mayStartGit: boolean): Workspace {
    try {
      const given = root.startsWith('"') ? unquoted(root) : bytesOf(root);
      if (given === null) throw new ListingError('malformed', 'the quoted form is not complete');
      const path = isAbsolute(given) ? given : below(realBytes('.' as Bytes), given);
      const realPath = realBytes(path);
      noteServedRoot(realPath);
      const directory = pin(realPath);
      if (directory !== null) return new Workspace(realPath, path, pin, directory, mayStartGit);
    } catch (error) {
      const { kind, message } = fromSystem(error, null);
      throw new ListingError(kind, `cannot open '${shownAsGiven(root)}': ${message}`);
    }
    throw new ListingError('failed', `cannot open '${shownAsGiven(root)}': it was replaced meanwhile`);
  }

  /** The cwd's real path relative to the root; '' is the root. */
  get cwd(): RootPath {
    return this.#cwd;
  }

  /** Pins the directory that a path argument names, or throws a ListingError. The caller leaves it. */
  enter(argument: GivenPath, budget = Budget.unlimited()): Visit {
    return atOnce(this.entering(argument, budget));
  }

  /** The same in steps, for an argument that somebody sent: thousands of names take long to walk. */
  *entering(argument: GivenPath, budget: Budget): Steps<Visit> {
    const path = parsePath(argument);
    const root = this.#currentRoot().hold();
    const boundary = this.#boundaryOf(root);
    try {
      const directory = yield* resolve(boundary, this.#cwd, path);
      return new Visit(boundary, directory, budget, () => root.release());
    } catch (error) {
      root.release();
      throw fromSystem(error, null);
    }
  }

  /** Where the entry stands that a path argument names, whether or not there is one; or throws a ListingError. */
  *locating(argument: GivenPath): Steps<Location> {
    const path = parsePath(argument);
    const root = this.#currentRoot().hold();
    try {
      return yield* locate(this.#boundaryOf(root), this.#cwd, path);
    } catch (error) {
      throw fromSystem(error, null);
    } finally {
      root.release();
    }
  }

  /** Pins the directory at a place below the root, without following a link. */
  enterAt(path: RootPath, budget = Budget.unlimited()): Visit {
    return atOnce(this.enteringAt(path, budget));
  }

  *enteringAt(path: RootPath, budget: Budget): Steps<Visit> {
    const root = this.#currentRoot().hold();
    const boundary = this.#boundaryOf(root);
    try {
      const directory = yield* pinAt(boundary, path);
      return new Visit(boundary, directory, budget, () => root.release());
    } catch (error) {
      root.release();
      throw fromSystem(error, null);
    }
  }

  enterRoot(budget = Budget.unlimited()): Visit {
    return this.enterAt(AT_ROOT, budget);
  }

  /** The content of a plain file that stands in the root; null when there is none. */
  readFile(name: string): Bytes | Unusable | null {
    const root = this.enterRoot();
    try {
      return root.readFile(bytesOf(name));
    } finally {
      root.leave();
    }
  }

  #boundaryOf(root: SharedRoot): Boundary {
    return {
      root: root.directory,
      realPath: this.realPath,
      aliases: [splitPath(this.realPath), splitPath(this.givenPath)],
    };
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
    try {
      return this.#rootAtPath(this.#root);
    } catch (error) {
      throw fromSystem(error, null);
    }
  }

  #rootAtPath(held: SharedRoot): SharedRoot {
    const fresh = this.#pinAgain();
    if (fresh === null) {
      // Nothing at the path just now: what is held still is the root that was opened, unless that was deleted.
      if (held.directory.isDeleted()) throw new ListingError('missing', 'the root is gone', AT_ROOT);
      return held;
    }
    const other = keptIf(() => !same(fresh.identity, held.directory.identity), fresh);
    if (other === null) return held;
    held.release();
    this.#root = new SharedRoot(other);
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
