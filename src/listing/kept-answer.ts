/** Keeps the answer to a question, and returns it again while nothing that it depends on has changed. */
import type { DirectoryCache } from '../workspace/cache.ts';
import { Evidence, StillSeen } from './evidence.ts';
import type { Reading } from './reading.ts';

export class KeptAnswer<T> {
  /** Filled by the walks that produce the answer. */
  readonly evidence = new Evidence();
  readonly #cache: DirectoryCache;
  readonly #question: string;
  #key = '';
  /** The previous answer, and what of its evidence still holds; null if there is none. */
  before: { readonly seen: StillSeen; readonly answer: T } | null = null;

  /** `question` identifies everything that is asked, except the directory and the rules. */
  constructor(cache: DirectoryCache, question: string) {
    this.#cache = cache;
    this.#question = question;
  }

  /** Returns the kept answer; null if there is none, or it may be out of date. `further` is what else it depends on. */
  async recall({ directory, scope, budget }: Reading, further = ''): Promise<T | null> {
    this.#key = JSON.stringify([this.#question, directory.rootRealPath, directory.path, scope.key(), further]);
    const known = this.#cache.find<{ readonly evidence: Evidence; readonly answer: T }>(this.#key);
    if (known === null) return null;
    const { evidence, answer } = known;
    this.before = { seen: await budget.run(StillSeen.of(evidence, directory)), answer };
    return this.before.seen.isAll ? answer : null;
  }

  /** Keeps an answer of about `bytes` bytes, if everything that it depends on can be checked and there is room. */
  keep(answer: T, bytes: number): boolean {
    const { evidence } = this;
    return evidence.isComplete && this.#cache.remember(this.#key, { evidence, answer }, evidence.size + bytes);
  }
}
