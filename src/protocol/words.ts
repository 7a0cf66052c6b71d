/** The words of a name as people remember them, for search and suggestions: case, accents and endings do not count. */

// Perf: each pattern that asks Unicode about characters is inside its function, because it takes long to read. Every
// start of the command would pay for it.

/** Folds case, accents, and composed and decomposed forms: `Café` and `CAFE` become `cafe`. */
export function foldText(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase();
}

/** Splits a text into folded words: `HTTPServer_v2.ts` has `http`, `server`, `v2` and `ts`. */
export function wordsOf(text: string): string[] {
  // Anything but letters and digits, or the capital that begins a word (`useAuth`, `HTTPServer`).
  const between =
    /[^\p{L}\p{N}\p{M}]+|(?<=[\p{Ll}\p{N}]\p{M}{0,4})(?=\p{Lu})|(?<=\p{Lu}\p{M}{0,4})(?=\p{Lu}\p{M}{0,4}\p{Ll})/u;
  return text.split(between).map(foldText).filter(Boolean);
}

/** Cuts the plural and common endings off a word, so that `caches`, `cached` and `caching` are one. */
export function stemOf(word: string): string {
  const one = word.replace(/ies$/, 'y').replace(/(ss|sh|ch|x)es$|([^s])s$/, '$1$2');
  const bare = one.length > 4 ? one.replace(/(?:ing|ed|er|ion)$/, '') : one;
  const stem = (bare.length > 4 ? bare.replace(/e$/, '') : bare).replace(/([bdgmnprt])\1$/, '$1');
  return stem.length < 3 ? word : stem;
}

/** Words of a question that say little about what is meant. */
const COMMON_WORDS = new Set(
  (
    'a an and are as at be by for from in into is it its of on or that the this to was when with without not no if we ' +
    'use using used fix fixes fixed add adds added adding make makes made remove removes removed update updates ' +
    'updated via also can should instead only don t s now so after before more some all'
  ).split(' '),
);

export function isCommonWord(word: string): boolean {
  return COMMON_WORDS.has(word);
}
