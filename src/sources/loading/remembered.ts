/** A cache of what was loaded, for later calls. The least recently used items are evicted first. */
import { now } from '../../workspace/clock.ts';

/** The most bytes that one source may cache. */
const ROOM = 64 * 1024 * 1024;

interface Kept {
  readonly value: unknown;
  readonly bytes: number;
  readonly since: number;
}

export class Remembered {
  readonly #maxAge: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  /** `maxAge` is in milliseconds. */
  constructor(maxAge: number) {
    this.#maxAge = maxAge;
  }

  get<T>(key: string): T | undefined {
    const kept = this.#kept.get(key);
    if (kept === undefined) return undefined;
    this.#kept.delete(key);
    if (this.#maxAge !== Number.POSITIVE_INFINITY && now() - kept.since > this.#maxAge) {
      this.#bytes -= kept.bytes;
      return undefined;
    }
    this.#kept.set(key, kept);
    return kept.value as T;
  }

  set(key: string, value: unknown, bytes: number): void {
    if (bytes > ROOM / 2) return;
    this.#bytes += bytes - (this.#kept.get(key)?.bytes ?? 0);
    this.#kept.delete(key);
    this.#kept.set(key, { value, bytes, since: now() });
    for (const [oldest, kept] of this.#kept) {
      if (this.#bytes <= ROOM) return;
      this.#kept.delete(oldest);
      this.#bytes -= kept.bytes;
    }
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
