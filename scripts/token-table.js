/**
 * Generates src/overview/token-table.json from the published vocabulary of o200k_base.
 *
 *     node scripts/token-table.js
 *
 * Its parts are bytes, compressed, in base64; `piece-cost.ts` describes them.
 *
 * The vocabulary's ranks determine which of two merges comes first. That matters only if two merges compete for the
 * part between them: "AB" and "BC" in "ABC". So instead of 200,000 different ranks the table has about 500 levels,
 * which take a third of the space. A token's level is above those of its two parts. Of two tokens that compete, the one
 * with the higher rank has the higher level. Merging by level therefore gives the same result as merging by rank.
 */
import { writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base';

const TARGET = new URL('../src/overview/token-table.json', import.meta.url);

/** In the order of their ranks; each character is a byte. Omits two runs of control characters, which no text has. */
const tokens = vocabulary
  .map((token) => Buffer.from(token).toString('latin1'))
  .filter((token) => token.length === 1 || !/[\x00-\x08\x0b\x0c\x0e-\x1f]/.test(token));
const ranks = new Map(tokens.map((token, rank) => [token, rank]));
const merges = tokens.filter((token) => token.length > 1).map((token) => ({ token, parts: partsOf(token) }));

const levels = levelsOf();
/** The variants of each word, in the order in which the words are sorted. */
const words = new Map();
for (const token of levels.keys()) {
  const { word, variant } = variantOf(token);
  words.set(word, (words.get(word) ?? 0) | (1 << variant));
}
const sorted = [...words.keys()].sort();
/** Levels of words that are alike, by length and variants, compress better. */
const alike = sorted.toSorted((a, b) => a.length - b.length || words.get(a) - words.get(b));
const places = alike.flatMap((word) => tokensOf(word).map((token) => levels.get(token)));
const table = {
  words: packed(Buffer.from(frontCoded(sorted), 'latin1')),
  variants: packed(Buffer.from(sorted.map((word) => words.get(word)))),
  levels: packed(Buffer.from([...places.map((level) => level & 255), ...places.map((level) => level >> 8)])),
  length: sorted.join('').length,
};
writeFileSync(TARGET, `${JSON.stringify(table, null, 2)}\n`);

/**
 * Many tokens differ only in a space before them, and in whether their first letter is a capital: `word`, ` word`,
 * `Word`, ` Word`. Such a word is written once, with a bit for each of the four; that takes a tenth less space.
 */
function variantOf(token) {
  const hasSpace = token.length > 1 && token[0] === ' ';
  const bare = hasSpace ? token.slice(1) : token;
  const isCapital = bare.length > 1 && /^[A-Z](?![A-Z])/.test(bare);
  const word = isCapital ? bare[0].toLowerCase() + bare.slice(1) : bare;
  return { word, variant: (hasSpace ? 1 : 0) + (isCapital ? 2 : 0) };
}

function tokensOf(word) {
  const variants = [0, 1, 2, 3].filter((variant) => (words.get(word) >> variant) & 1);
  return variants.map(
    (variant) => (variant & 1 ? ' ' : '') + (variant & 2 ? word[0].toUpperCase() + word.slice(1) : word),
  );
}

/** Returns the two tokens whose merge gives this one. */
function partsOf(token) {
  const units = Array.from(token);
  while (units.length > 2) {
    const found = units.map((unit, at) => ranks.get(unit + units[at + 1]) ?? Number.POSITIVE_INFINITY);
    const best = found.indexOf(Math.min(...found));
    units.splice(best, 2, units[best] + units[best + 1]);
  }
  return units;
}

/**
 * First computes the lowest level that each token can have, from the first rank to the last. Then, from the last to the
 * first, chooses the roundest number between that level and those above it, counted down from the top: few different
 * numbers compress better.
 */
function levelsOf() {
  const lowest = new Map();
  const before = bounds(0, Math.max);
  for (const { token, parts } of merges) {
    const [left, right] = parts;
    const level = 1 + Math.max(lowest.get(left) ?? 0, lowest.get(right) ?? 0, before.at(left, right));
    lowest.set(token, level);
    before.add(left, right, level);
  }
  const top = 1 + [...lowest.values()].reduce((a, b) => Math.max(a, b));
  const levels = new Map();
  const ceilings = new Map();
  const after = bounds(top + 1, Math.min);
  for (const { token, parts } of merges.toReversed()) {
    const [left, right] = parts;
    const highest = Math.min(ceilings.get(token) ?? top + 1, after.at(left, right)) - 1;
    const level = top - roundest(top - highest, top - lowest.get(token));
    levels.set(token, level);
    after.add(left, right, level);
    for (const part of parts) ceilings.set(part, Math.min(ceilings.get(part) ?? level, level));
  }
  return levels;
}

/** Tracks the levels of tokens that compete with one: they begin with its right part or end with its left part. */
function bounds(none, further) {
  const ofBegin = new Map();
  const ofEnd = new Map();
  return {
    at: (left, right) => further(ofBegin.get(right) ?? none, ofEnd.get(left) ?? none),
    add: (left, right, level) => {
      ofBegin.set(left, further(ofBegin.get(left) ?? none, level));
      ofEnd.set(right, further(ofEnd.get(right) ?? none, level));
    },
  };
}

/** Returns the number from `from` to `to` that is divisible by the highest power of two. */
function roundest(from, to) {
  let best = from;
  for (let power = 1; Math.ceil(from / power) * power <= to && power <= 1024; power *= 2) {
    best = Math.ceil(from / power) * power;
  }
  return best;
}

function frontCoded(list) {
  let before = '';
  return list
    .map((token) => {
      let shared = 0;
      while (shared < 31 && shared < before.length && before[shared] === token[shared]) shared++;
      before = token;
      const rest = token.slice(shared).replace(/[\t\n\r]/g, (mark) => String.fromCharCode(0xf0 + mark.charCodeAt(0)));
      return String.fromCharCode(shared) + rest;
    })
    .join('');
}

function packed(content) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 18 };
  return brotliCompressSync(content, { params }).toString('base64');
}
