/** A directory of the workspace while a call uses it. All that the call does with it is charged to its budget. */
import { sep } from 'node:path';

import { type Bytes, below } from '../names/bytes.ts';
import { namesOn, type RootPath } from '../names/paths.ts';
import { type Budget, COST, retrying } from './budget.ts';
import { fromSystem, ListingError } from './listing-error.ts';
import { type DirectoryReader, EntryBuffer, type EntryType } from './reader.ts';
import { type Boundary, followLink, type LinkEnd, targetIsDirectory } from './resolve.ts';
import {
  type HeldPlace,
  type Identity,
  LARGEST_RULE_FILE,
  type Metadata,
  type Outside,
  type PlaceInRoot,
  type RevisionRepository,
  type SkippedFile,
  type SourceDirectory,
  type SourceRoot,
  type Stamp,
} from './source.ts';
import type { Steps } from './steps.ts';
import type { Subtree, SubtreeForm, Unwritten } from './subtree.ts';

const ITSELF = '.' as Bytes;

export class Visit implements PlaceInRoot {
  readonly #boundary: Boundary;
  readonly #directory: SourceDirectory;
  /** Released with the visit; null if another visit holds it. */
  readonly #root: SourceRoot | null;
  readonly budget: Budget;

  constructor(boundary: Boundary, directory: SourceDirectory, budget: Budget, root: SourceRoot | null = null) {
    this.#boundary = boundary;
    this.#directory = directory;
    this.budget = budget;
    this.#root = root;
  }

  get path(): RootPath {
    return this.#directory.path;
  }

  get identity(): Identity {
    return this.#directory.identity;
  }

  get rootRealPath(): Bytes {
    const { realPath } = this.#boundary;
    // On Windows, git's files are found by backslashes, and a root elsewhere has none.
    return sep === '/' ? realPath : (realPath.replaceAll('/', sep) as Bytes);
  }

  get outside(): Outside | null {
    return this.#boundary.outside;
  }

  get repository(): RevisionRepository | null {
    return this.#boundary.repository;
  }

  /** The descriptor through which the directory can be passed to a program; null if nothing is held open. */
  get descriptor(): number | null {
    return this.#directory.descriptor ?? null;
  }

  readFile(name: Bytes): Bytes | SkippedFile | null {
    return asked(this.#directory, (directory) => directory.readFile(name, LARGEST_RULE_FILE));
  }

  fileAt(path: RootPath, largest = LARGEST_RULE_FILE): Bytes | SkippedFile | null {
    return this.#atPath(path, (directory, name) => directory.readFile(name, largest));
  }

  entryAt(path: RootPath): Metadata | null {
    const metadata = this.#atPath(path, (directory, name) => directory.metadata(name));
    return metadata === 'refused' ? null : metadata;
  }

  /** Pins the directory at a path from the root, without following a link; null if there is none. */
  descendTo(path: RootPath): Visit | null {
    return this.#atPath(path, (directory, name) => {
      const found = directory.lookup(name);
      return found.kind === 'directory' ? this.lent(found.directory) : null;
    });
  }

  async eachFromRoot(visit: (directory: HeldPlace) => Promise<void>): Promise<void> {
    const names = namesOn(this.path);
    let here = this.lent(this.#boundary.root);
    try {
      for (const [depth, name] of names.entries()) {
        await visit(here);
        if (depth === names.length - 1) break;
        const current = here.#directory;
        const found = await retrying(() => asked(current, (directory) => directory.lookup(name)), this.budget);
        if (found.kind !== 'directory') break;
        here.leave();
        here = this.lent(found.directory);
      }
    } finally {
      here.leave();
    }
    await visit(this);
  }

  beginWalk(levels: number): void {
    this.#directory.beginWalk?.(levels, this.budget.remaining);
  }

  expect(names: () => readonly Bytes[]): void {
    this.#directory.expect?.(names());
  }

  /** Writes everything below the directory `name` at once, if the source can; null if it takes a walk. @internal */
  writeBelow(name: Bytes, form: SubtreeForm<SourceDirectory>): Subtree<SourceDirectory> | null {
    return asked(this.#directory, (directory) => directory.writeBelow?.(name, form) ?? null);
  }

  /** Takes over the directories that were not written completely, so that they can be walked. @internal */
  takeOver(subtree: Subtree<SourceDirectory>): readonly Unwritten<Visit>[] {
    return subtree.takeOver().map((unwritten) => ({ ...unwritten, directory: this.lent(unwritten.directory) }));
  }

  /** Loads the metadata of entries before it is queried; undefined if the source does not have to load it. */
  loadMetadata(names: () => readonly Bytes[]): Promise<void> | undefined {
    return this.#directory.loadMetadata && this.budget.waitFor(this.#directory.loadMetadata(names()));
  }

  metadata(name: Bytes, listedAs?: EntryType): Metadata | 'refused' | null {
    this.budget.steps += COST.describe;
    return asked(this.#directory, (directory) => directory.metadata(name, listedAs));
  }

  stamp(): Stamp | null {
    return asked(this.#directory, (directory) => directory.stamp());
  }

  /** True if directories below this one can be proved unchanged without being opened. */
  get canProve(): boolean {
    return this.#directory.stampAt !== undefined;
  }

  /** Returns the stamp of the entry at a path below this one; null if that is not certain. */
  stampAt(path: Bytes): Stamp | null {
    this.budget.steps += COST.describe;
    return asked(this.#directory, (directory) => directory.stampAt?.(path) ?? null);
  }

  /** Pins the subdirectory `name`; null if it is no longer a directory. */
  descend(name: Bytes): Visit | null {
    this.budget.steps += COST.lookup;
    const found = asked(this.#directory, (directory) => directory.lookup(name));
    if (found.kind === 'denied') throw new ListingError('denied', 'permission denied', below(this.path, name));
    return found.kind === 'directory' ? this.lent(found.directory) : null;
  }

  /** Pins the directory that this one was entered from; null if this one was moved away from there. */
  ascend(): Visit | null {
    const above = asked(this.#directory, (directory) => directory.up());
    return above === null ? null : this.lent(above);
  }

  /** With `atOnce` the reader may block the event loop. Without types, each entry is asked for its own. */
  open(withTypes = true, atOnce = false): DirectoryReader {
    return asked(this.#directory, (directory) => directory.open(withTypes, atOnce));
  }

  /** Adds what is in it to entries, to its end, or until there are more than `most` of them. */
  async readUpTo(most: number, entries = new EntryBuffer()): Promise<EntryBuffer> {
    const reader = await retrying(() => this.open(), this.budget);
    try {
      while (entries.count <= most && (await retrying(() => reader.read(entries, this.budget), this.budget)));
      return entries;
    } finally {
      reader.close();
    }
  }

  /** Returns true if the entry `name`, a link, leads to a directory inside the workspace. */
  *leadsToDirectory(name: Bytes): Steps<boolean> {
    return (yield* this.linkEnd(name, false)) === 'directory';
  }

  /** Returns the target of the entry `name`, a link, if it is inside the workspace. */
  *linkEnd(name: Bytes, isDescribed = true): Steps<LinkEnd> {
    const { end, steps } = yield* followLink(this.#boundary, this.#directory, name, isDescribed);
    this.budget.steps += COST.lookup * steps;
    return end;
  }

  /** Returns true if a link in the directory `inner` leads to a directory; null if that takes several steps to find out. */
  targetIsDirectory(inner: Bytes, target: Bytes): boolean | null {
    this.budget.steps += COST.lookup;
    return targetIsDirectory(this.#boundary, below(this.path, inner), target);
  }

  leave(): void {
    // The root stays open.
    if (this.#directory !== this.#boundary.root) this.#directory.close();
    this.#root?.release();
  }

  /** Wraps a directory. One that is held elsewhere is valid only as long as it is held there. */
  lent(directory: SourceDirectory): Visit {
    return new Visit(this.#boundary, directory, this.budget);
  }

  /** Calls `ask` for the entry at a path from the root; null if it does not exist. No link is followed. */
  #atPath<T>(path: RootPath, ask: (directory: SourceDirectory, name: Bytes) => T): T | null {
    const isBelow = this.path !== '' && path.startsWith(`${this.path}/`);
    const names = namesOn(isBelow ? (path.slice(this.path.length + 1) as RootPath) : path);
    const start = isBelow ? this.#directory : this.#boundary.root;
    const way = names.slice(0, -1);
    const direct = way.length > 1 ? (start.passTo?.(way.join('/') as Bytes) ?? null) : null;
    let here = direct ?? start;
    try {
      for (const name of direct === null ? way : []) {
        const found = here.lookup(name);
        if (found.kind !== 'directory') return null;
        if (here !== start) here.close();
        here = found.directory;
      }
      return ask(here, names.at(-1) ?? ITSELF);
    } catch (error) {
      throw fromSystem(error, this.path);
    } finally {
      if (here !== start) here.close();
    }
  }
}

/** Calls `ask`, and converts a system error to a `ListingError`. */
function asked<T>(directory: SourceDirectory, ask: (directory: SourceDirectory) => T): T {
  try {
    return ask(directory);
  } catch (error) {
    throw fromSystem(error, directory.path);
  }
}
