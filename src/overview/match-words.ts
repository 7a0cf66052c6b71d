/**
 * Words that somebody remembers of a path, in any order and in any case. First all of them are looked for in paths, one
 * at least in the name itself; if no file has them so, anywhere in a path; and then the words that are nearest to them.
 */
import { type Select, selectingByName } from '../listing/select.ts';
import { nearest } from '../protocol/nearest.ts';
import { type Bytes, below, textOf } from '../workspace/bytes.ts';

/** `listed` is the path of the listed directory relative to the root. */
export type SelectBelow = (listed: Bytes) => Select;

/** Words of names that are kept to find a near spelling among. */
const MOST_SEEN = 20_000;

/** The score of a word: by itself in the name, as a part of it, and elsewhere in the path. */
const WHOLE_WORD = 3;
const IN_NAME = 2;
const IN_PATH = 1;

export class WordMatch {
  readonly words: readonly string[];
  /** Words of the names that were looked at. */
  readonly #seen = new Set<string>();

  constructor(match: string) {
    this.words = match
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
  }

  /** One word is looked for in names; several, or one with a `/`, in paths from the root. */
  get inNames(): SelectBelow {
    const [only = ''] = this.words;
    if (this.words.length <= 1 && !only.includes('/'))
      return () => selectingByName((name) => lower(name).includes(only));
    if (this.words.length <= 1) {
      return (listed) => selectingByName((_, path) => lower(below(listed, path)).includes(only));
    }
    return (listed) =>
      selectingByName((name, path) => {
        const own = lower(name);
        if (!this.words.some((word) => own.includes(word) || word.includes('/'))) return false;
        const whole = lower(below(listed, path));
        return this.words.every((word) => whole.includes(word));
      });
  }

  /** Anywhere in the path. Remembers the words that it meets. */
  get inPaths(): SelectBelow {
    return (listed) =>
      selectingByName((name, path) => {
        if (this.#seen.size < MOST_SEEN) for (const word of wordsIn(lower(name))) this.#seen.add(word);
        const whole = lower(below(listed, path));
        return this.words.every((word) => whole.includes(word));
      });
  }

  /** How well a file matches. */
  score(path: Bytes): number {
    const whole = lower(path);
    const name = whole.slice(whole.lastIndexOf('/') + 1);
    const own = new Set(wordsIn(name));
    return this.words.reduce(
      (sum, word) => sum + (own.has(word) ? WHOLE_WORD : name.includes(word) ? IN_NAME : IN_PATH),
      0,
    );
  }

  /** The same with the nearest of the words that were met; null when there is nothing near. */
  corrected(): WordMatch | null {
    const seen = [...this.#seen];
    const words = this.words.map((word) => (seen.some((known) => known.includes(word)) ? word : nearest(word, seen)));
    const isOther = words.some((word, i) => word !== this.words[i]);
    return isOther && words.every((word) => word !== null) ? new WordMatch(words.join(' ')) : null;
  }
}

function lower(bytes: Bytes): string {
  return (textOf(bytes) ?? bytes).toLowerCase();
}

/** Names are compared in parts and whole, without the extension: `use-auth.ts` is `use`, `auth`, `ts` and `use-auth`. */
function wordsIn(name: string): string[] {
  const [stem = name] = name.split('.').filter(Boolean);
  return [...name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''), stem];
}
