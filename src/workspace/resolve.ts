/**
 * Resolves names to a pinned directory inside the root, or to the reason why there is none. The path is walked name by
 * name. Links are followed here, not by the kernel, so that a chain that leaves the root is detected at the very link
 * that leaves. Nothing outside is ever opened.
 */
import { dirname, sep } from 'node:path';
import { type Bytes, below } from '../names/bytes.ts';
import { inAbsolute, namesOn, type RootPath, sharedNames } from '../names/paths.ts';
import { outside, type PathArgument, splitPath, unmarked } from './argument.ts';
import { endsCall, ListingError } from './listing-error.ts';
import type { EntryType } from './reader.ts';
import type { LookupResult, Metadata, Outside, PathStyle, RevisionRepository, SourceDirectory } from './source.ts';
import { HANDFUL, loaded, loading, type Steps, Unloaded } from './steps.ts';
import { folded, isSameEntry, storedName } from './stored-name.ts';

/** The root of a workspace, and the paths that lead to it. */
export interface Boundary {
  readonly root: SourceDirectory;
  readonly outside: Outside | null;
  readonly repository: RevisionRepository | null;
  readonly realPath: Bytes;
  /** Absolute paths that lead to the root: its real path, and the path that it was opened by. */
  readonly aliases: readonly PathArgument[];
  readonly pathStyle: PathStyle;
}

/** The number of links that the kernel follows before it fails. Also the number of times a path may leave the root. */
const MAX_LINKS = 40;
/** Enough for a chain of 4,000 directories there and back; bounds the cost of a hostile argument. */
const MAX_STEPS = 10_000;
/** The limit for each link among the entries, of which there may be many. */
const MAX_STEPS_OF_LINK = 1_000;

interface PathStep {
  readonly name: Bytes;
  /** Its position among the argument's names; null if it comes from the cwd, which is a real path, or from a link. */
  readonly index: number | null;
  readonly isLink?: boolean;
}

/** The kind of entry that a path cannot pass. A link is one only if too many have been followed. */
type Obstacle = Exclude<LookupResult['kind'], 'directory'>;

/** Pins the directory that `argument` names. The caller closes it. */
export function resolve(boundary: Boundary, cwd: RootPath, argument: PathArgument): Steps<SourceDirectory> {
  const walk = new PathWalk(boundary, boundary.root, MAX_STEPS);
  return walk.arriving(walk.follow(cwd, argument));
}

/** Pins the directory at a path from the root, without following a link. The caller closes it. */
export function pinAt(boundary: Boundary, path: RootPath): Steps<SourceDirectory> {
  const walk = new PathWalk(boundary, boundary.root, MAX_STEPS, 0);
  return walk.arriving(walk.go(stepsTo(namesOn(path))));
}

/** The location of an entry; without a type, it does not exist. Links are followed, but not the entry itself. */
export type Location = { readonly path: RootPath; readonly type: EntryType | null };

export function* locate(boundary: Boundary, cwd: RootPath, argument: PathArgument): Steps<Location> {
  const walk = new PathWalk(boundary, boundary.root, MAX_STEPS);
  try {
    const last = argument.names.at(-1);
    const isEntry =
      last !== undefined && last !== '..' && aliasOf(boundary, argument)?.names.length !== argument.names.length;
    yield* walk.follow(cwd, isEntry ? { ...argument, names: argument.names.slice(0, -1) } : argument);
    return yield* walk.entry(isEntry ? last : null);
  } finally {
    walk.abandon();
  }
}

/** The target of a link. One that is outside, refused or unreadable is 'unknown', without distinction. */
export type LinkEnd = 'directory' | 'missing' | 'unknown' | Metadata;

/** Follows a link. Without `isDescribed`, every target that is not a directory is unknown. */
export function* followLink(
  boundary: Boundary,
  directory: SourceDirectory,
  name: Bytes,
  isDescribed: boolean,
): Steps<{ readonly end: LinkEnd; readonly steps: number }> {
  const walk = new PathWalk(boundary, directory, MAX_STEPS_OF_LINK);
  let end: LinkEnd = 'unknown';
  try {
    const leads = isDescribed ? null : leadsAtOnce(boundary, directory, name);
    if (leads !== null) return { end: leads ? 'directory' : 'unknown', steps: 1 };
    yield* walk.go([{ name, index: null, isLink: true }]);
    end = yield* walk.end(isDescribed);
  } catch (error) {
    // Outside, broken, refused or unreadable: one bad entry must not fail the call, and all of these look alike.
    if (endsCall(error) || error instanceof Unloaded) throw error;
  } finally {
    walk.abandon();
  }
  return { end, steps: walk.steps };
}

/** Perf: most links lead straight to their end. Null if the entry `name` is not a link, or may lead through another. */
function leadsAtOnce(boundary: Boundary, directory: SourceDirectory, name: Bytes): boolean | null {
  if (boundary.root.hasDirectory === undefined) return null;
  const found = directory.lookup(name, true);
  if (found.kind === 'directory') found.directory.close();
  return found.kind === 'link' ? targetIsDirectory(boundary, directory.path, found.target) : null;
}

/**
 * Returns true if the target of a link in the directory at `path` is a directory inside the workspace. It is looked up in
 * one go; null if the source cannot do so, or another link may be on the way.
 */
export function targetIsDirectory({ root, pathStyle }: Boundary, path: RootPath, target: Bytes): boolean | null {
  const { absolute, names } = splitPath(target, pathStyle);
  const up = names.lastIndexOf('..' as Bytes) + 1;
  if (absolute || names.slice(0, up).some((name) => name !== '..')) return null;
  const way = namesOn(path);
  if (up > way.length) return false;
  return root.hasDirectory?.([...way.slice(0, way.length - up), ...names.slice(up)].join('/') as Bytes) ?? null;
}

const stepsTo = (names: readonly Bytes[]): PathStep[] => names.map((name) => ({ name, index: null }));

/** Returns the alias that an absolute path begins with. A relative path has none, even if its names match. */
function aliasOf({ aliases }: Boundary, path: PathArgument): PathArgument | null {
  return path.absolute ? (aliases.find((alias) => beginsWith(path, alias)) ?? null) : null;
}

function beginsWith(path: PathArgument, start: PathArgument): boolean {
  return isSameVolume(path.volume, start.volume) && sharedNames(start.names, path.names) === start.names.length;
}

/** Windows ignores the case of a drive and of a server's name, and the direction of slashes. `\src` is on any drive. */
function isSameVolume(one: Bytes, other: Bytes): boolean {
  const form = (volume: Bytes) => volume.toLowerCase().replaceAll('/', '\\');
  return one === '' || form(one) === form(other);
}

class PathWalk {
  readonly #boundary: Boundary;
  readonly #start: SourceDirectory;
  readonly #maxSteps: number;
  readonly #maxLinks: number;
  #here: SourceDirectory;
  /** The names from an obstacle on, which cannot be entered. They are kept, because a `..` removes them again. */
  readonly #beyond: Bytes[] = [];
  #obstacle: Obstacle = 'missing';
  #wrongName: number | null = null;
  #links = 0;
  #crossings = 0;
  steps = 0;

  constructor(boundary: Boundary, start: SourceDirectory, maxSteps: number, maxLinks = MAX_LINKS) {
    this.#boundary = boundary;
    this.#start = start;
    this.#here = start;
    this.#maxSteps = maxSteps;
    this.#maxLinks = maxLinks;
  }

  /** Walks all of an argument's names; a relative argument starts at the cwd. */
  *follow(cwd: RootPath, argument: PathArgument): Steps<void> {
    const given = argument.names.map((name, index) => ({ name, index }));
    const alias = aliasOf(this.#boundary, argument);
    if (!argument.absolute) yield* this.go([...stepsTo(namesOn(cwd)), ...given]);
    else if (alias !== null) yield* this.go(given.slice(alias.names.length));
    else {
      // Another drive or server does not lead to the root, and to ask a server is to connect to it as the user.
      const near = this.#boundary.aliases.find(({ volume }) => isSameVolume(argument.volume, volume));
      if (near === undefined) throw outside();
      yield* this.go(given, `${near.volume}${sep}` as Bytes);
    }
  }

  /** Walks all steps. A path that begins outside the root starts at `outsideAt`. */
  *go(steps: readonly PathStep[], outsideAt: Bytes | null = null): Steps<void> {
    const pending = steps.toReversed();
    for (let location = outsideAt; location !== null || pending.length > 0; ) {
      if (location !== null) yield* this.#enterFromOutside(location, pending);
      location = yield* this.#walkInside(pending);
    }
  }

  /** Runs the walk, and hands the directory at its end over to the caller. */
  *arriving(way: Steps<void>): Steps<SourceDirectory> {
    try {
      yield* way;
      return this.#arrive();
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  #arrive(): SourceDirectory {
    if (this.#beyond.length === 0) return this.#here;
    const path = unmarked(this.#beyond.reduce<RootPath>(below, this.#here.path));
    if (this.#obstacle === 'denied') throw new ListingError('denied', 'permission denied', path);
    // A path through a file leads to nothing; only a path that ends at the file names it.
    if (this.#obstacle === 'not-a-directory' && this.#beyond.length === 1) {
      throw new ListingError('not-a-directory', 'not a directory', path);
    }
    throw new ListingError('missing', 'no such directory', path, this.#wrongName, this.#obstacle === 'not-a-directory');
  }

  /** Returns the location of the entry where the walk ended, or of its child `last`. */
  *entry(last: Bytes | null): Steps<Location> {
    const names = [...this.#beyond];
    if (last !== null) names.push(names.length === 0 ? yield* storedName(this.#here, last) : last);
    const path = unmarked(names.reduce<RootPath>(below, this.#here.path));
    if (names.length === 0) return { path, type: 'dir' };
    const [name] = names as [Bytes];
    const metadata = names.length === 1 ? yield* loaded(() => this.#here.metadata(name)) : null;
    return { path, type: metadata === null || metadata === 'refused' ? null : metadata.type };
  }

  /** Returns the entry where the walk ended. A link there means that too many were followed. */
  *end(isDescribed: boolean): Steps<LinkEnd> {
    const [name, ...further] = this.#beyond;
    if (name === undefined) return 'directory';
    if (!isDescribed || this.#obstacle === 'denied') return 'unknown';
    const metadata = further.length > 0 ? null : yield* loaded(() => this.#here.metadata(name));
    if (metadata === 'refused') return 'unknown';
    return metadata === null || metadata.type === 'link' ? 'missing' : metadata;
  }

  abandon(): void {
    this.#moveTo(this.#boundary.root);
  }

  /** Walks until no step is pending, or until a `..` leaves the root: then returns the path that it leads to. */
  *#walkInside(pending: PathStep[]): Steps<Bytes | null> {
    for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
      if (++this.steps > this.#maxSteps) throw new ListingError('missing', 'no such directory', this.#here.path);
      if (this.steps % HANDFUL.directories === 0) yield undefined;
      if (step.name !== '..' && this.#beyond.length > 0) {
        this.#beyond.push(step.name);
      } else if (step.name !== '..') {
        // Perf: nobody asks how the names on the way of an entry's link are stored.
        const isAsWritten = this.#maxSteps === MAX_STEPS_OF_LINK;
        const name = isAsWritten ? step.name : yield* storedName(this.#here, step.name);
        // Perf: `loaded` would need a function for each name.
        for (let isDone = false; !isDone; ) {
          try {
            pending.push(...this.#descend(name, step).toReversed());
            isDone = true;
          } catch (error) {
            yield loading(error);
          }
        }
      } else if (this.#beyond.pop() === undefined) {
        // "A chain of links that leaves the root is outside, even if it comes back." A `..` without an index can only
        // come from a link.
        if (this.#here.path === '' && step.index === null) throw outside();
        if (this.#here.path === '') return dirname(this.#boundary.realPath) as Bytes;
        yield* this.#ascend();
      }
    }
    return null;
  }

  /**
   * Handles an argument that passes outside the root: `/alias/project/src` with a link `alias`, `../project/src`.
   * Entries there are only asked for their real path. A `..` after a name there would reveal what it is, so it is
   * refused. If nothing is there, the queries go on all the same: their number must not reveal what lies outside.
   */
  *#enterFromOutside(from: Bytes, pending: PathStep[]): Steps<void> {
    if (++this.#crossings > MAX_LINKS) throw outside();
    let location = from;
    let isNamed = false;
    let isLost = false;
    for (;;) {
      const inner = isLost ? null : this.#namesBelowRoot(location);
      if (inner !== null) {
        this.#moveTo(this.#boundary.root);
        pending.push(...stepsTo(inner).toReversed());
        return;
      }
      const step = pending.pop();
      if (step === undefined || ++this.steps > this.#maxSteps || (isNamed && step.name === '..')) throw outside();
      if (this.steps % HANDFUL.directories === 0) yield undefined;
      isNamed = step.name !== '..';
      const next = isNamed ? this.#realPathBelow(location, step.name) : (dirname(location) as Bytes);
      if (next === null) isLost = true;
      else if (!isLost) location = next;
    }
  }

  #namesBelowRoot(location: Bytes): readonly Bytes[] | null {
    const { realPath, pathStyle, root: directory, outside } = this.#boundary;
    const [root, path] = [splitPath(realPath, pathStyle), splitPath(location, pathStyle)];
    if (beginsWith(path, root)) return path.names.slice(root.names.length);
    // A disk that ignores case may resolve another spelling of the root to that spelling.
    const isAlike = directory.mayFold === true && folded(location) === folded(realPath);
    return isAlike && isSameEntry(directory.metadata('.' as Bytes), outside?.metadata(location) ?? null) ? [] : null;
  }

  #realPathBelow(parent: Bytes, name: Bytes): Bytes | null {
    try {
      const path = inAbsolute(parent, name);
      const { outside } = this.#boundary;
      // If the root has no surroundings, a path can only lead through the names of the root's own path.
      return outside === null ? path : outside.realPath(path);
    } catch {
      return null;
    }
  }

  #moveTo(directory: SourceDirectory): void {
    if (this.#here !== this.#start && this.#here !== this.#boundary.root) this.#here.close();
    this.#here = directory;
  }

  *#ascend(): Steps<void> {
    const above = this.#here.up();
    if (above !== null) {
      this.#moveTo(above);
      return;
    }
    // There is no way up from here (no permission to pass, or it was moved), but there may be one down from the root.
    const names = namesOn(this.#here.path).slice(0, -1);
    this.#moveTo(this.#boundary.root);
    yield* this.#walkInside(stepsTo(names).toReversed());
  }

  /** Enters `name`, or records why that failed. Returns the steps to walk next: those of a link's target, if any. */
  #descend(name: Bytes, { index, isLink }: PathStep): readonly PathStep[] {
    const found = this.#here.lookup(name, isLink);
    if (found.kind === 'directory') {
      this.#moveTo(found.directory);
      return [];
    }
    if (found.kind === 'link' && ++this.#links <= this.#maxLinks) return this.#stepsOfLink(found.target);
    this.#obstacle = found.kind;
    this.#wrongName = index;
    this.#beyond.push(name);
    return [];
  }

  #stepsOfLink(target: Bytes): readonly PathStep[] {
    const path = splitPath(target, this.#boundary.pathStyle);
    const steps = stepsTo(path.names);
    if (!path.absolute) return steps;
    const alias = aliasOf(this.#boundary, path);
    if (alias === null) throw outside();
    this.#moveTo(this.#boundary.root);
    return steps.slice(alias.names.length);
  }
}
