/**
 * What a walk has seen, directory by directory, by which a later call can tell, without reading, what another walk would see
 * again: the stamp of each, and what was found in the files of rules.
 */
import { type Bytes, below } from '../workspace/bytes.ts';
import type { RootPath } from '../workspace/paths.ts';
import type { HeldPlace } from '../workspace/place.ts';
import { type Identity, type Outside, SkippedFile, type Stamp, same } from '../workspace/source.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Visit } from '../workspace/visit.ts';
import { isUnchanged } from './cache.ts';

/** What was found at a path below the root: the content of a file of at most so many bytes, or an entry. */
interface Answered {
  readonly path: RootPath;
  readonly largest: number | undefined;
  readonly isEntry: boolean;
  readonly answer: string;
}

interface SeenDirectory {
  /** From the start of the walk. */
  readonly path: Bytes;
  /** Tells the rules of the directory above it from others. */
  readonly rules: string;
  /** Null where nothing would tell of a change, and where nobody could look at it. */
  stamp: Stamp | null;
  identity: Identity | null;
  readonly answers: Answered[];
  /** How many directories were seen in it, itself included, and what was counted there. */
  size: number;
  found: Tally;
}

/** Numbers that only grow during a walk, in a fixed order. The first is how much it has given to its sink. */
export type Tally = readonly [given: number, ...counts: number[]];

const NOTHING: Tally = [0];

/** Bytes that a directory takes beside its path. */
const OVERHEAD = 450;

export class Evidence {
  /** Each right before those in it. */
  readonly directories: SeenDirectory[] = [];
  /** How much had been given before each. */
  readonly givenBefore: number[] = [];
  readonly #open: { readonly at: number; readonly before: Tally }[] = [];
  #bytes = 0;
  /** Whether all that a walk depends on lies below the root. */
  isComplete = true;

  /** Bytes, about, that it takes. */
  get size(): number {
    return this.#bytes;
  }

  /** The walk comes to a directory, of which nothing is known yet. */
  begin(path: Bytes, rules: string, before: Tally): void {
    this.#open.push({ at: this.directories.length, before });
    this.#add({ path, rules, stamp: null, identity: null, answers: [], size: 0, found: NOTHING }, before[0]);
  }

  /** The directory that it came to last was as a stamp says; null where a later change would not be told. */
  prove(stamp: Stamp | null, identity: Identity | null): void {
    this.#last.stamp = stamp;
    this.#last.identity = identity;
  }

  /** It depends on more than its stamp tells. */
  unprove(): void {
    this.#last.stamp = null;
  }

  /** The walk leaves the directory that it is in. */
  end(after: Tally): void {
    const { at, before } = this.#open.pop() as { at: number; before: Tally };
    const directory = this.directories[at] as SeenDirectory;
    directory.size = this.directories.length - at;
    directory.found = after.map((number, i) => number - (before[i] as number)) as unknown as Tally;
  }

  /** In place of a walk: what was seen in a directory before, and is unchanged. */
  append(seen: Evidence, at: number, given: number): void {
    const shift = given - (seen.givenBefore[at] as number);
    const end = at + sizeAt(seen, at);
    for (let i = at; i < end; i++) {
      this.#add(seen.directories[i] as SeenDirectory, (seen.givenBefore[i] as number) + shift);
    }
  }

  #add(directory: SeenDirectory, given: number): void {
    this.directories.push(directory);
    this.givenBefore.push(given);
    this.#bytes += directory.path.length + OVERHEAD;
    for (const { answer } of directory.answers) this.#bytes += answer.length + OVERHEAD;
  }

  get #last(): SeenDirectory {
    return this.directories[this.#open.at(-1)?.at as number] as SeenDirectory;
  }

  /** The place of the directory that the walk came to last, of which it is noted what rules look at. */
  watched(place: HeldPlace): HeldPlace {
    const { answers } = this.#last;
    const noted = <T>(found: T, path: RootPath, isEntry: boolean, largest?: number): T => {
      const answer = comparable(found);
      this.#bytes += answer.length + OVERHEAD;
      answers.push({ path, largest, isEntry, answer });
      return found;
    };
    return {
      path: place.path,
      rootRealPath: place.rootRealPath,
      outside: place.outside === null ? null : this.#unproved(place.outside),
      readFile: (name) => noted(place.readFile(name), below(place.path, name), false),
      fileAt: (path, largest) => noted(place.fileAt(path, largest), path, false, largest),
      entryAt: (path) => noted(place.entryAt(path), path, true),
    };
  }

  /** What lies outside of the root is asked anew each time. */
  #unproved(outside: Outside): Outside {
    const unproved = <T>(answer: T): T => {
      this.isComplete = false;
      return answer;
    };
    return {
      exists: (path) => unproved(outside.exists(path)),
      realPath: (path) => unproved(outside.realPath(path)),
      readFile: (path, largest) => unproved(outside.readFile(path, largest)),
      metadata: (path) => unproved(outside.metadata(path)),
    };
  }
}

/** What a walk from the same directory would see again now. */
export class StillSeen {
  readonly evidence: Evidence;
  /** How many directories before each have changed. */
  readonly #changed: Uint32Array;
  #byPath: Map<Bytes, number> | null = null;

  private constructor(evidence: Evidence, changed: Uint32Array) {
    this.evidence = evidence;
    this.#changed = changed;
  }

  static *of(evidence: Evidence, start: Visit): Generator<undefined, StillSeen, void> {
    const { directories } = evidence;
    const changed = new Uint32Array(directories.length + 1);
    // Those above come first. In one that is another now, nothing is asked: the way there may lead through a link.
    let others = 0;
    for (let i = 0; i < directories.length; i++) {
      const { path, stamp, identity, answers } = directories[i] as SeenDirectory;
      const now = i < others ? null : path === '' ? start.stamp() : start.stampAt(path);
      const isSame = stamp !== null && isUnchanged(stamp, now) && answers.every((answered) => holds(answered, start));
      if (!isSame && (now === null || identity === null || !same(identity, now)))
        others = Math.max(others, i + sizeAt(evidence, i));
      changed[i + 1] = (changed[i] as number) + (isSame ? 0 : 1);
      if (i % HANDFUL.directories === HANDFUL.directories - 1) yield;
    }
    return new StillSeen(evidence, changed);
  }

  get isAll(): boolean {
    return this.#changed.at(-1) === 0;
  }

  /** Where a directory stands among all, if nothing has changed in it, the rules above it are the same, and it was seen. */
  at(path: Bytes, rules: string): number | null {
    const { directories } = this.evidence;
    this.#byPath ??= new Map(directories.map((directory, i) => [directory.path, i]));
    const at = this.#byPath.get(path);
    if (at === undefined || directories[at]?.rules !== rules) return null;
    return this.#changed[at] === this.#changed[at + sizeAt(this.evidence, at)] ? at : null;
  }

  foundAt(at: number): Tally {
    return (this.evidence.directories[at] as SeenDirectory).found;
  }
}

function sizeAt({ directories }: Evidence, at: number): number {
  return (directories[at] as SeenDirectory).size;
}

function holds({ path, largest, isEntry, answer }: Answered, start: Visit): boolean {
  return comparable(isEntry ? start.entryAt(path) : start.fileAt(path, largest)) === answer;
}

function comparable(found: unknown): string {
  if (typeof found === 'string') return `=${found}`;
  return found instanceof SkippedFile ? `-${found.reason}` : JSON.stringify(found);
}
