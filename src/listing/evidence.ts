/**
 * Records what a walk has seen of each directory: its stamp, and what was found in rule files. From this a later call
 * can tell, without reading the directories, what another walk would find unchanged.
 */
import { type Bytes, below } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import { hasSettled, isUnchanged } from '../workspace/cache.ts';
import type { HeldPlace } from '../workspace/place.ts';
import { type Identity, type Metadata, type Outside, SkippedFile, type Stamp, same } from '../workspace/source.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Visit } from '../workspace/visit.ts';

/** The result of a lookup below the root: an entry, or the content of a file of at most `largest` bytes. */
interface Answered {
  readonly path: RootPath;
  readonly largest: number | undefined;
  readonly isEntry: boolean;
  readonly answer: string;
}

interface SeenDirectory {
  /** Relative to the start of the walk. */
  readonly path: Bytes;
  /** Identifies the rules of the directory above it. */
  readonly rules: string;
  /** Null if a later change could not be detected, or the directory could not be read. */
  stamp: Stamp | null;
  identity: Identity | null;
  readonly answers: Answered[];
  /** The number of directories seen in it, including itself; and what was counted there. */
  size: number;
  found: Tally;
}

/** Numbers that only grow during a walk, in a fixed order. The first is how much the sink was given. */
export type Tally = readonly [given: number, ...counts: number[]];

const NOTHING: Tally = [0];

/** Bytes that a directory takes in addition to its path, and an answer in addition to its text. */
const OVERHEAD = 450;

export class Evidence {
  /** Each directory comes right before those below it. */
  readonly directories: SeenDirectory[] = [];
  /** For each directory, how much the sink had been given before it. */
  readonly givenBefore: number[] = [];
  readonly #open: { readonly at: number; readonly before: Tally }[] = [];
  #bytes = 0;
  /** False if the walk depends on anything outside the root. */
  isComplete = true;

  /** Approximate size in bytes. */
  get size(): number {
    return this.#bytes;
  }

  /** Called when the walk reaches a directory, about which nothing is known yet. */
  begin(path: Bytes, rules: string, before: Tally): void {
    this.#open.push({ at: this.directories.length, before });
    this.#add({ path, rules, stamp: null, identity: null, answers: [], size: 0, found: NOTHING }, before[0]);
  }

  /** Records the stamp of the current directory; null if a later change could not be detected. */
  prove(stamp: Stamp | null, identity: Identity | null): void {
    this.#last.stamp = stamp;
    this.#last.identity = identity;
  }

  /** Discards the stamp of the current directory, because its result depends on more than the stamp covers. */
  unprove(): void {
    this.#last.stamp = null;
  }

  /** Called when the walk leaves the current directory. */
  end(after: Tally): void {
    const { at, before } = this.#open.pop() as { at: number; before: Tally };
    const directory = this.directories[at] as SeenDirectory;
    directory.size = this.directories.length - at;
    directory.found = after.map((number, i) => number - (before[i] as number)) as unknown as Tally;
  }

  /** Copies what was seen before in an unchanged directory and below it, instead of walking it again. */
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

  /** Wraps the place of the current directory, and records everything that rules read through it. */
  watched(place: HeldPlace): HeldPlace {
    const { answers } = this.#last;
    const noted = <T>(found: T, path: RootPath, isEntry: boolean, largest?: number): T => {
      const answer = comparable(found, isEntry);
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

  /** Reading anything outside the root makes the evidence incomplete: it has to be read anew each time. */
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

/** The part of the evidence that a walk from the same directory would find unchanged now. */
export class StillSeen {
  readonly evidence: Evidence;
  /** For each directory, the number of changed directories before it. */
  readonly #changed: Uint32Array;
  #byPath: Map<Bytes, number> | null = null;

  private constructor(evidence: Evidence, changed: Uint32Array) {
    this.evidence = evidence;
    this.#changed = changed;
  }

  static *of(evidence: Evidence, start: Visit): Generator<undefined, StillSeen, void> {
    const { directories } = evidence;
    const changed = new Uint32Array(directories.length + 1);
    // Parents come first. Nothing is looked up below a directory that was replaced: the path may lead through a link.
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

  /** Returns the index of a directory that was seen, if nothing in it changed and the rules above it are the same. */
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
  return comparable(isEntry ? start.entryAt(path) : start.fileAt(path, largest), isEntry) === answer;
}

let fresh = 0;

function comparable(found: unknown, isEntry: boolean): string {
  if (typeof found === 'string') return `=${found}`;
  if (found instanceof SkippedFile) return `-${found.reason}`;
  // A file that has just been written may change again without another time: nothing equals this.
  const isFresh = isEntry && found !== null && (found as Metadata).type === 'file' && !hasSettled(found as Metadata);
  return `${JSON.stringify(found)}${isFresh ? ++fresh : ''}`;
}
