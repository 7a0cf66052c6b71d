/**
 * Matches paths by remembered words, in any order and case. A path must contain all words, at least one of them in its
 * name. If no file matches, the words may stand anywhere in the path; after that, the nearest spellings are tried.
 */
import { type Select, selectingByName } from '../listing/select.ts';
import { type Bytes, below, textOf } from '../names/bytes.ts';
import { namesOn } from '../names/paths.ts';
import { nearest } from '../protocol/nearest.ts';

/** `listed` is the path of the listed directory relative to the root. */
export type SelectBelow = (listed: Bytes) => Select;

/** Words of names that are kept for correcting a spelling. */
const MAX_SEEN = 20_000;

/**
 * The points of a word; each point doubles the worth. It may be the whole name without its extension, a word of the
 * name or a part of one, the same of the file's directory, or stand elsewhere.
 */
const WHOLE_NAME = 13;
const WORD_OF_NAME = 9;
const IN_NAME = 6;
const WORD_OF_DIRECTORY = 7;
const IN_DIRECTORY = 4;
const ELSEWHERE = 1;

/** Points for a name that consists of the longest word alone. */
const COVERED = 4;

export class WordMatch {
  readonly words: readonly string[];
  /** Words of the names that were examined. */
  readonly #seen = new Set<string>();

  constructor(match: string) {
    this.words = match
      .toLowerCase()
      .split(/\s+/)
      .map((word) => word.replace(/^(?:\.\/+)+/, ''))
      .filter((word) => word !== '');
  }

  /** A single word must stand in the name; several, or one with a `/`, in the path from the root. */
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

  /** Accepts words anywhere in the path. Remembers the words of all names, for `corrected`. */
  get inPaths(): SelectBelow {
    return (listed) => {
      // A directory opened with the same `match` may owe it to the names above it.
      for (const name of namesOn(listed)) this.#remember(name);
      return selectingByName((name, path) => {
        this.#remember(name);
        return this.#areIn(below(listed, path));
      });
    };
  }

  #remember(name: Bytes): void {
    if (this.#seen.size < MAX_SEEN) for (const word of wordsIn(textOf(name) ?? name)) this.#seen.add(word);
  }

  #areIn(path: Bytes): boolean {
    // A word may begin with the root's `/`.
    const whole = `/${lower(path)}`;
    return this.words.every((word) => whole.includes(word));
  }

  /** Rates how well a file matches, as a power of two. */
  worth(path: Bytes): number {
    const [name = '', directory = ''] = (textOf(path) ?? path).split('/').reverse();
    const [stem = name] = name.toLowerCase().split('.').filter(Boolean);
    const [ofName, ofDirectory] = [wordsIn(name), wordsIn(directory)];
    const points = (word: string, i: number): number => {
      // A repeated word means both the name and the directory.
      const isRepeated = this.words.indexOf(word) < i;
      if (word === stem && !isRepeated) return WHOLE_NAME;
      if (ofName.includes(word) && !isRepeated) return WORD_OF_NAME;
      if (name.toLowerCase().includes(word) && !isRepeated) return IN_NAME;
      if (ofDirectory.includes(word)) return WORD_OF_DIRECTORY;
      return directory.toLowerCase().includes(word) ? IN_DIRECTORY : ELSEWHERE;
    };
    // Among names with the same words, prefer the one with little else in it.
    const said = Math.max(0, ...this.words.filter((word) => stem.includes(word)).map(({ length }) => length));
    const covered = Math.round((COVERED * said) / Math.max(stem.length, 1));
    return 2 ** this.words.reduce((sum, word, i) => sum + points(word, i), covered);
  }

  /** Returns the match with each unknown word replaced by the nearest known one; null if there is none. */
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
