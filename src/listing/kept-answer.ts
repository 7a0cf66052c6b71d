/** The answer to a question that was asked before, to be given again while nothing has changed that it depends on. */
import type { DirectoryCache } from './cache.ts';
import { Evidence, StillSeen } from './evidence.ts';
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
  /** The answer as it was when it was asked for before, and what of it holds; null where nothing is known. */
  before: { readonly seen: StillSeen; readonly answer: T } | null = null;

  /** `question` is all that is asked, beside where and by which rules. */
  constructor(cache: DirectoryCache, question: string) {
    this.#cache = cache;
    this.#question = question;
  }

  /** Null when it is not known, or could be another now. `further` is what else it depends on. */
  async recall({ directory, scope, budget }: Reading, further = ''): Promise<T | null> {
    this.#key = JSON.stringify([this.#question, directory.rootRealPath, directory.path, scope.key(), further]);
    const known = this.#cache.find<Kept<T>>(this.#key);
    if (known === null) return null;
    const { evidence, answer } = known;
    this.before = { seen: await budget.run(StillSeen.of(evidence, directory)), answer };
    return this.before.seen.isAll ? answer : null;
  }

  /** Keeps an answer that takes about so many bytes, if all that it depends on can be asked and there is room for it. */
  keep(answer: T, bytes: number): boolean {
    const { evidence } = this;
    return evidence.isComplete && this.#cache.remember(this.#key, { evidence, answer }, evidence.size + bytes);
  }
}
