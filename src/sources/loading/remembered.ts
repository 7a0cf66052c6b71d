import { directoryCache } from '../../workspace/cache.ts';
import { now } from '../../workspace/clock.ts';
import { newDevice } from '../../workspace/source.ts';

/** Keeps what one source has loaded for later calls, for `maxAge` milliseconds, in the cache that bounds everything. */
export class Remembered {
  readonly #source = newDevice();
  readonly #maxAge: number;

  constructor(maxAge: number) {
    this.#maxAge = maxAge;
  }

  get<T>(key: string): T | undefined {
    const kept = directoryCache.find<{ readonly value: T; readonly since: number }>(`${this.#source} ${key}`);
    return kept === null || now() - kept.since > this.#maxAge ? undefined : kept.value;
  }

  set(key: string, value: unknown, bytes: number): void {
    directoryCache.remember(`${this.#source} ${key}`, { value, since: now() }, bytes);
  }
}
