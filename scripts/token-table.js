/**
 * Makes src/overview/token-table.ts: which words are one token of o200k_base, as far as names of files need it.
 *
 *     node scripts/token-table.js LIST...
 *
 * A LIST is a file with one path a line, the files of one project (`npm pack` and `tar tzf`, `pip download` and
 * `unzip -l`, `find`). The table in the repository was made of 109 such lists: packages of npm and PyPI, and /usr/share
 * and /usr/lib of a Debian. How often a word is needed is counted in them, a project with many files weighing less for
 * each; whether it is a token is asked of the tokenizer.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants } from 'node:zlib';
import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { build } from 'rolldown';

const WORDS = 7200;
/** Pieces of names that the estimator, without knowing them, gets wrong most often. */
const PIECES = 600;
/** Tokens below this rank are merged in their order, which shows where a word can not be cut. */
const EARLY = 3000;
const MARKS = 260;
/** What a map itself writes: its marks, and the words of its header. */
const OWN_MARKS = ['', '-', '_', '.', '"', ')'].flatMap((end) =>
  ['/', '/+', '*+', '*/+', '@'].flatMap((mark) => [end + mark, `${end + mark}\n`]),
);
const OWN_WORDS =
  'file files shown hidden folded closed ignored unreadable could not be read by gitignore rules more'.split(' ');
/** The weight of what must be in the table. */
const ALWAYS = 1e9;
const LEADS = ['', ' ', '.', '_', '-', '/'];
const TARGET = new URL('../src/overview/token-table.ts', import.meta.url);

const ranks = new Map(vocabulary.map((token, rank) => [token, rank]).filter(([token]) => typeof token === 'string'));

const projects = process.argv.slice(2).map((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
const uses = usesOf();
const words = mostUsed(wordUses(), WORDS).sort();
const { kinds, kindOf } = formKinds(words);
const early = [...ranks.keys()].filter(
  (token) => ranks.get(token) < EARLY && /^[ -~]?[A-Za-z]+$/.test(token) && token.length > 1,
);

writeTable([]);
writeTable(await worstPieces());

function writeTable(pieces) {
  const parts = [
    part(
      'WORDS',
      'The words, sorted: how many letters are those of the word before, as a capital, and the rest.',
      frontCoded(words),
    ),
    part(
      'KINDS',
      'The sets of forms that words have, as numbers of base 36.',
      kinds.map((kind) => kind.toString(36)).join(' '),
    ),
    part('KIND_OF_WORD', "A byte for each word: its set's place in `KINDS`.", Buffer.from(words.map(kindOf))),
    part('EARLY', 'The tokens that are merged first, in their order.', early.join('\n')),
    part('MARKS', 'Runs of punctuation that are one token.', mostUsed(markUses(), MARKS).join('\t')),
    part(
      'PIECES',
      'Frequent pieces that would be estimated wrongly, each after the number of its tokens.',
      pieces.sort().join('\t'),
    ),
    part(
      'CHARACTERS',
      'A byte for each character from U+0080 to U+FFFF and from U+1F000 to U+1FBFF: its tokens.',
      characterCosts(),
    ),
  ];
  const about = '/** Made by scripts/token-table.js. Each part is text or bytes, compressed, in base64. */\n';
  writeFileSync(TARGET, about + parts.join(''));
}

/** Asks the estimator itself, as it is with the table so far. */
async function worstPieces() {
  const bundle = await build({ input: ['piece-cost', 'pieces'].map(sourceOf), platform: 'node', write: false });
  const [cost, cut] = await Promise.all(
    ['piece-cost', 'pieces'].map((name) => {
      const { code } = bundle.output.find((chunk) => chunk.name === name);
      return import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
    }),
  );
  const errors = new Map();
  for (const paths of projects) {
    const own = new Map();
    for (const path of new Set(paths.flatMap(withParents))) {
      const name = ` ${path.slice(path.lastIndexOf('/') + 1)}`;
      for (let from = 0, to = 0; from < name.length; from = to) {
        to = cut.pieceEnd(name, from);
        const piece = name.slice(from, to);
        if (/^[ -~]+$/.test(piece)) own.set(piece, (own.get(piece) ?? 0) + 1);
      }
    }
    for (const [piece, count] of own) {
      const error = cost.tokensOfPiece(piece) - encode(piece).length;
      // Too few is what must not be, too many only a pity.
      const weight = (error < 0 ? -6 : 1) * error * Math.sqrt(count);
      if (weight > 0) errors.set(piece, (errors.get(piece) ?? 0) + weight);
    }
  }
  for (const piece of [...OWN_MARKS, ...OWN_WORDS.map((word) => ` ${word}`), ' (', '),', ')\n', ' "', '"\n']) {
    if (cost.tokensOfPiece(piece) !== encode(piece).length) errors.set(piece, ALWAYS);
  }
  return mostUsed(errors, PIECES).map((piece) => encode(piece).length + piece);
}

function sourceOf(name) {
  return fileURLToPath(new URL(`../src/overview/${name}.ts`, import.meta.url));
}

/** Every token of the names, with its weight. */
function usesOf() {
  const all = new Map();
  for (const paths of projects) {
    const own = new Map();
    for (const path of new Set(paths.flatMap(withParents))) {
      for (const token of encode(` ${path.slice(path.lastIndexOf('/') + 1)}`))
        own.set(vocabulary[token], (own.get(vocabulary[token]) ?? 0) + 1);
    }
    const total = [...own.values()].reduce((sum, count) => sum + count, 0);
    for (const [token, count] of own) all.set(token, (all.get(token) ?? 0) + Math.min(count, 20) / Math.sqrt(total));
  }
  return all;
}

function withParents(path) {
  const parts = path.replace(/\/$/, '').split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

function wordUses() {
  const found = new Map();
  // All pairs of letters, because hashes are made of them.
  for (const a of letters()) for (const b of ['', ...letters()]) found.set(a + b, ALWAYS);
  for (const [token, weight] of uses) {
    const word = typeof token === 'string' ? /^[ ._/-]?([A-Za-z]+)$/.exec(token)?.[1].toLowerCase() : undefined;
    if (word !== undefined) found.set(word, (found.get(word) ?? 0) + weight);
  }
  return found;
}

function letters() {
  return [...'abcdefghijklmnopqrstuvwxyz'];
}

function markUses() {
  const found = new Map();
  for (const token of OWN_MARKS) if (ranks.has(token)) found.set(token, ALWAYS);
  for (const [token, weight] of uses) {
    if (typeof token === 'string' && /^[\n!-/:-@[-`{-~ ]{2,}$/.test(token) && token.trim() !== '')
      found.set(token, (found.get(token) ?? 0) + weight);
  }
  // The rest by rank: what is merged early is frequent anywhere.
  for (const [token, rank] of ranks)
    if (/^ ?[!-/:-@[-`{-~]{1,3}\n?$/.test(token) && token.length > 1 && !found.has(token)) found.set(token, -rank);
  return found;
}

function mostUsed(found, count) {
  return [...found]
    .sort((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([word]) => word);
}

/** Bit 3·lead + case. */
function formsOf(word) {
  const cases = [word, word[0].toUpperCase() + word.slice(1), word.toUpperCase()];
  const forms = LEADS.flatMap((lead) => cases.map((form) => lead + form));
  return forms.reduce((bits, form, at) => (ranks.has(form) ? bits | (1 << at) : bits), 0);
}

/** The 256 most frequent sets; a word with another one gets the largest that claims nothing false. */
function formKinds(list) {
  const counts = new Map();
  for (const word of list) counts.set(formsOf(word), (counts.get(formsOf(word)) ?? 0) + 1);
  counts.set(0, ALWAYS);
  const best = mostUsed(counts, 256);
  const size = (bits) => bits.toString(2).replaceAll('0', '').length;
  const kindOf = (word) => {
    const bits = formsOf(word);
    const fitting = best.filter((kind) => (kind & bits) === kind);
    return best.indexOf(fitting.reduce((a, b) => (size(b) > size(a) ? b : a)));
  };
  return { kinds: best, kindOf };
}

function frontCoded(sorted) {
  let before = '';
  return sorted
    .map((word) => {
      let shared = 0;
      while (shared < 25 && shared < before.length && before[shared] === word[shared]) shared++;
      before = word;
      return String.fromCharCode(65 + shared) + word.slice(shared);
    })
    .join('');
}

function characterCosts() {
  const costs = [];
  for (const [from, to] of [
    [0x80, 0x10000],
    [0x1f000, 0x1fc00],
  ]) {
    for (let code = from; code < to; code++) {
      costs.push(code >= 0xd800 && code < 0xe000 ? 3 : encode(String.fromCodePoint(code)).length);
    }
  }
  return Buffer.from(costs);
}

function part(name, comment, content) {
  const packed = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).toString('base64');
  return `\n/** ${comment} */\nexport const ${name} = \`\n${packed.replace(/.{1,118}/g, '$&\n')}\`;\n`;
}
