/**
 * Keeps the answer to a question, and returns it again while nothing that it depends on has changed. The first time, it
 * is only noted that it was asked. The second time, the walk also gathers evidence, which takes longer.
 */
import type { DirectoryCache } from '../workspace/cache.ts';
import { Evidence } from './evidence.ts';
import type { Reading } from './reading.ts';

/** Kept in place of an answer: the question was asked before; its answer is too large, so evidence would be in vain. */
const ASKED = 'asked';
const TOO_LARGE = 'too large';

export class KeptAnswer<T> {
  /** To be filled by the walks that produce the answer; null if it will not be kept. */
  evidence: Evidence | null = null;
  readonly #cache: DirectoryCache;
  readonly #question: string;
  readonly #isSoonAskedAgain: boolean;
  /** The keys that this call has looked up. */
  readonly #asked = new Set<string>();
  #key = '';

  /** `question` identifies all but the directory and the rules. With `isSoonAskedAgain`, evidence is gathered at once. */
  constructor(cache: DirectoryCache, question: string, isSoonAskedAgain = false) {
    this.#cache = cache;
    this.#question = question;
    this.#isSoonAskedAgain = isSoonAskedAgain;
  }

  /** Returns the kept answer; null if there is none, or it may be out of date. `further` is what else it depends on. */
  async recall({ directory, scope, budget }: Reading, further = ''): Promise<T | null> {
    this.#key = JSON.stringify([this.#question, directory.rootRealPath, directory.path, scope.key(), further]);
    if (this.#asked.has(this.#key)) return null;
    this.#asked.add(this.#key);
    const known = this.#cache.find<{ readonly evidence: Evidence; readonly answer: T } | string>(this.#key);
    if (known === TOO_LARGE) return null;
    const isAnswer = known !== null && typeof known !== 'string';
    if (isAnswer && (await budget.run(known.evidence.holds(directory)))) return known.answer;
    // Whether a disk can be proved unchanged shows when it has been read, so that does not matter the first time.
    if (this.#isSoonAskedAgain || (directory.canProve && known === ASKED)) {
      this.evidence ??= new Evidence(this.#cache);
      // If something changes meanwhile, the next call should not gather evidence in vain.
      this.#cache.forget(this.#key);
    } else this.#cache.remember(this.#key, ASKED, 0);
    return null;
  }

  /** Keeps an answer of about `bytes` bytes, if everything that it depends on can be checked and there is room. */
  keep(answer: T, bytes: number): boolean {
    const { evidence } = this;
    if (!evidence?.isComplete) return false;
    const isKept = this.#cache.remember(this.#key, { evidence, answer }, evidence.size + bytes);
    if (!isKept) this.#cache.remember(this.#key, TOO_LARGE, 0);
    return isKept;
  }
}
