/**
 * From names to a pinned directory inside the root, or to the reason why not.
 *
 * The path is walked name by name from the pinned root. Links are read and followed here, not by the kernel, so that a
 * chain that leaves the root is noticed at the very link that leaves. Nothing outside is ever opened.
 */
import { dirname, sep } from 'node:path';
import { outside, type PathArgument, splitPath } from './argument.ts';
import { type Bytes, below } from './bytes.ts';
import { ListingError } from './listing-error.ts';
import { type PinnedDirectory, realBytes } from './pinned.ts';

/** Where the workspace begins, as resolving needs to know it. */
export interface Territory {
  readonly root: PinnedDirectory;
  readonly realPath: Bytes;
  /** Absolute paths that are known to lead to the root: its real path, and the one it was opened by. */
  readonly entrances: readonly PathArgument[];
}

/** As many as the kernel follows before it gives up. */
const MAX_LINKS = 40;

/** Enough for a chain of 4,000 directories there and back; bounds what a hostile argument or link can cost. */
const MAX_STEPS = 20_000;

/** Not an index of the argument: the name came from a link's target, or from the cwd. */
const NOT_GIVEN = null;

interface Step {
  readonly name: Bytes;
  readonly index: number | null;
  readonly fromLink: boolean;
}

type Obstacle = 'missing' | 'not-a-directory' | 'denied';

/** Pins the directory that `argument` names. The caller closes it. */
export function resolve(territory: Territory, cwd: readonly Bytes[], argument: PathArgument): PinnedDirectory {
  const walk = new Walk(territory, territory.root);
  try {
    const given = argument.names.map((name, index) => ({ name, index, fromLink: false }));
    if (argument.absolute) walk.enterFrom(argument, given);
    else walk.go([...cwd.map((name) => ({ name, index: NOT_GIVEN, fromLink: false })), ...given]);
    return walk.arrive(argument.impossible);
  } catch (error) {
    walk.abandon();
    throw error;
  }
}

/** Whether the entry `name` of `directory`, a link, leads to a directory without ever leaving the root. */
export function leadsToDirectory(territory: Territory, directory: PinnedDirectory, name: Bytes): boolean {
  const walk = new Walk(territory, directory);
  try {
    walk.go([{ name, index: NOT_GIVEN, fromLink: true }]);
    walk.arrive(false);
    return true;
  } catch {
    // Outside, broken, refused or unreadable: one entry's fault is no failed call, and all of them look alike.
    return false;
  } finally {
    walk.abandon();
  }
}

class Walk {
  readonly #territory: Territory;
  readonly #start: PinnedDirectory;
  #here: PinnedDirectory;
  /** Names past something that cannot be entered. They are kept, because a `..` takes them back. */
  readonly #beyond: Bytes[] = [];
  #obstacle: Obstacle = 'missing';
  #wrongName: number | null = null;
  #links = 0;
  #steps = 0;

  constructor(territory: Territory, start: PinnedDirectory) {
    this.#territory = territory;
    this.#start = start;
    this.#here = start;
  }

  go(steps: readonly Step[]): void {
    const pending = steps.toReversed();
    for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
      if (++this.#steps > MAX_STEPS) throw new ListingError('missing', 'no such directory', this.#here.path);
      if (step.name === '..') {
        if (this.#beyond.pop() !== undefined) continue;
        if (this.#here.path === '') {
          // "A chain of links that leaves the root is outside, even if it comes back."
          if (step.fromLink) throw outside();
          this.#enterFromOutside(dirname(this.#territory.realPath) as Bytes, pending.toReversed());
          return;
        }
        this.#ascend();
      } else if (this.#beyond.length > 0) {
        this.#beyond.push(step.name);
      } else {
        pending.push(...this.#descend(step).toReversed());
      }
    }
  }

  /** An absolute path: by an entrance if it is one, else from wherever it begins. */
  enterFrom(path: PathArgument, steps: readonly Step[]): void {
    const entrance = this.#entranceOf(path);
    if (entrance !== null) this.go(steps.slice(entrance.names.length));
    else this.#enterFromOutside((path.volume + sep) as Bytes, steps);
  }

  arrive(impossible: boolean): PinnedDirectory {
    if (this.#beyond.length === 0 && !impossible) return this.#here;
    const path = this.#beyond.reduce<Bytes>(below, this.#here.path);
    if (this.#obstacle === 'denied') throw new ListingError('denied', 'permission denied', path);
    // A path through a file is a path to nothing; only a path that ends at the file names it.
    if (this.#obstacle === 'not-a-directory' && this.#beyond.length === 1 && !impossible) {
      throw new ListingError('not-a-directory', 'not a directory', path);
    }
    throw new ListingError('missing', 'no such directory', path, this.#wrongName);
  }

  abandon(): void {
    this.#moveTo(this.#territory.root);
  }

  #moveTo(directory: PinnedDirectory): void {
    if (this.#here !== this.#start && this.#here !== this.#territory.root) this.#here.close();
    this.#here = directory;
  }

  #ascend(): void {
    const above = this.#here.up();
    if (above !== null) {
      this.#moveTo(above);
      return;
    }
    // There is no way up from here (no permission to pass, or it was moved); from the root down there may be one.
    const names = splitPath(this.#here.path).names.slice(0, -1);
    this.#moveTo(this.#territory.root);
    this.go(names.map((name) => ({ name, index: NOT_GIVEN, fromLink: true })));
  }

  /** Enters `step`, or notes why it cannot be entered. A link's target is what remains to be walked instead. */
  #descend(step: Step): readonly Step[] {
    const sight = this.#here.look(step.name);
    if (sight.kind === 'directory') {
      this.#moveTo(sight.directory);
      return [];
    }
    if (sight.kind === 'link' && ++this.#links <= MAX_LINKS) return this.#stepsOfLink(sight.target);
    this.#obstacle = sight.kind === 'link' ? 'missing' : sight.kind;
    this.#wrongName = step.index;
    this.#beyond.push(step.name);
    return [];
  }

  #stepsOfLink(target: Bytes): readonly Step[] {
    const path = splitPath(target);
    const steps = path.names.map((name) => ({ name, index: NOT_GIVEN, fromLink: true }));
    if (!path.absolute) return steps;
    const entrance = this.#entranceOf(path);
    if (entrance === null) throw outside();
    this.#moveTo(this.#territory.root);
    return steps.slice(entrance.names.length);
  }

  #entranceOf(path: PathArgument): PathArgument | null {
    const leads = (entrance: PathArgument) =>
      entrance.volume === path.volume && entrance.names.every((name, i) => name === path.names[i]);
    return this.#territory.entrances.find(leads) ?? null;
  }

  /**
   * The argument passes outside: `/alias/project/src` with a link `alias`, `../project/src`. What lies there is asked
   * for its real path alone, and whatever it is, the walk goes on until it comes to the root or has ended outside.
   */
  #enterFromOutside(from: Bytes, steps: readonly Step[]): void {
    let location = from;
    for (let position = 0; ; position++) {
      const inner = this.#namesBelowRoot(location);
      if (inner !== null) {
        this.#moveTo(this.#territory.root);
        this.go([...inner.map((name) => ({ name, index: NOT_GIVEN, fromLink: false })), ...steps.slice(position)]);
        return;
      }
      const step = steps[position];
      if (step === undefined || position > MAX_STEPS) throw outside();
      location = step.name === '..' ? (dirname(location) as Bytes) : realOrLexical(location, step.name);
    }
  }

  #namesBelowRoot(location: Bytes): readonly Bytes[] | null {
    const root = splitPath(this.#territory.realPath);
    const path = splitPath(location);
    if (path.volume !== root.volume || !root.names.every((name, i) => name === path.names[i])) return null;
    return path.names.slice(root.names.length);
  }
}

function realOrLexical(parent: Bytes, name: Bytes): Bytes {
  const path = `${parent}${parent.endsWith(sep) ? '' : sep}${name}` as Bytes;
  try {
    return realBytes(path);
  } catch {
    return path;
  }
}
