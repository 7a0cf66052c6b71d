/** A directory of the workspace while a call looks at it. All that the call does with it is charged to its budget. */
import { splitPath } from './argument.ts';
import { type Budget, COST } from './budget.ts';
import { type Bytes, below } from './bytes.ts';
import { fromSystem, ListingError } from './listing-error.ts';
import { namesOn, type RootPath } from './paths.ts';
import { atPath, type Identity, type Metadata, type PinnedDirectory, type Refusal, type Stamp } from './pinned.ts';
import type { HeldPlace, Place } from './place.ts';
import type { Unusable } from './plain-file.ts';
import type { DirectoryReader } from './reader.ts';
import { type Boundary, endOfLink, followLink, type LinkEnd } from './resolve.ts';
import { atOnce, type Steps } from './steps.ts';

export class Visit implements Place {
  readonly #boundary: Boundary;
  readonly #directory: PinnedDirectory;
  readonly #release: () => void;
  readonly budget: Budget;

  constructor(boundary: Boundary, directory: PinnedDirectory, budget: Budget, release: () => void = () => {}) {
    this.#boundary = boundary;
    this.#directory = directory;
    this.budget = budget;
    this.#release = release;
  }

  get path(): RootPath {
    return this.#directory.path;
  }

  get identity(): Identity {
    return this.#directory.identity;
  }

  get rootPath(): Bytes {
    return this.#boundary.realPath;
  }

  readFile(name: Bytes): Bytes | Unusable | null {
    return this.#ask(() => this.#directory.readFile(name));
  }

  fileAt(path: RootPath, largest?: number): Bytes | Unusable | null {
    return this.#atPath(path, (directory, name) => directory.readFile(name, largest));
  }

  entryAt(path: RootPath): Metadata | null {
    const metadata = this.#atPath(path, (directory, name) => directory.metadata(name));
    return metadata === 'refused' ? null : metadata;
  }

  fromHeldRoot(absolute: Bytes): Bytes {
    const [root, path] = [splitPath(this.rootPath), splitPath(absolute)];
    const different = root.names.findIndex((name, i) => name !== path.names[i]);
    const shared = different < 0 ? root.names.length : different;
    const up = shared === 0 ? null : this.#boundary.root.upwards(root.names.length - shared);
    return up === null ? absolute : ([up, ...path.names.slice(shared)].join('/') as Bytes);
  }

  async eachFromRoot(visit: (directory: HeldPlace) => Promise<void>): Promise<void> {
    const names = namesOn(this.path);
    let here = new Visit(this.#boundary, this.#boundary.root, this.budget);
    try {
      for (const [depth, name] of names.entries()) {
        await visit(here);
        if (depth === names.length - 1) break;
        const found = here.#ask(() => here.#directory.lookup(name));
        if (found.kind !== 'directory') break;
        here.leave();
        here = new Visit(this.#boundary, found.directory, this.budget);
      }
    } finally {
      here.leave();
    }
    await visit(this);
  }

  /** From here, if the path leads down from here; else from the root. */
  #atPath<T>(path: RootPath, ask: (directory: PinnedDirectory, name: Bytes) => T): T | null {
    const isBelow = this.path !== '' && path.startsWith(`${this.path}/`);
    const names = namesOn(isBelow ? (path.slice(this.path.length + 1) as RootPath) : path);
    return this.#ask(() => atPath(isBelow ? this.#directory : this.#boundary.root, names, ask));
  }

  /** By which a program that is started can be given the directory; null where nothing is held open. */
  get descriptor(): number | null {
    return this.#directory.descriptor;
  }

  /** Pins the directory at a path from the root, without following a link; null where there is none. */
  descendTo(path: RootPath): Visit | null {
    return this.#atPath(path, (directory, name) => {
      const found = directory.lookup(name);
      return found.kind === 'directory' ? new Visit(this.#boundary, found.directory, this.budget) : null;
    });
  }

  metadata(name: Bytes): Metadata | Refusal | null {
    this.budget.steps += COST.describe;
    return this.#ask(() => this.#directory.metadata(name));
  }

  stamp(): Stamp | null {
    return this.#ask(() => this.#directory.stamp());
  }

  /** Pins the directory `name` in this one; null when it is none any more. */
  descend(name: Bytes): Visit | null {
    this.budget.steps += COST.lookup;
    const found = this.#ask(() => this.#directory.lookup(name));
    if (found.kind === 'denied') throw new ListingError('denied', 'permission denied', below(this.path, name));
    return found.kind === 'directory' ? new Visit(this.#boundary, found.directory, this.budget) : null;
  }

  /** Pins the directory that this one was entered from; null when it was moved away from there. */
  ascend(): Visit | null {
    const above = this.#ask(() => this.#directory.up());
    return above === null ? null : new Visit(this.#boundary, above, this.budget);
  }

  /**
   * Without types each entry is asked for its own, for systems where reading does not tell them. `atOnce` is for those
   * who keep nobody waiting.
   */
  open(withTypes = true, atOnce = false): DirectoryReader {
    return this.#ask(() => this.#directory.open(withTypes, atOnce));
  }

  /** Whether the entry `name`, a link, leads to a directory inside the workspace. */
  *leadsToDirectory(name: Bytes): Steps<boolean> {
    const { found, steps } = yield* followLink(this.#boundary, this.#directory, name);
    this.budget.steps += COST.lookup * steps;
    return found;
  }

  /** What the entry `name`, a link, leads to, if that is inside of the workspace. */
  *linkEnd(name: Bytes): Steps<LinkEnd> {
    const { found, steps } = yield* endOfLink(this.#boundary, this.#directory, name);
    this.budget.steps += COST.lookup * steps;
    return found;
  }

  linksToDirectory(name: Bytes): boolean {
    return atOnce(this.leadsToDirectory(name));
  }

  endOfLink(name: Bytes): LinkEnd {
    return atOnce(this.linkEnd(name));
  }

  leave(): void {
    if (this.#directory !== this.#boundary.root) this.#directory.close();
    this.#release();
  }

  #ask<T>(question: () => T): T {
    try {
      return question();
    } catch (error) {
      throw fromSystem(error, this.path);
    }
  }
}
