/**
 * Rates how likely each file of a table is meant by the words of a query: by its name, by its directories, and by the
 * subjects of the commits that touched it. `bench/find.js` measures the weights.
 */
import { isCommonWord } from '../protocol/words.ts';
import { HANDFUL, type Steps } from '../workspace/steps.ts';
import type { FileHistory } from './file-history.ts';
import type { FileTable } from './file-table.ts';
import { searchWord } from './name-index.ts';

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

/** The weight of having all words of the query in the path, which counts little if one is missing. */
const ALL_WORDS = 2;

/** Levels above it are whole words, or nearly. */
const WHOLE = 0.5;

export interface Rating {
  /** For each file; 0 if no word leads to it. */
  readonly scores: Float64Array;
  /** For each file, the part of the query that its name and its directories have, from 0 to 1. */
  readonly named: Float32Array;
  /** For each word of the query. */
  readonly found: readonly FoundIn[];
}

/** Where a word of the query occurs. */
interface FoundIn {
  /** How many files have it in their path, and how many commits in their subject. */
  readonly files: number;
  readonly commits: number;
  /** True if a word of some path begins with it. */
  readonly isWord: boolean;
}

/** A word of the query, and how much it counts. */
export interface RatedWord {
  readonly word: string;
  readonly weight: number;
}

export function* rate(words: readonly RatedWord[], table: FileTable, history: FileHistory | null): Steps<Rating> {
  const { files, directories, fileIndex, directoryIndex } = table;
  const scores = new Float64Array(files.count);
  const named = new Float32Array(files.count);
  const inName = new Float32Array(files.count);
  const inHistory = new Float32Array(files.count);
  const own = new Float32Array(directories.count);
  const inDirectory = new Float32Array(directories.count);
  const found: FoundIn[] = [];
  let total = 0;
  for (const { word, weight } of words) {
    const search = searchWord(word);
    const inNames = yield* fileIndex.search(search, inName);
    const inDirectories = yield* directoryIndex.search(search, own);
    yield* inherit(own, inDirectory, table);
    const commits = (isCommonWord(word) ? null : history?.byWord.get(search.stem)) ?? [];
    inHistory.fill(0);
    if (history !== null) yield* touchedBy(commits, history, inHistory);
    let [byName, byDirectory] = [0, 0];
    for (let i = 0; i < files.count; i++) {
      if ((inName[i] as number) > WHOLE) byName++;
      if ((inDirectory[files.parentOf(i)] as number) > WHOLE) byDirectory++;
      if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
    }
    const rarity = weight * Math.log(1 + (files.count + 0.5) / (byName + 0.1 * byDirectory + 0.5));
    const rarityInHistory = Math.log(1 + ((history?.commits.length ?? 0) + 0.5) / (commits.length + 0.5));
    let any = 0;
    for (let i = 0; i < files.count; i++) {
      const level = inName[i] as number;
      const around = inDirectory[files.parentOf(i)] as number;
      const length = 1 - BY_LENGTH + (BY_LENGTH * fileIndex.lengthOf(i)) / USUAL_LENGTH;
      const names = (IN_NAME * level) / length + IN_DIRECTORY * around;
      const said = inHistory[i] as number;
      if (names > 0) {
        scores[i] = (scores[i] as number) + (rarity * names) / (names + ENOUGH);
        const has = Math.max(level, around);
        named[i] = (named[i] as number) + rarity * (has > WHOLE ? 1 : has);
      }
      if (said > 0 && history !== null) {
        const usual = (history.lengths[i] as number) / history.meanLength;
        const amount = said / (1 - BY_HISTORY_LENGTH + BY_HISTORY_LENGTH * usual);
        const share = (history.counts[i] as number) / history.commits.length;
        const trust = (weight * IN_HISTORY) / (1 + (share / NEARLY_ALWAYS) ** 4);
        scores[i] = (scores[i] as number) + (trust * rarityInHistory * amount) / (amount + ENOUGH_HISTORY);
      }
      if (Math.max(level, around) > 0) any++;
      if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
    }
    found.push({ files: any, commits: commits.length, isWord: inNames || inDirectories });
    if (any > 0 || commits.length > 0) total += rarity;
  }
  for (let i = 0; i < files.count; i++) {
    const part = total === 0 ? 0 : (named[i] as number) / total;
    named[i] = part;
    if (part > 0) scores[i] = (scores[i] as number) * (1 + ALL_WORDS * part ** 8);
    if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
  }
  if (history !== null) yield* addNeighbours(scores, history);
  return { scores, named, found };
}

/** A directory's files have the words of all directories above them, too. */
function* inherit(own: Float32Array, levels: Float32Array, { directories }: FileTable): Steps<void> {
  const best = new Float32Array(own.length);
  for (let i = 0; i < own.length; i++) {
    const above = i === 0 ? 0 : (best[directories.parentOf(i)] as number);
    best[i] = Math.max(own[i] as number, above);
    levels[i] = Math.max(own[i] as number, FURTHER_UP * above);
    if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
  }
}

function* touchedBy(commits: readonly number[], history: FileHistory, amounts: Float32Array): Steps<void> {
  for (const [i, number] of commits.entries()) {
    const { files, weight } = history.commits[number] as FileHistory['commits'][number];
    for (const file of files) amounts[file] = (amounts[file] as number) + weight;
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
  }
}

/** Files that changed together with the best ones are often meant, too. */
function* addNeighbours(scores: Float64Array, { commits }: FileHistory): Steps<void> {
  const best = yield* bestOf(scores, BEST);
  const [first] = best;
  if (first === undefined) return;
  const top = scores[first] as number;
  const parts = new Map(best.map((file) => [file, (scores[file] as number) / top]));
  const gained = new Map<number, number>();
  for (const [i, { files, weight }] of commits.entries()) {
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    if (files.length > MANY_TOGETHER) continue;
    const part = files.reduce((most, file) => Math.max(most, parts.get(file) ?? 0), 0);
    if (part > 0) for (const file of files) gained.set(file, (gained.get(file) ?? 0) + weight * part);
  }
  for (const [file, gain] of gained) scores[file] = (scores[file] as number) + (TOGETHER * top * gain) / (gain + 1);
}

/** The positions of the highest scores, the highest first; of equal ones, the first. */
export function* bestOf(scores: Float64Array, most: number): Steps<number[]> {
  const best: number[] = [];
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] as number;
    if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
    if (score <= 0 || (best.length === most && score <= (scores[best.at(-1) as number] as number))) continue;
    let at = best.length;
    while (at > 0 && (scores[best[at - 1] as number] as number) < score) at--;
    best.splice(at, 0, i);
    if (best.length > most) best.pop();
  }
  return best;
}
