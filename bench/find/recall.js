// How often a file is among the first ten for what somebody half remembers of its path.
import { nameOf } from '../navigation/paths.js';

/** Files that are asked for. */
const COUNT = 100;

/**
 * Ways to remember a path, and of how many in a hundred the file should be found. `known` has all paths, and how many of
 * them have a word.
 */
export const MEMORIES = [
  { name: 'two words of its path', target: 95, queryFor: (path, known) => twoWords(path, known).join(' ') },
  {
    name: 'the same, a letter missing',
    target: 85,
    queryFor: (path, known) => withoutLetter(twoWords(path, known)).join(' '),
  },
  { name: 'the end of its path', target: 100, queryFor: endOf },
  {
    name: 'the end, in another case and spelling',
    target: 95,
    queryFor: (path, known) => endOf(path, known).split('/').map(other).join('/'),
  },
];

/** `{ name, found, asked, target }` for each way. The files are the first of different paths in the sessions. */
export async function recallOf({ sessions, paths: all }, filesFor) {
  const paths = [...new Set(sessions.flat())].slice(0, COUNT);
  const counts = new Map();
  for (const path of all) for (const word of new Set(wordsOf(path))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const rows = [];
  for (const { name, target, queryFor } of MEMORIES) {
    let found = 0;
    for (const path of paths)
      if ((await filesFor(queryFor(path, { all, counts }))).slice(0, 10).includes(path)) found++;
    rows.push({ name, found, asked: paths.length, target });
  }
  return rows;
}

/**
 * Two different words: the rarest of its name, and the rarest other of its directories, or else of its name. What somebody
 * remembers is what sets a file apart, and nobody sends one word twice.
 */
function twoWords(path, { counts }) {
  const rarest = (words) => words.toSorted((a, b) => counts.get(a) - counts.get(b) || b.length - a.length)[0];
  const own = rarest(wordsOf(stemOf(path))) ?? rarest(wordsOf(nameOf(path)));
  const others = (text) => wordsOf(text).filter((word) => word !== own);
  const around = path.split('/').slice(0, -1).join('/');
  return [rarest(others(around)) ?? rarest(others(nameOf(path))), own].filter(Boolean);
}

/** Without the letter in the middle of the longest word. */
function withoutLetter(words) {
  const longest = words.reduce((a, b) => (b.length > a.length ? b : a), '');
  const middle = Math.floor(longest.length / 2);
  return words.map((word) => (word === longest ? word.slice(0, middle) + word.slice(middle + 1) : word));
}

/** At least two names, and as many as no other path ends with. */
function endOf(path, { all }) {
  const names = path.split('/');
  for (let count = 2; count < names.length; count++) {
    const end = names.slice(-count).join('/');
    if (all.filter((one) => one.endsWith(`/${end}`)).length === 1) return end;
  }
  return path;
}

/** `word-table.ts` as `WORD_TABLE.TS`, and `WordTable.ts` as well. */
function other(name) {
  return name
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, '_')
    .replaceAll('-', '_')
    .toUpperCase();
}

function stemOf(path) {
  return nameOf(path).replace(/(?<=.)\.[^.]*$/, '');
}

function wordsOf(text) {
  const words = text.split(/[^\p{L}\p{N}]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u).map((word) => word.toLowerCase());
  return words.filter((word) => word.length > 1);
}
