/** What a query asks for: words, the end of a path, or globs. */
import { type Bytes, bytesOf, textOf } from '../names/bytes.ts';
import { unquoted } from '../names/quote.ts';
import { wordsOf } from '../protocol/words.ts';
import { compileNamePattern } from '../rules/name-pattern.ts';
import type { Effort } from '../workspace/budget.ts';

/** More words than a sentence has would only cost time. */
const MAX_WORDS = 32;

const GLOB = /[*?[{]|[!+@]\(/;

export interface FindQuestion {
  /** Different folded words, in their order. */
  readonly words: readonly string[];
  /** The number of words that do not count, because there are too many. */
  readonly ignored: number;
  /** The query as a path, without what only says where it begins, or that it is a directory. */
  readonly path: Bytes;
  readonly globs: readonly string[];
}

export function questionOf(query: string): FindQuestion {
  const asked = query.trim();
  const path = unquoted(asked) ?? bytesOf(asked.replace(/^(?:\.?\/)+|(?<!\/)\/+$/g, ''));
  const words = [...new Set(wordsOf(textOf(path) ?? path))];
  const globs = asked.split(/\s+/).filter((word) => GLOB.test(word));
  return { words: words.slice(0, MAX_WORDS), ignored: Math.max(0, words.length - MAX_WORDS), path, globs };
}

/** Returns true if a path below the searched directory matches. */
export type MatchesGlob = (name: Bytes, path: () => Bytes) => boolean;

/**
 * The ways to read globs, to be tried until one matches something: "one with a `/` is tried from the searched directory,
 * then at any depth. Case counts first; if nothing matches, it does not."
 */
export async function globMatchers(globs: readonly string[], effort: Effort): Promise<MatchesGlob[]> {
  const rooted = globs.map((glob) => glob.replace(/^(!?)\.?\/+/, '$1'));
  const anywhere = rooted.map((glob) => (glob.includes('/') ? glob.replace(/^!?/, '$&**/') : glob));
  const matcher = async (some: readonly string[], fold: (text: Bytes) => Bytes): Promise<MatchesGlob> => {
    const patterns = await Promise.all(some.map((glob) => compileNamePattern(glob, { dot: true })));
    return (name, path) => {
      const folded = fold(name);
      return patterns.some((pattern, i) =>
        pattern.matches(folded, some[i]?.includes('/') ? fold(path()) : folded, effort),
      );
    };
  };
  const asIs = (text: Bytes) => text;
  const lower = (text: Bytes) => bytesOf((textOf(text) ?? text).toLowerCase());
  const isSame = anywhere.every((glob, i) => glob === rooted[i]);
  const ways = isSame ? [rooted] : [rooted, anywhere];
  const lowered = ways.map((some) => some.map((glob) => glob.toLowerCase()));
  return Promise.all([...ways.map((some) => matcher(some, asIs)), ...lowered.map((some) => matcher(some, lower))]);
}

/** A path as the words of each name: two spellings of one path have the same. */
export function spelling(path: Bytes): string {
  return (textOf(path) ?? path)
    .split('/')
    .map((name) => wordsOf(name).join(''))
    .join('/');
}
