/**
 * How many tokens o200k_base makes of one piece: exactly where the table knows, a little too many elsewhere.
 *
 * A word is first merged with the tokenizer's earliest merges. That far this is what the tokenizer itself does, so
 * its final tokens are runs of these units. The runs that are tokens are then looked up, once from each side, and the
 * greater number counts: the tokenizer, too, takes a frequent pair first and is left with what it cut apart.
 */
import { brotliDecompressSync } from 'node:zlib';
import { CHARACTERS, EARLY, KIND_OF_WORD, KINDS, MARKS, PIECES, WORDS } from './token-table.ts';

/** In the order of the bits of a word's forms, three for each: small, Capitalised, CAPITALS. */
const LEADS = ' ._-/';

/** The longest run of blanks that is one token. */
const BLANKS = 79;

/** No name is longer; behind it every character counts as a token, so that time stays in proportion to the text. */
const LONGEST_WORD = 256;

/** What a cut counts more if the tokenizer may have made another one, which happens to one in twenty. */
const DOUBT = 0.5;

/** What any cut piece counts more, for the one in a thousand that no doubt foretold. A binary fraction: sums stay exact. */
const SURPRISE = 1 / 32;

const EMOJI = 0x1f000;
const EMOJI_END = 0x1fc00;

interface Table {
  /** For each word, in small letters, a bit for each form that is one token. */
  readonly forms: ReadonlyMap<string, number>;
  readonly longest: number;
  /** The earliest tokens, with their ranks. */
  readonly early: ReadonlyMap<string, number>;
  readonly marks: ReadonlySet<string>;
  /** Frequent pieces that the rules below would get wrong. */
  readonly pieces: ReadonlyMap<string, number>;
  /** The tokens of each character from U+0080 on, then of the emoji. */
  readonly characters: Uint8Array;
}

let loaded: Table | undefined;

/** Perf: unpacked when the first map is made; other tools never need it. */
function table(): Table {
  loaded ??= load();
  return loaded;
}

function load(): Table {
  const kinds = split(KINDS, ' ').map((kind) => Number.parseInt(kind, 36));
  const kindOfWord = unpacked(KIND_OF_WORD);
  const forms = new Map<string, number>();
  let word = '';
  let longest = 0;
  for (const [, shared, rest] of unpacked(WORDS)
    .toString()
    .matchAll(/([A-Z])([a-z]*)/g)) {
    word = word.slice(0, (shared as string).charCodeAt(0) - 65) + rest;
    forms.set(word, kinds[kindOfWord[forms.size] as number] as number);
    longest = Math.max(longest, word.length);
  }
  return {
    forms,
    longest,
    early: new Map(split(EARLY, '\n').map((token, rank) => [token, rank])),
    marks: new Set(split(MARKS, '\t')),
    pieces: new Map(split(PIECES, '\t').map((line) => [line.slice(1), Number(line[0])])),
    characters: unpacked(CHARACTERS),
  };
}

function split(part: string, separator: string): string[] {
  return unpacked(part).toString().split(separator);
}

function unpacked(part: string): Buffer {
  return brotliDecompressSync(Buffer.from(part, 'base64'));
}

/** `piece` is what `pieceEnd` cuts. A fraction stands for a doubt. */
export function tokensOfPiece(piece: string): number {
  const first = piece.charCodeAt(0);
  if (piece.length === 1 && first < 0x80) return 1;
  if (first >= 0x30 && first <= 0x39) return 1;
  if (isBlank(piece)) return Math.ceil(piece.length / BLANKS);
  return isAscii(piece) ? tokensOfAscii(piece) : tokensOfAnyText(piece);
}

function isBlank(piece: string): boolean {
  for (let at = 0; at < piece.length; at++) if (piece.charCodeAt(at) !== 0x20) return false;
  return true;
}

function isAscii(piece: string): boolean {
  for (let at = 0; at < piece.length; at++) if (piece.charCodeAt(at) >= 0x80) return false;
  return true;
}

function tokensOfAscii(piece: string): number {
  const known = table().pieces.get(piece);
  if (known !== undefined) return known;
  if (isToken(piece)) return 1;
  if (piece.length > LONGEST_WORD) return piece.length;
  const units = earlyUnits(piece);
  return Math.max(cutFromLeft(units), cutFromRight(units)) + SURPRISE;
}

/** Beyond ASCII each character is counted alone: merges across characters only lower the number. */
function tokensOfAnyText(piece: string): number {
  const { characters } = table();
  let tokens = 0;
  let ascii = 0;
  for (let at = 0; at < piece.length; at++) {
    const point = piece.codePointAt(at) as number;
    if (point < 0x80) continue;
    if (at > ascii) tokens += tokensOfAscii(piece.slice(ascii, at));
    if (point <= 0xffff) tokens += characters[point - 0x80] as number;
    else {
      tokens += point >= EMOJI && point < EMOJI_END ? (characters[point - EMOJI + 0xff80] as number) : 4;
      at++;
    }
    ascii = at + 1;
  }
  return ascii < piece.length ? tokens + tokensOfAscii(piece.slice(ascii)) : tokens;
}

/** The piece after the earliest merges, lowest rank first. */
function earlyUnits(piece: string): string[] {
  const { early } = table();
  const units = Array.from(piece);
  const ranks = units.map((unit, at) => early.get(unit + units[at + 1]) ?? Number.POSITIVE_INFINITY);
  for (;;) {
    let best = 0;
    for (let at = 1; at < ranks.length; at++) if ((ranks[at] as number) < (ranks[best] as number)) best = at;
    if (ranks[best] === Number.POSITIVE_INFINITY) return units;
    units[best] += units[best + 1] as string;
    units.splice(best + 1, 1);
    ranks.splice(best + 1, 1);
    for (const at of [best - 1, best]) {
      if (at >= 0) ranks[at] = early.get(`${units[at]}${units[at + 1]}`) ?? Number.POSITIVE_INFINITY;
    }
  }
}

function cutFromLeft(units: readonly string[]): number {
  let tokens = 0;
  for (let from = 0; from < units.length; tokens++) {
    let run = units[from] as string;
    let next = from + 1;
    for (let to = next; to < units.length && run.length <= table().longest; ) {
      run += units[to++];
      if (isToken(run)) next = to;
    }
    if (next < units.length && isDoubtful(units, next)) tokens += DOUBT;
    from = next;
  }
  return tokens;
}

function cutFromRight(units: readonly string[]): number {
  let tokens = 0;
  for (let to = units.length; to > 0; tokens++) {
    let run = units[to - 1] as string;
    let next = to - 1;
    for (let from = next; from > 0 && run.length <= table().longest; ) {
      run = units[--from] + run;
      if (isToken(run)) next = from;
    }
    if (next > 0 && isDoubtful(units, next)) tokens += DOUBT;
    to = next;
  }
  return tokens;
}

/** Whether the tokenizer may have merged across the cut before it merged what the cut leaves whole. */
function isDoubtful(units: readonly string[], cut: number): boolean {
  return isToken(`${units[cut - 1]}${units[cut]}`);
}

/** Whether the table knows the text as one token. */
function isToken(text: string): boolean {
  const { forms, marks } = table();
  const hasLead = !isLetter(text.charCodeAt(0));
  const lead = hasLead ? LEADS.indexOf(text[0] as string) + 1 : 0;
  if (hasLead && !isLetter(text.charCodeAt(1))) return marks.has(text);
  if (hasLead && lead === 0) return false;
  const word = hasLead ? text.slice(1) : text;
  const small = word.toLowerCase();
  const known = forms.get(small);
  return known !== undefined && (known & (casesOf(word, small) << (3 * lead))) !== 0;
}

function isLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

/** Bit 0 small, bit 1 Capitalised, bit 2 CAPITALS; none of them for other mixtures. */
function casesOf(word: string, small: string): number {
  if (word === small) return 1;
  if (word.slice(1) === small.slice(1)) return 2;
  return word === small.toUpperCase() ? 4 : 0;
}
