/**
 * What was read of a directory, to be used again while it has provably not changed.
 *
 * A directory notes the time whenever an entry comes, goes or is renamed. As long as device, inode and both of its
 * times stand still, its entries are the same; but only if those times were already in the past when it was read, for
 * a clock that has not ticked on yet would give a later change the same time. What the rules depend on is part of the
 * key. Where links lead is not kept, because their targets lie elsewhere.
 */
import { now } from '../workspace/clock.ts';
import { type Stamp, same } from '../workspace/source.ts';

/** Bytes that all that is kept may take together. A million entries take about 30 MB. */
const ROOM = 64 * 1024 * 1024;

/** The part of it that is still used after some had to go. */
const KEPT_OF_FULL = 0.85;

/** The part of it of which there are many: to drop one such would make room for one more. */
const SMALL = 0.05;

/** Milliseconds after which a directory that nobody asks for is forgotten. */
const IDLE = 5 * 60_000;

/**
 * How old a change must be before the clock has surely ticked on, in nanoseconds. Times with a fraction below a
 * microsecond come from a clock that ticks every few milliseconds; others may be rounded to two seconds.
 */
const FINE_GRAIN = 100_000_000n;
const COARSE_GRAIN = 2_500_000_000n;

interface Kept {
  readonly value: unknown;
  /** Null where the key alone proves it. */
  readonly stamp: Stamp | null;
  size: number;
  /** When it was used last. */
  used: number;
  /** Whether somebody has asked for it again. */
  isWanted: boolean;
}

/** Milliseconds that only go forward, and the system's time of day, by which directories are stamped. */
interface Clock {
  now(): number;
  timeOfDay(): number;
}

export class DirectoryCache {
  /** Bytes that all of it may take. */
  limit = ROOM;
  readonly #clock: Clock;
  /** What was used last is the last. */
  readonly #kept = new Map<string, Kept>();
  #size = 0;
  #sweeper: NodeJS.Timeout | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * What was kept under a key, by whoever keeps things of that kind; null when nothing is known, or what is known may be
   * wrong by now. The directory is asked for its stamp only if there is something to compare.
   */
  find<T>(key: string, stampNow: () => Stamp | null = () => null): T | null {
    const known = this.#kept.get(key);
    if (known === undefined) return null;
    if (known.stamp !== null && !isUnchanged(known.stamp, stampNow())) {
      this.#drop(key, known);
      return null;
    }
    known.used = this.#clock.now();
    known.isWanted = true;
    this.#kept.delete(key);
    this.#kept.set(key, known);
    return known.value as T;
  }

  /** How many bytes of a directory are worth keeping; null when what is read now could not be trusted later. */
  roomFor(stamp: Stamp): { bytes: number } | null {
    return isSettled(stamp, this.#clock.timeOfDay()) ? { bytes: this.limit } : null;
  }

  /** Keeps what takes about so many bytes, if the directory is still as it was before it was read; whether it did. */
  keep(key: string, value: unknown, bytes: number, before: Stamp, after: Stamp | null): boolean {
    return isUnchanged(before, after) && this.#keep(key, value, bytes, before);
  }

  /** Keeps what is told by its key, as the history of a commit is. */
  remember(key: string, value: unknown, bytes: number): boolean {
    return this.#keep(key, value, bytes, null);
  }

  #keep(key: string, value: unknown, bytes: number, stamp: Stamp | null): boolean {
    const size = bytes + key.length;
    if (size > this.limit) return false;
    const known = this.#kept.get(key);
    if (known !== undefined) this.#drop(key, known);
    const kept = { value, stamp, size, used: this.#clock.now(), isWanted: false };
    this.#add(key, kept);
    if (this.#size > this.limit) this.#makeRoom(kept);
    return true;
  }

  /** Something that is kept takes so many bytes more. */
  charge(key: string, bytes: number): void {
    const known = this.#kept.get(key);
    if (known === undefined) return;
    known.size += bytes;
    this.#size += bytes;
    if (this.#size > this.limit) this.#makeRoom(known);
  }

  /**
   * Drops what was not used for longest, down to a part of the limit, so that this is not needed for each directory. That
   * much of what somebody asked for again is safe: a flood of what is asked for once, such as pages by ever other rules,
   * drives out nothing that is wanted. What is large, and what has just come, goes only where it does not fit.
   */
  #makeRoom(newest: Kept): void {
    const room = KEPT_OF_FULL * this.limit;
    let unsafe = -room;
    for (const { isWanted, size } of this.#kept.values()) if (isWanted) unsafe += size;
    for (const [key, kept] of this.#kept) {
      if (this.#size <= room) return;
      const isSafe = kept.isWanted && unsafe <= 0;
      if (kept.isWanted) unsafe -= kept.size;
      const mayStay = isSafe || kept.size > SMALL * this.limit || kept === newest;
      if (!mayStay || (!isSafe && this.#size > this.limit)) this.#drop(key, kept);
    }
  }

  /** Bytes, about, of all that is kept. */
  get size(): number {
    return this.#size;
  }

  #add(key: string, kept: Kept): void {
    this.#kept.set(key, kept);
    this.#size += kept.size;
    this.#sweeper ??= setInterval(() => this.#sweep(), IDLE).unref();
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#size -= kept.size;
  }

  #sweep(): void {
    for (const [key, kept] of this.#kept) {
      if (this.#clock.now() - kept.used >= IDLE) this.#drop(key, kept);
    }
    if (this.#kept.size > 0 || this.#sweeper === null) return;
    clearInterval(this.#sweeper);
    this.#sweeper = null;
  }
}

/** One for the process, so that its bound is a bound. */
export const directoryCache = new DirectoryCache({ now, timeOfDay: () => Date.now() });

const MEGABYTE = 1024 * 1024;
const given = Number(process.env.AGENT_LS_CACHE_MB || Number.NaN);
if (given >= 0) directoryCache.limit = given * MEGABYTE;

function isSettled({ mtimeNs, ctimeNs }: Stamp, milliseconds: number): boolean {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const grain = latest % 1000n === 0n ? COARSE_GRAIN : FINE_GRAIN;
  return latest + grain < BigInt(milliseconds) * 1_000_000n;
}

/** Whether a directory's entries are the same as when it had the first stamp, which was old enough then. */
export function isUnchanged(before: Stamp, after: Stamp | null): boolean {
  if (after === null) return false;
  if (before.equals !== undefined) return before.equals(after);
  return same(before, after) && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
