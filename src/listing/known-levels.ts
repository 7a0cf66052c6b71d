/**
 * What a walk has read of directories, to be used again by any walk below the same root, whatever its rules and its order.
 *
 * Names and types are kept, a directory each, and what the rules let pass of them last; other rules are asked anew, and so
 * are those in files of the directory itself, and where links lead. A
 * directory is used again while its stamp stands still, which one question tells without opening it. Each is asked about
 * on the way down from one that was proved, so that nothing is believed of what a link was put in the place of.
 */
import type { Origin, Scope } from '../rules/rule.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import type { HeldPlace } from '../workspace/place.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { Stamp } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import type { DirectoryCache } from './cache.ts';

interface Names {
  /** All names, a 0 behind each. */
  readonly names: Bytes;
  /** The length and the type of each, a character each. */
  readonly details: string;
}

export interface KnownLevel extends Names {
  readonly stamp: Stamp;
  /** Null where it is not known, or depends on files of the directory itself. */
  passed: Passed | null;
}

/** What the rules let pass of a directory. */
export interface Passed extends Names {
  /** The rules of the directories above it. */
  readonly rules: string;
  readonly hidden: readonly (readonly [origin: Origin, count: number])[];
}

/** Bytes that a directory takes beside its names. */
const OVERHEAD = 600;

/** Bytes, which is what a character can tell. */
const LONGEST_NAME = 0xffff;

export class KnownLevels {
  readonly #cache: DirectoryCache;
  readonly #start: Visit;
  readonly #prefix: string;
  /** How many directories did not have to be read, and how many had to. */
  used = 0;
  read = 0;

  constructor(cache: DirectoryCache, start: Visit) {
    this.#cache = cache;
    this.#start = start;
    this.#prefix = `levels of ${start.rootRealPath}\0`;
  }

  /** What is known of the directory at a path from the start; null when it has to be read. */
  at(path: Bytes): KnownLevel | null {
    const start = this.#start;
    const known = this.#cache.find<KnownLevel>(this.#keyOf(path), () =>
      path === '' ? start.stamp() : start.stampAt(path),
    );
    if (known !== null) this.used++;
    return known;
  }

  /** Before a directory is read: what it takes to keep it afterwards; null where changes could not be noticed. */
  before(directory: Visit): Stamp | null {
    const stamp = directory.stamp();
    return stamp === null || this.#cache.roomFor(stamp) === null ? null : stamp;
  }

  /** Keeps the entries from a position on, which were read of a directory; null where a change could not be noticed. */
  keep(path: Bytes, entries: EntryBuffer, from: number, before: Stamp | null, directory: Visit): KnownLevel | null {
    this.read++;
    const names = before === null ? null : namesIn(entries, from);
    if (before === null || names === null) return null;
    const level: KnownLevel = { ...names, stamp: before, passed: null };
    const bytes = OVERHEAD + sizeOf(level);
    return this.#cache.keep(this.#keyOf(path), level, bytes, before, directory.stamp()) ? level : null;
  }

  /** Keeps what the rules let pass of it: the entries from a position on. */
  keepPassed(
    path: Bytes,
    level: KnownLevel,
    rules: string,
    entries: EntryBuffer,
    from: number,
    hidden: Passed['hidden'],
  ): void {
    const isAll = 2 * (entries.count - from) === level.details.length;
    const { names, details } = isAll ? level : (namesIn(entries, from) as Names);
    const before = level.passed === null || level.passed.names === level.names ? 0 : sizeOf(level.passed);
    level.passed = { rules, names, details, hidden };
    this.#cache.charge(this.#keyOf(path), (isAll ? 0 : sizeOf(level.passed)) - before);
  }

  /** Tells the rules of a directory, and those above it, from any others. */
  rulesOf(scope: Scope): string {
    return `${this.#start.path}\0${scope.key()}`;
  }

  /** A directory that is known and not held, as rules look at it. */
  placeOf(path: Bytes): HeldPlace {
    const start = this.#start;
    const root = path === '' ? start.path : below(start.path, path);
    return {
      path: root,
      rootRealPath: start.rootRealPath,
      outside: start.outside,
      readFile: (name) => start.fileAt(below(root, name)),
      fileAt: (other, largest) => start.fileAt(other, largest),
      entryAt: (other) => start.entryAt(other),
    };
  }

  #keyOf(path: Bytes): string {
    return this.#prefix + (path === '' ? this.#start.path : below(this.#start.path, path));
  }
}

/** Null where a name is longer than any on a disk. */
function namesIn(entries: EntryBuffer, from: number): Names | null {
  const names = entries.namesOf(from, entries.count);
  const details = new Uint16Array(2 * names.length);
  for (let i = from, at = 0; i < entries.count; i++) {
    const length = (entries.ends[i] as number) - (entries.starts[i] as number);
    if (length > LONGEST_NAME) return null;
    details[at++] = length;
    details[at++] = entries.codeAt(i);
  }
  return { names: `${names.join('\0')}\0` as Bytes, details: textOfCodes(details) };
}

/** Perf: in one piece; a text that was put together from many would keep all of them. A byte a character, if possible. */
function textOfCodes(codes: Uint16Array): string {
  const isNarrow = codes.every((code) => code < 0x100);
  return isNarrow
    ? Buffer.from(codes).toString('latin1')
    : Array.from(codes, (code) => String.fromCharCode(code)).join('');
}

function sizeOf({ names, details }: Names): number {
  return names.length + 2 * details.length;
}

/** Appends what is known of a directory. */
export function appendKnown({ names, details }: Names, entries: EntryBuffer): void {
  const count = details.length / 2;
  if (count === 0) return;
  entries.reserve(names.length, count);
  let start = entries.appendText(names);
  const { starts, ends, types } = entries;
  let at = entries.count;
  for (let i = 0; i < details.length; i += 2) {
    const end = start + details.charCodeAt(i);
    starts[at] = start;
    ends[at] = end;
    types[at++] = details.charCodeAt(i + 1);
    start = end + 1;
  }
  entries.count = at;
}
