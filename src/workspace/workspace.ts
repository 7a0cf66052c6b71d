/// <reference lib="esnext.disposable" preserve="true" />
/** The directories that calls may read: a root, a cwd inside it, and the way from an argument to a directory. */
import { type Bytes, bytesOf } from '../names/bytes.ts';
import { AT_ROOT, asGiven, type GivenPath, type RootPath } from '../names/paths.ts';
import { inJson, shownAsGiven } from '../names/quote.ts';
import { type PathArgument, parsePath, splitPath } from './argument.ts';
import { Budget } from './budget.ts';
import { fromSystem, ListingError } from './listing-error.ts';
import { type Boundary, type Location, locate, pinAt, resolve } from './resolve.ts';
import type { PathStyle, SkippedFile, Source, SourceDirectory, SourceRoot } from './source.ts';
import { atOnce, loaded, type Steps, Unloaded } from './steps.ts';
import { Visit } from './visit.ts';

/** An open root: the only place that calls may read. Members that a program cannot use are left out of its types. */
export class Workspace {
  /** The root's real path. @internal */
  readonly rootBytes: Bytes;
  /** All absolute paths that lead to the root: the real path, and the path that it was opened by. @internal */
  readonly aliases: readonly Bytes[];
  /** True if git may be started to learn about it. @internal */
  readonly mayStartGit: boolean;
  readonly #source: Source;
  readonly #pathStyle: PathStyle;
  readonly #aliases: readonly PathArgument[];
  readonly #loadedFiles = new Map<string, { readonly content: Bytes | SkippedFile | null }>();
  #cwd = AT_ROOT;
  #isClosed = false;

  private constructor(source: Source, mayStartGit: boolean) {
    this.#source = source;
    this.#pathStyle = source.pathStyle ?? 'posix';
    this.mayStartGit = mayStartGit;
    this.rootBytes = source.realPath;
    this.aliases = [source.realPath, ...source.aliases];
    this.#aliases = this.aliases.map((path) => splitPath(path, this.#pathStyle));
  }

  /** Opens a workspace on a source that never has to load. @internal */
  static open(source: Source, cwd = '.', mayStartGit = true): Workspace {
    return atOnce(Workspace.opening(source, cwd, mayStartGit));
  }

  /** @internal */
  static *opening(source: Source, cwd: string, mayStartGit: boolean): Steps<Workspace> {
    const workspace = new Workspace(source, mayStartGit);
    try {
      const directory = yield* workspace.entering(asGiven(cwd), Budget.unlimited());
      workspace.#cwd = directory.path;
      directory.leave();
      return workspace;
    } catch (error) {
      workspace.close();
      const { kind, message } = fromSystem(error, null);
      throw new ListingError(kind, `cannot use the cwd '${shownAsGiven(cwd)}': ${message}`);
    }
  }

  /** The root's real path: absolute, without links; in quoted form if it is not valid UTF-8. */
  get realPath(): string {
    return inJson(this.rootBytes);
  }

  /** The directory that relative paths start at, relative to the root; '.' is the root. */
  get cwd(): string {
    return inJson(this.#cwd) || '.';
  }

  /** True if the answers of its source have to be loaded. @internal */
  get loads(): boolean {
    return this.#source.loads ?? false;
  }

  /** The cwd's real path relative to the root; '' is the root. @internal */
  get cwdBytes(): RootPath {
    return this.#cwd;
  }

  /** The absolute path that the root was opened by, unless it has a `..`, which would mislead. @internal */
  get givenPath(): Bytes {
    const given = this.aliases[1] ?? this.rootBytes;
    if (/(?:^|[\\/])\.\.(?:$|[\\/])/.test(given)) return this.rootBytes;
    let end = given.length;
    while (end > 1 && /[\\/]\.?$/.test(given.slice(Math.max(0, end - 2), end))) end--;
    return given.slice(0, end) as Bytes;
  }

  /** Pins the directory that a path argument names, or throws a ListingError. The caller leaves it. @internal */
  enter(argument: GivenPath, budget = Budget.unlimited()): Visit {
    return atOnce(this.entering(argument, budget));
  }

  /** Does the same in steps: thousands of names take long to walk. @internal */
  *entering(argument: GivenPath, budget: Budget): Steps<Visit> {
    const path = parsePath(argument, this.#pathStyle);
    return yield* this.#visiting(budget, (boundary) => resolve(boundary, this.#cwd, path));
  }

  /** Pins the directory at a path from the root, without following a link. @internal */
  enteringAt(path: RootPath, budget: Budget): Steps<Visit> {
    return this.#visiting(budget, (boundary) => pinAt(boundary, path));
  }

  /** Returns the location of the entry that an argument names, whether or not it exists. @internal */
  *locating(argument: GivenPath): Steps<Location> {
    const path = parsePath(argument, this.#pathStyle);
    const root = yield* this.#pinRoot();
    try {
      return yield* locate(this.#boundaryOf(root), this.#cwd, path);
    } catch (error) {
      throw fromSystem(error, null);
    } finally {
      root.release();
    }
  }

  /**
   * Returns the content of a plain file in the root; null if there is none. If it has to be loaded, it throws
   * `Unloaded` once, and the next call returns the loaded content. @internal
   */
  readFile(name: string): Bytes | SkippedFile | null {
    const known = this.#loadedFiles.get(name);
    this.#loadedFiles.delete(name);
    if (known !== undefined) return known.content;
    try {
      return atOnce(this.#readingFile(name));
    } catch (error) {
      if (!(error instanceof Unloaded)) throw error;
      throw new Unloaded(async () => {
        this.#loadedFiles.set(name, { content: await new Budget().run(this.#readingFile(name)) });
      });
    }
  }

  *#readingFile(name: string): Steps<Bytes | SkippedFile | null> {
    const root = yield* this.enteringAt(AT_ROOT, Budget.unlimited());
    try {
      return yield* loaded(() => root.readFile(bytesOf(name)));
    } finally {
      root.leave();
    }
  }

  /** Releases the source. Calls in progress finish; new ones are refused. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#source.close?.();
  }

  /** Closes it at the end of a scope: `using workspace = await openWorkspace(root)`. */
  [Symbol.dispose](): void {
    this.close();
  }

  *#visiting(budget: Budget, pin: (boundary: Boundary) => Steps<SourceDirectory>): Steps<Visit> {
    const root = yield* this.#pinRoot();
    const boundary = this.#boundaryOf(root);
    try {
      return new Visit(boundary, yield* pin(boundary), budget, root);
    } catch (error) {
      root.release();
      throw fromSystem(error, null);
    }
  }

  *#pinRoot(): Steps<SourceRoot> {
    if (this.#isClosed) throw new ListingError('failed', 'the workspace is closed');
    try {
      return yield* loaded(() => this.#source.root());
    } catch (error) {
      throw fromSystem(error, null);
    }
  }

  #boundaryOf({ directory: root, outside, repository }: SourceRoot): Boundary {
    const paths = { realPath: this.rootBytes, aliases: this.#aliases, pathStyle: this.#pathStyle };
    return { root, outside, repository: repository ?? null, ...paths };
  }
}
