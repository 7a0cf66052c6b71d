/**
 * Rates how likely each file of a table is meant by the words of a query: by its name, by its directories, and by the
 * subjects of the commits that touched it. `bench/find.js` measures the weights.
 */
import { NearWords } from '../protocol/nearest.ts';
import { isCommonWord } from '../protocol/words.ts';
import { each, type Steps } from '../workspace/steps.ts';
import type { FileHistory } from './file-history.ts';
import type { FileTable } from './file-table.ts';
import { searchWord } from './name-index.ts';
import type { FoundWord } from './project-files.ts';

/** The weights of a word in the name and in a directory, and of a directory further up. What is above it adds little. */
const IN_NAME = 5;
const IN_DIRECTORY = 1.2;
const FURTHER_UP = 0.7;
const ENOUGH = 0.6;

/** A short name says more about its words than a long one; this much of a name's weight depends on it. */
const BY_LENGTH = 0.3;
const USUAL_LENGTH = 14;

/** The weight of a word in the subjects of commits, when a few are enough, and how much a long history takes away. */
const IN_HISTORY = 1.4;
const ENOUGH_HISTORY = 0.2;
const BY_HISTORY_LENGTH = 0.4;

/** From this share of all commits on, what a commit says is soon worth nothing: a manifest comes up for everything. */
const NEARLY_ALWAYS = 0.4;

/** The weight of files that changed together with the best ones. */
const TOGETHER = 0.25;
const BEST = 10;
const MANY_TOGETHER = 20;

/** The weight of having all words of the query in the path, which counts little if one is missing; and a name of them. */
const ALL_WORDS = 2;
const WHOLE_NAME = 2;

/** Levels above it are whole words, or nearly. */
const WHOLE = 0.5;

/** Words shorter than this are not corrected: any other is near them. */
const SHORTEST_CORRECTED = 3;

/** A word that no name has, and no more commits than this, is probably misspelt there, too. */
const MISSPELT = 2;

/** Spellings that are as near as each other. */
const MOST_SPELLINGS = 3;

/** The weight of a corrected word, and of one like `add` or `the`. */
const CORRECTED = 0.7;
const COMMON = 0.25;

export interface Rating {
  /** For each file; 0 if no word leads to it. */
  readonly scores: Float64Array;
  /** For each file, the part of the query that its name and its directories have, from 0 to 1. */
  readonly named: Float32Array;
  readonly words: readonly FoundWord[];
}

export function* rate(words: readonly string[], table: FileTable, history: FileHistory | null): Steps<Rating> {
  const { files, directories } = table;
  const scores = new Float64Array(files.count);
  const named = new Float32Array(files.count);
  const covered = new Float32Array(files.count);
  const inName = new Float32Array(files.count);
  const inDirectory = new Float32Array(directories.count);
  const found: FoundWord[] = [];
  let total = 0;
  for (const word of words) {
    const own = yield* occurrences([word], table, history, inName, inDirectory);
    const isCommon = isCommonWord(word);
    let [used, nearest] = [own, [] as string[]];
    if (!own.isWord && own.commits.length <= MISSPELT && word.length >= SHORTEST_CORRECTED && !isCommon) {
      // A word that stands somewhere inside others, or in a commit, needs a better reason.
      const wrong = own.isKnown ? 1 : Number.POSITIVE_INFINITY;
      nearest = yield* nearestWords(word, wrong, table, history);
      if (nearest.length > 0) used = yield* occurrences(nearest, table, history, inName, inDirectory);
    }
    found.push({ word, nearest, isKnown: own.isKnown });
    const weight = isCommon ? COMMON : nearest.length > 0 ? CORRECTED : 1;
    const { commits, isKnown } = used;
    // Perf: most words of a query occur nowhere.
    if (!isKnown) continue;
    let [byName, byDirectory] = [0, 0];
    yield* each(files.count, (i) => {
      if ((inName[i] as number) > WHOLE) byName++;
      if ((inDirectory[files.parentOf(i)] as number) > WHOLE) byDirectory++;
    });
    const rarity = weight * Math.log(1 + (files.count + 0.5) / (byName + 0.1 * byDirectory + 0.5));
    total += rarity;
    yield* each(files.count, (i) => {
      const level = inName[i] as number;
      const around = inDirectory[files.parentOf(i)] as number;
      if (level === 0 && around === 0) return;
      const length = 1 - BY_LENGTH + (BY_LENGTH * files.index.lengthOf(i)) / USUAL_LENGTH;
      const names = (IN_NAME * level) / length + IN_DIRECTORY * around;
      scores[i] = (scores[i] as number) + (rarity * names) / (names + ENOUGH);
      const has = Math.max(level, around);
      named[i] = (named[i] as number) + rarity * (has > WHOLE ? 1 : has);
      if (level > WHOLE) covered[i] = (covered[i] as number) + word.length;
    });
    if (history !== null && !isCommon) yield* addHistory(commits, weight, history, scores);
  }
  yield* each(files.count, (i) => {
    if (named[i] === 0) return;
    const part = (named[i] as number) / total;
    const cover = Math.min(1, (covered[i] as number) / Math.max(1, files.index.lengthOf(i)));
    named[i] = part;
    scores[i] = (scores[i] as number) * (1 + (ALL_WORDS + WHOLE_NAME * cover) * part ** 8);
  });
  if (history !== null) yield* addNeighbours(scores, history);
  return { scores, named, words: found };
}

interface Occurrences {
  /** The commits that have one of the words in their subject. */
  readonly commits: readonly number[];
  /** True if a word of some path begins with one of them; and if one is anywhere. */
  readonly isWord: boolean;
  readonly isKnown: boolean;
}

/** Finds one or several words, and sets how well the name of each file and directory, or one further up, has one. */
function* occurrences(
  words: readonly string[],
  { files, directories }: FileTable,
  history: FileHistory | null,
  inName: Float32Array,
  inDirectory: Float32Array,
): Steps<Occurrences> {
  const commits = new Set<number>();
  const places = new Set<string>();
  inName.fill(0);
  inDirectory.fill(0);
  for (const word of words) {
    const search = searchWord(word);
    places.add(yield* files.index.search(search, inName)).add(yield* directories.index.search(search, inDirectory));
    for (const commit of history?.byWord.get(search.stem) ?? []) commits.add(commit);
  }
  // A directory's files have the words of all directories above them, too.
  const best = new Float32Array(directories.count);
  yield* each(directories.count, (i) => {
    const [own, above] = [inDirectory[i] as number, best[directories.parentOf(i)] as number];
    best[i] = Math.max(own, above);
    inDirectory[i] = Math.max(own, FURTHER_UP * above);
  });
  const isWord = places.has('word');
  return { commits: [...commits], isWord, isKnown: isWord || places.has('part') || commits.size > 0 };
}

/** "Where a word has no match, its nearest spelling counts, less." Several may be as near. */
function* nearestWords(word: string, wrong: number, table: FileTable, history: FileHistory | null): Steps<string[]> {
  const { files, directories } = table;
  const near = new NearWords(word);
  const subjects = [...(history?.byWord ?? [])].flatMap(([word, { length }]) => (length > MISSPELT ? [word] : []));
  for (const known of [yield* files.index.vocabulary(), yield* directories.index.vocabulary(), subjects]) {
    yield* each(known.length, (i) => {
      const candidate = known[i] as string;
      // Perf: the length alone rules most words out. A word that it is a part of was found already.
      const isLike = Math.abs(candidate.length - word.length) <= near.limit;
      if (isLike && !candidate.includes(word)) near.offer(candidate);
    });
  }
  return near.closest(MOST_SPELLINGS, wrong);
}

/** Adds what the commits that have a word say about the files that they touched. */
function* addHistory(
  numbers: readonly number[],
  weight: number,
  { commits, lengths, counts, meanLength }: FileHistory,
  scores: Float64Array,
): Steps<void> {
  const amounts = new Map<number, number>();
  const rarity = Math.log(1 + (commits.length + 0.5) / (numbers.length + 0.5));
  yield* each(numbers.length, (i) => {
    const { files, weight } = commits[numbers[i] as number] as FileHistory['commits'][number];
    for (const file of files) amounts.set(file, (amounts.get(file) ?? 0) + weight);
  });
  for (const [file, said] of amounts) {
    const usual = (lengths[file] as number) / meanLength;
    const amount = said / (1 - BY_HISTORY_LENGTH + BY_HISTORY_LENGTH * usual);
    const trust = (weight * IN_HISTORY) / (1 + ((counts[file] as number) / commits.length / NEARLY_ALWAYS) ** 4);
    scores[file] = (scores[file] as number) + (trust * rarity * amount) / (amount + ENOUGH_HISTORY);
  }
}

/** Files that changed together with the best ones are often meant, too. */
function* addNeighbours(scores: Float64Array, { commits }: FileHistory): Steps<void> {
  const best = yield* bestOf(scores, BEST);
  const top = scores[best[0] ?? 0] ?? 0;
  const parts = new Map(best.map((file) => [file, (scores[file] as number) / top]));
  const gained = new Map<number, number>();
  yield* each(commits.length, (i) => {
    const { files, weight } = commits[i] as FileHistory['commits'][number];
    let part = 0;
    for (const file of files) part = Math.max(part, parts.get(file) ?? 0);
    if (part === 0 || files.length > MANY_TOGETHER) return;
    for (const file of files) gained.set(file, (gained.get(file) ?? 0) + weight * part);
  });
  for (const [file, gain] of gained) scores[file] = (scores[file] as number) + (TOGETHER * top * gain) / (gain + 1);
}

/** The positions of the highest scores, the highest first; of equal ones, the first. */
export function* bestOf(scores: Float64Array, most: number): Steps<number[]> {
  const best: number[] = [];
  let least = 0;
  yield* each(scores.length, (i) => {
    const score = scores[i] as number;
    if (score <= least) return;
    let at = best.length;
    while (at > 0 && (scores[best[at - 1] as number] as number) < score) at--;
    best.splice(at, 0, i);
    if (best.length > most) best.pop();
    if (best.length === most) least = scores[best.at(-1) as number] as number;
  });
  return best;
}
