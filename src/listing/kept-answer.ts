/** The answer to a question that was asked before, to be given again while nothing has changed that it depends on. */
import type { DirectoryCache } from './cache.ts';
import { Evidence } from './evidence.ts';
import type { Reading } from './reading.ts';

interface Kept<T> {
  readonly evidence: Evidence;
  readonly answer: T;
}

export class KeptAnswer<T> {
  /** For the walks that the answer is made of. */
  readonly evidence = new Evidence();
  readonly #cache: DirectoryCache;
  readonly #question: string;
  #key = '';

  /** `question` is all that is asked, beside where and by which rules. */
  constructor(cache: DirectoryCache, question: string) {
    this.#cache = cache;
    this.#question = question;
  }

  /** Null when it is not known, or could be another now. `further` is what else it depends on. */
  async recall({ directory, scope, budget }: Reading, further = ''): Promise<T | null> {
    this.#key = JSON.stringify([this.#question, directory.rootRealPath, directory.path, scope.key(), further]);
    const known = this.#cache.find<Kept<T>>(this.#key, () => directory.stamp());
    return known !== null && (await budget.run(known.evidence.stillHolds(directory))) ? known.answer : null;
  }

  /** Keeps an answer that takes about so many bytes, if it would be the same another time and there is room for it. */
  async keep(answer: () => T | Promise<T>, bytes: number): Promise<void> {
    const { evidence } = this;
    const { isComplete, start, size } = evidence;
    if (!isComplete || start === null || size + bytes > this.#cache.limit) return;
    this.#cache.keep(this.#key, { evidence, answer: await answer() }, size + bytes, start, start);
  }
}
