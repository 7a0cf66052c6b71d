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

/**
 * What a word counts, each point twice as much as the one before: as the whole name without its extension, as a word of
 * it, as a part of a word; the same of the directory that the file is in; elsewhere.
 */
const WHOLE_NAME = 13;
const WORD_OF_NAME = 9;
const IN_NAME = 6;
const WORD_OF_DIRECTORY = 7;
const IN_DIRECTORY = 4;
const ELSEWHERE = 1;

/** Points for a name that is nothing but the longest word. */
const COVERED = 4;

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
    const hasPath = this.words.some((word) => word.includes('/'));
    if (this.words.length <= 1 && !hasPath) return () => selectingByName((name) => lower(name).includes(only));
    return (listed) =>
      selectingByName((name, path) => {
        const own = hasPath ? '' : lower(name);
        return (hasPath || this.words.some((word) => own.includes(word))) && this.#areIn(below(listed, path));
      });
  }

  /** Anywhere in the path. Remembers the words that it meets. */
  get inPaths(): SelectBelow {
    return (listed) =>
      selectingByName((name, path) => {
        if (this.#seen.size < MOST_SEEN) for (const word of wordsIn(textOf(name) ?? name)) this.#seen.add(word);
        return this.#areIn(below(listed, path));
      });
  }

  #areIn(path: Bytes): boolean {
    const whole = lower(path);
    return this.words.every((word) => whole.includes(word));
  }

  /** How well a file matches: a power of two. */
  worth(path: Bytes): number {
    const [name = '', directory = ''] = (textOf(path) ?? path).split('/').reverse();
    const [stem = name] = name.toLowerCase().split('.').filter(Boolean);
    const [ofName, ofDirectory] = [wordsIn(name), wordsIn(directory)];
    const points = (word: string, i: number): number => {
      // Who says a word twice means the name and the directory.
      const isRepeated = this.words.indexOf(word) < i;
      if (word === stem && !isRepeated) return WHOLE_NAME;
      if (ofName.includes(word) && !isRepeated) return WORD_OF_NAME;
      if (name.toLowerCase().includes(word) && !isRepeated) return IN_NAME;
      if (ofDirectory.includes(word)) return WORD_OF_DIRECTORY;
      return directory.toLowerCase().includes(word) ? IN_DIRECTORY : ELSEWHERE;
    };
    // Of names with the same words, the one that says little else.
    const said = Math.max(0, ...this.words.filter((word) => stem.includes(word)).map(({ length }) => length));
    const covered = Math.round((COVERED * said) / Math.max(stem.length, 1));
    return 2 ** this.words.reduce((sum, word, i) => sum + points(word, i), covered);
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

/** `use-auth.ts` has `use`, `auth` and `ts`, and also `use-auth`; `UserCache` has `user` and `cache`. */
function wordsIn(name: string): string[] {
  const [stem = name] = name.split('.').filter(Boolean);
  const words = name.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).filter((word) => word !== '');
  return [...words, stem].map((word) => word.toLowerCase());
}
