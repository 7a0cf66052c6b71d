/**
 * Caches the directories that a walk has read, for any walk below the same root, whatever its rules and its order.
 *
 * Each directory is kept with its names and types, and with the entries that last passed the rules. Other rules are
 * applied anew, and so are rules in files of the directory itself. Links are followed anew. A directory is reused while
 * its stamp is unchanged, which one query tells without opening it. Each is checked on the way down from one that was
 * proved, so that nothing is trusted below a directory that was replaced by a link.
 */

import { type Bytes, below } from '../names/bytes.ts';
import type { Origin, Scope } from '../rules/rule.ts';
import type { DirectoryCache } from '../workspace/cache.ts';
import type { HeldPlace } from '../workspace/place.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { Stamp } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';

interface Names {
  /** All names, each followed by a 0. */
  readonly names: Bytes;
  /** The length and the type of each name, one character each. */
  readonly details: string;
}

export interface KnownLevel extends Names {
  readonly stamp: Stamp;
  /** Null if it is not known, or depends on files of the directory itself. */
  passed: Passed | null;
}

export interface Passed extends Names {
  /** Identifies the rules of the directories above it. */
  readonly rules: string;
  readonly hidden: readonly (readonly [origin: Origin, count: number])[];
}

/** Bytes that a directory takes in addition to its names. */
const OVERHEAD = 600;

/** A larger directory is read again: keeping its names would block for tens of milliseconds. */
const MAX_ENTRIES = 2 ** 15;

/** The greatest length, in bytes, that one character can encode. */
const LONGEST_NAME = 0xffff;

export class KnownLevels {
  readonly #cache: DirectoryCache;
  readonly #start: Visit;
  readonly #prefix: string;
  /** The number of directories that were known, and the number that had to be read. */
  used = 0;
  read = 0;

  constructor(cache: DirectoryCache, start: Visit) {
    this.#cache = cache;
    this.#start = start;
    this.#prefix = `levels of ${start.rootRealPath}\0`;
  }

  /** Returns what is known of the directory at a path from the start; null if it has to be read. */
  at(path: Bytes): KnownLevel | null {
    const start = this.#start;
    const known = this.#cache.find<KnownLevel>(this.#keyOf(path), () =>
      path === '' ? start.stamp() : start.stampAt(path),
    );
    if (known !== null) this.used++;
    return known;
  }

  /** Called before a directory is read. Returns the stamp to keep it by; null if changes could not be detected. */
  before(directory: Visit): Stamp | null {
    const stamp = directory.stamp();
    return stamp === null || this.#cache.roomFor(stamp) === null ? null : stamp;
  }

  /** Keeps a directory's entries, from position `from` on; null if it cannot, as when changes could not be detected. */
  keep(path: Bytes, entries: EntryBuffer, from: number, before: Stamp | null, directory: Visit): KnownLevel | null {
    this.read++;
    const names = before === null ? null : namesIn(entries, from);
    if (before === null || names === null) return null;
    const level: KnownLevel = { ...names, stamp: before, passed: null };
    const bytes = OVERHEAD + sizeOf(level);
    return this.#cache.keep(this.#keyOf(path), level, bytes, before, directory.stamp()) ? level : null;
  }

  /** Keeps the entries of a known directory that passed the rules: those from position `from` on. */
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

  /** Returns a key that identifies the rules of a directory and those above it. */
  rulesOf(scope: Scope): string {
    return `${this.#start.path}\0${scope.key()}`;
  }

  /** Returns a directory that is known but not open, as rules see it. */
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

/** Returns null if there are too many, or a name is longer than any on a disk. */
function namesIn(entries: EntryBuffer, from: number): Names | null {
  if (entries.count - from > MAX_ENTRIES) return null;
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

/** Perf: makes one flat string; a concatenated one would keep all its parts. Uses one byte a character, if possible. */
function textOfCodes(codes: Uint16Array): string {
  const isNarrow = codes.every((code) => code < 0x100);
  return isNarrow
    ? Buffer.from(codes).toString('latin1')
    : Array.from(codes, (code) => String.fromCharCode(code)).join('');
}

function sizeOf({ names, details }: Names): number {
  return names.length + 2 * details.length;
}

/** Appends the names and types that were kept. */
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
