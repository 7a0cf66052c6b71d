// How often a file is in the answer to what somebody half remembers of its path.
import { nameOf } from './paths.js';

/** Tokens of an answer. */
const BUDGET = 250;

/** Files that are asked for. */
const COUNT = 100;

const RULES = {
  'the longest word of its name': (path) => [longestWord(stemOf(path))],
  'and the longest of its directory': (path) => [longestWord(directoryOf(path)), longestWord(stemOf(path))],
};

/** `{ name, found, asked }` for each way to remember. The files are the first of different paths in the sessions. */
export async function recallOf({ sessions }, ask) {
  const paths = [...new Set(sessions.flat())].slice(0, COUNT);
  const rows = [];
  for (const [name, wordsOf] of Object.entries(RULES)) {
    let found = 0;
    for (const path of paths) {
      const match = wordsOf(path).filter(Boolean).join(' ');
      const { answer } = await ask({ match, budget: BUDGET });
      if (answer.data.entries.some((entry) => entry.path === path)) found++;
    }
    rows.push({ name, found, asked: paths.length });
  }
  return rows;
}

function stemOf(path) {
  return nameOf(path).replace(/(?<=.)\..*$/, '') || nameOf(path);
}

function directoryOf(path) {
  return nameOf(path.slice(0, Math.max(path.lastIndexOf('/'), 0)));
}

function longestWord(text) {
  const words = text.split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u);
  return words.reduce((a, b) => (b.length > a.length ? b : a), '').toLowerCase();
}
