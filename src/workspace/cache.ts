/**
 * Caches what was read from a directory, for as long as the directory has provably not changed: while device, inode and
 * both times are unchanged, if those times already lay in the past when it was read. A later change within the same
 * clock tick would get the same time. Everything that the rules depend on is part of the key. Where a link leads is not
 * cached.
 */
import { now } from './clock.ts';
import { type Metadata, type Stamp, same } from './source.ts';

/** The most bytes that the whole cache may take. A million entries take about 30 MB. */
const ROOM = 64 * 1024 * 1024;
/** The fraction of the limit that stays in use after an eviction. */
const KEPT_OF_FULL = 0.85;
/** Values up to this fraction of the limit are small. There are many of them: evicting one makes room for another. */
const SMALL = 0.05;
/** Milliseconds after which a directory that was not looked up is evicted. */
const IDLE = 5 * 60_000;

/**
 * The age, in nanoseconds, at which a change certainly lies in an earlier clock tick. Times with a fraction below a
 * microsecond come from a clock that ticks every few milliseconds; others may be rounded to two seconds.
 */
const FINE_GRAIN = 100_000_000n;
const COARSE_GRAIN = 2_500_000_000n;

interface Kept {
  readonly value: unknown;
  /** Null if the key alone proves the value valid. */
  readonly stamp: Stamp | null;
  readonly size: number;
  used: number;
  /** Set when the value is looked up again. */
  isWanted: boolean;
}

export class DirectoryCache {
  limit = ROOM;
  readonly #clock: { now(): number; timeOfDay(): number };
  /** In order of use: the most recently used value is last. */
  readonly #kept = new Map<string, Kept>();
  /** The bytes of all values and their keys. */
  size = 0;
  #sweeper: NodeJS.Timeout | null = null;

  /** A monotonic clock in milliseconds, and the system's time of day, by which directories are stamped. */
  constructor(clock: { now(): number; timeOfDay(): number }) {
    this.#clock = clock;
  }

  /** Returns what was kept under a key; null if there is nothing, or it may be out of date by `stampNow`. */
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

  /** True if what is read now can be trusted while the stamp is unchanged. */
  isSettled({ mtimeNs, ctimeNs }: Stamp): boolean {
    const latest = mtimeNs > ctimeNs ? mtimeNs : ctimeNs;
    const grain = latest % 1000n === 0n ? COARSE_GRAIN : FINE_GRAIN;
    return latest + grain < BigInt(this.#clock.timeOfDay()) * 1_000_000n;
  }

  /** Keeps a value of about `bytes` bytes, if the directory did not change while it was read. True if it was kept. */
  keep(key: string, value: unknown, bytes: number, before: Stamp, after: Stamp | null): boolean {
    return isUnchanged(before, after) && this.remember(key, value, bytes, before);
  }

  /** Without a stamp, the key fully determines the value, as a commit determines its history. */
  remember(key: string, value: unknown, bytes: number, stamp: Stamp | null = null): boolean {
    const size = bytes + key.length;
    if (size > this.limit) return false;
    this.forget(key);
    const kept = { value, stamp, size, used: this.#clock.now(), isWanted: false };
    this.#kept.set(key, kept);
    this.size += size;
    this.#sweeper ??= setInterval(() => this.#sweep(), IDLE).unref();
    if (this.size > this.limit) this.#makeRoom(kept);
    return true;
  }

  forget(key: string): void {
    const known = this.#kept.get(key);
    if (known !== undefined) this.#drop(key, known);
  }

  /**
   * Drops the least recently used values until a fraction of the limit is in use, so that this does not run for each
   * directory. Up to that size, values that were looked up again are safe: a flood of values that are used once, as
   * pages under ever different rules are, evicts none of them. Large values and the newest go only if they do not fit.
   */
  #makeRoom(newest: Kept): void {
    const room = KEPT_OF_FULL * this.limit;
    let unsafe = -room;
    for (const { isWanted, size } of this.#kept.values()) if (isWanted) unsafe += size;
    for (const [key, kept] of this.#kept) {
      if (this.size <= room) return;
      const isSafe = kept.isWanted && unsafe <= 0;
      if (kept.isWanted) unsafe -= kept.size;
      const mayStay = isSafe || kept.size > SMALL * this.limit || kept === newest;
      if (!mayStay || (!isSafe && this.size > this.limit)) this.#drop(key, kept);
    }
  }

  #drop(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.size -= kept.size;
  }

  #sweep(): void {
    for (const [key, kept] of this.#kept) if (this.#clock.now() - kept.used >= IDLE) this.#drop(key, kept);
    if (this.#kept.size > 0 || this.#sweeper === null) return;
    clearInterval(this.#sweeper);
    this.#sweeper = null;
  }
}

/** One cache for the whole process, so that its limit bounds the total. */
export const directoryCache = new DirectoryCache({ now, timeOfDay: () => Date.now() });

const megabytes = Number(process.env.AGENT_LS_CACHE_MB || Number.NaN);
if (megabytes >= 0) directoryCache.limit = megabytes * 1024 * 1024;

/** True if a later change to the content of a file cannot get the same times. */
export function hasSettled({ modified, changed = modified }: Metadata): boolean {
  return Date.now() - Math.max(modified, changed) > Number(COARSE_GRAIN) / 1e6;
}

/** True if a directory's entries are unchanged, provided that `before` was old enough when it was taken. */
export function isUnchanged(before: Stamp, after: Stamp | null): boolean {
  if (after === null) return false;
  if (before.equals !== undefined) return before.equals(after);
  return same(before, after) && before.mtimeNs === after.mtimeNs && before.ctimeNs === after.ctimeNs;
}
