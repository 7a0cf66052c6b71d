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
import type { Visit } from '../workspace/visit.ts';
import type { LevelContents } from './level-contents.ts';

/** Bytes that all directories together may take. A million entries take about 30 MB. */
const ROOM = 64 * 1024 * 1024;

/** Bytes that even an empty directory takes: buffers are made for some entries in advance. */
const LEAST_SIZE = 8 * 1024;

/** Milliseconds after which a directory that nobody asks for is forgotten. */
const IDLE = 5 * 60_000;

/**
 * How old a change must be before the clock has surely ticked on, in nanoseconds. Times with a fraction below a
 * microsecond come from a clock that ticks every few milliseconds; others may be rounded to two seconds.
 */
const FINE_GRAIN = 100_000_000n;
const COARSE_GRAIN = 2_500_000_000n;

interface Kept {
  readonly contents: LevelContents;
  readonly stamp: Stamp;
  readonly size: number;
  used: number;
}

/** Milliseconds that only go forward, and the system's time of day, by which directories are stamped. */
interface Clock {
  now(): number;
  timeOfDay(): number;
}

export class DirectoryCache {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Kept>();
  #size = 0;
  #sweeper: NodeJS.Timeout | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Null when nothing is known of the directory, or what is known may be wrong by now. */
  find(key: string, directory: Visit): LevelContents | null {
    const known = this.#kept.get(key);
    if (known === undefined) return null;
    // It goes to the end, so that the first is always the one that was not used for longest.
    this.#drop(key, known);
    if (!isUnchanged(known.stamp, directory.stamp())) return null;
    this.#add(key, { ...known, used: this.#clock.now() });
    return known.contents;
  }

  /** How many bytes of a directory are worth keeping; null when what is read now could not be trusted later. */
  roomFor(stamp: Stamp): { bytes: number } | null {
    return isSettled(stamp, this.#clock.timeOfDay()) ? { bytes: ROOM } : null;
  }

  /** Keeps what was read, if the directory is still as it was before. */
  keep(key: string, contents: LevelContents, before: Stamp, directory: Visit): void {
    const size = LEAST_SIZE + contents.size + 2 * key.length;
    if (!contents.isWhole || size > ROOM || contents.stopped !== null) return;
    if (!isUnchanged(before, directory.stamp())) return;
    const known = this.#kept.get(key);
    if (known !== undefined) this.#drop(key, known);
    this.#add(key, { contents, stamp: before, size, used: this.#clock.now() });
    for (const [oldest, kept] of this.#kept) {
      if (this.#size <= ROOM) break;
      this.#drop(oldest, kept);
    }
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

function isSettled({ mtimeNs, ctimeNs }: Stamp, milliseconds: number): boolean {
  const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
  const grain = latest % 1000n === 0n ? COARSE_GRAIN : FINE_GRAIN;
  return latest + grain < BigInt(milliseconds) * 1_000_000n;
}

function isUnchanged(before: Stamp, after: Stamp | null): boolean {
  return after !== null && same(before, after) && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
