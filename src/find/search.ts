/** Searches a table for what a query asks: globs select files, words rate them, the end of a path wins. */
import { type Bytes, below } from '../names/bytes.ts';
import { kindsAsked, SOURCE } from '../names/kind.ts';
import { NearWords } from '../protocol/nearest.ts';
import { isCommonWord, stemOf } from '../protocol/words.ts';
import type { Budget } from '../workspace/budget.ts';
import { LINK } from '../workspace/reader.ts';
import { HANDFUL, type Steps } from '../workspace/steps.ts';
import type { FileHistory } from './file-history.ts';
import type { EntryList, FileTable } from './file-table.ts';
import { searchWord } from './name-index.ts';
import type { Band, FoundFile, FoundFiles, FoundWord, HiddenMatches } from './project-files.ts';
import { type FindQuestion, globMatchers, type MatchesGlob, spelling, stemWords } from './query.ts';
import { bestOf, type RatedWord, type Rating, rate } from './rank.ts';

/** The part of the best score from which a file matches as well as any, and from which it matches well. */
const BEST = 0.7;
const WELL = 0.45;

/** Ranks above any score: a whole path, the end of one as it is written, or in another spelling; and source. */
const WHOLE_PATH = 6e9;
const EXACT_END = 4e9;
const SPELT_END = 2e9;
const FIRST = 1e9;
/** Lets a file without a score be selected by a glob. */
const LEAST = 1e-6;
/** What a file gains that lies in the searched directory itself. */
const NEAR = 1e-4;

/** Directories whose name is the query. More of them are not what is meant. */
const MAX_DIRECTORIES = 3;

/** The part of the query that counts as all of it: the sum of fractions is rarely exact. */
const ALL = 0.999;

/** A word must be this well in the name of a hidden entry, or in its directories. */
const IN_HIDDEN = 0.5;

/** Words shorter than this are not corrected: any other is near them. */
const SHORTEST_CORRECTED = 3;

/** A word that no name has, and no more commits than this, is probably misspelt there, too. */
const MISSPELT = 2;

/** The weight of a corrected word, and of one like `add` or `the`. */
const CORRECTED = 0.7;
const COMMON = 0.25;

type Found = Pick<FoundFiles, 'files' | 'well' | 'matched' | 'aside' | 'isGlob' | 'words' | 'ignoredWords' | 'hidden'>;

export async function search(
  question: FindQuestion,
  limit: number,
  table: FileTable,
  history: FileHistory | null,
  budget: Budget,
): Promise<Found> {
  const { words, corrected, rating } = await budget.finish(rateCorrected(question, table, history));
  const glob = await globThatMatches(question, table, budget);
  const ranks = await budget.finish(ranked(question, corrected, rating, glob?.selected ?? null, table));
  const shown = await budget.finish(bestOf(ranks.ranks, limit));
  const directories = glob === null ? await budget.finish(directoriesNamed(question, table)) : [];
  const files = shown.map((file): FoundFile => {
    const score = ranks.ranks[file] as number;
    return {
      path: table.filePath(file),
      type: table.files.names.codeAt(file) === LINK ? 'link' : 'file',
      band: bandOf(score, ranks.top, glob !== null),
      isByHistory: glob === null && score < SPELT_END && rating.named[file] === 0,
      files: 0,
    };
  });
  const exact = shown.filter((file) => (ranks.ranks[file] as number) >= EXACT_END).length;
  const hidden = await budget.finish(hiddenMatches(corrected, glob?.matches ?? null, table));
  return {
    // A file that is the end of a path as it is written comes before any directory.
    files: [...files.slice(0, exact), ...directories, ...files.slice(exact)].slice(0, limit),
    ...{ well: ranks.well, matched: ranks.matched, aside: ranks.aside, isGlob: glob !== null },
    ...{ words, ignoredWords: question.ignored, hidden },
  };
}

interface Corrected {
  readonly words: readonly FoundWord[];
  /** The words that were searched, after correction. */
  readonly corrected: readonly string[];
  readonly rating: Rating;
}

/** "Where a word has no match, its nearest spelling counts, less." */
function* rateCorrected({ words }: FindQuestion, table: FileTable, history: FileHistory | null): Steps<Corrected> {
  const rating = yield* rate(
    words.map((word) => weighed(word, 1)),
    table,
    history,
  );
  const near: (string | null)[] = [];
  for (const [i, word] of words.entries()) {
    const { files, commits, isWord } = rating.found[i] as Rating['found'][number];
    const isUnknown = !isWord && commits <= MISSPELT && word.length >= SHORTEST_CORRECTED && !isCommonWord(word);
    // A word that stands somewhere inside others, or in a commit, needs a better reason.
    const wrong = files === 0 && commits === 0 ? Number.POSITIVE_INFINITY : 1;
    near.push(isUnknown ? yield* nearestWord(word, wrong, table, history) : null);
  }
  const corrected = words.map((word, i) => near[i] ?? word);
  const again = near.some((word) => word !== null)
    ? yield* rate(
        corrected.map((word, i) => weighed(word, near[i] === null ? 1 : CORRECTED)),
        table,
        history,
      )
    : rating;
  const found = words.map((word, i) => {
    const { files, commits } = rating.found[i] as Rating['found'][number];
    return { word, nearest: near[i] ?? null, files, commits };
  });
  return { words: found, corrected, rating: again };
}

function weighed(word: string, weight: number): RatedWord {
  return { word, weight: isCommonWord(word) ? COMMON : weight };
}

function* nearestWord(
  word: string,
  wrong: number,
  table: FileTable,
  history: FileHistory | null,
): Steps<string | null> {
  const near = new NearWords(word);
  // A word that it is a part of was found already.
  const offer = (candidate: string) => (candidate.includes(word) ? undefined : near.offer(candidate));
  yield* table.fileIndex.eachWord(word.length, near.limit, offer);
  yield* table.directoryIndex.eachWord(word.length, near.limit, offer);
  for (const [candidate, { length }] of history?.byWord ?? []) if (length > MISSPELT) offer(candidate);
  return near.nearest(1, wrong)[0] ?? null;
}

interface Selected {
  readonly matches: MatchesGlob;
  readonly selected: Uint8Array;
}

/** Null if the query is not a glob, or no way to read it matches anything: then its words count. */
async function globThatMatches(
  { globs, path }: FindQuestion,
  table: FileTable,
  budget: Budget,
): Promise<Selected | null> {
  if (globs.length === 0) return null;
  for (const matches of await globMatchers(globs, budget)) {
    const selected = await budget.finish(selectedBy(matches, table, budget));
    // A name that looks like a glob is also found as it is written.
    for (const file of await budget.finish(filesEnding(path, table))) selected[file] = 1;
    if (selected.includes(1)) return { matches, selected };
  }
  return null;
}

function* selectedBy(matches: MatchesGlob, table: FileTable, budget: Budget): Steps<Uint8Array> {
  const { files } = table;
  const selected = new Uint8Array(files.count);
  for (let i = 0; i < files.count; i++) {
    if (matches(files.names.nameAt(i), () => table.filePath(i))) selected[i] = 1;
    if (i % HANDFUL.paths === HANDFUL.paths - 1 || budget.isDue) yield;
  }
  return selected;
}

/** The files whose path ends with what the query says, in whatever spelling. */
function* filesEnding(path: Bytes, table: FileTable): Steps<number[]> {
  const wanted = spelling(path);
  const name = wanted.slice(wanted.lastIndexOf('/') + 1);
  const length = Buffer.byteLength(name);
  const ending: number[] = [];
  const { files, fileIndex } = table;
  for (let i = 0; i < (name === '' ? 0 : files.count); i++) {
    if (fileIndex.lengthOf(i) === length && spelling(files.names.nameAt(i)) === name) {
      if (`/${spelling(table.filePath(i))}`.endsWith(`/${wanted}`)) ending.push(i);
    }
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
  }
  return ending;
}

interface Ranks {
  /** For each file, by which files are put in order; 0 if it does not match. */
  readonly ranks: Float64Array;
  /** The best score of a file that is not aside. */
  readonly top: number;
  readonly well: number;
  readonly matched: number;
  readonly aside: number;
}

function* ranked(
  { path }: FindQuestion,
  words: readonly string[],
  { scores, named }: Rating,
  selected: Uint8Array | null,
  table: FileTable,
): Steps<Ranks> {
  const { files, kinds } = table;
  const ranks = new Float64Array(files.count);
  const asked = kindsAsked(words);
  const stems = new Set(words.map(stemOf));
  let [top, matched, aside] = [0, 0, 0];
  let isSourceNamed = false;
  for (let i = 0; i < files.count && !isSourceNamed; i++) {
    isSourceNamed = (named[i] as number) > ALL && kinds[i] === SOURCE;
    if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
  }
  for (let i = 0; i < files.count; i++) {
    if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
    const score = selected === null ? (scores[i] as number) : selected[i] === 1 ? (scores[i] as number) + LEAST : 0;
    if (score === 0) continue;
    matched++;
    const kind = kinds[i] as number;
    // "A name of theirs": its path has every word of the query, the query every word of its name, and no source does.
    const isNamed = () =>
      (named[i] as number) > ALL && stemWords(files.names.nameAt(i)).every((word) => stems.has(word));
    const isFirst = kind === SOURCE || asked.has(kind) || (!isSourceNamed && isNamed());
    // Among equals, what is less deep comes first.
    ranks[i] = (isFirst ? FIRST : 0) + score + NEAR / (1 + table.depthOf(i));
    if (!isFirst) aside++;
    else if (score > top) top = score;
  }
  const plain = path.replace(/(?<!\/)\/+$/, '') as Bytes;
  for (const file of yield* filesEnding(plain, table)) {
    if (selected !== null && selected[file] !== 1) continue;
    const own = table.filePath(file);
    const tier = own === plain ? WHOLE_PATH : `/${own}`.endsWith(`/${plain}`) ? EXACT_END : SPELT_END;
    const isAside = (ranks[file] as number) > 0 && (ranks[file] as number) < FIRST;
    if (ranks[file] === 0) matched++;
    if (isAside) aside--;
    ranks[file] = tier + (isAside ? 0 : FIRST) + (scores[file] as number);
  }
  let well = 0;
  for (let i = 0; i < files.count; i++) {
    if ((ranks[i] as number) >= Math.min(SPELT_END, FIRST + WELL * top)) well++;
    if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
  }
  if (selected !== null) well = matched;
  return { ranks, top, well, matched, aside };
}

function bandOf(rank: number, top: number, isGlob: boolean): Band {
  if (rank >= SPELT_END) return 'best';
  if (rank < FIRST) return 'aside';
  const part = (rank - FIRST) / top;
  return isGlob || part >= BEST ? 'best' : part >= WELL ? 'good' : 'weak';
}

/** "A directory whose own name is the query." */
function* directoriesNamed({ path }: FindQuestion, table: FileTable): Steps<FoundFile[]> {
  const wanted = spelling(path.replace(/(?<!\/)\/+$/, '') as Bytes);
  const { directories, files } = table;
  const found: number[] = [];
  for (let i = 1; i < directories.count && wanted !== '' && found.length < MAX_DIRECTORIES; i++) {
    const name = wanted.slice(wanted.lastIndexOf('/') + 1);
    const isLike = table.directoryIndex.lengthOf(i) === Buffer.byteLength(name);
    if (isLike && `/${spelling(table.directoryPath(i))}`.endsWith(`/${wanted}`)) found.push(i);
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
  }
  if (found.length === 0) return [];
  const counts = new Uint32Array(directories.count);
  for (let i = 0; i < files.count; i++) {
    const parent = files.parentOf(i);
    counts[parent] = (counts[parent] as number) + 1;
    if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
  }
  for (let i = directories.count - 1; i > 0; i--) {
    const parent = directories.parentOf(i);
    counts[parent] = (counts[parent] as number) + (counts[i] as number);
    if (i % HANDFUL.entries === 0) yield;
  }
  return found.map((directory) => ({
    path: table.directoryPath(directory),
    ...({ type: 'dir', band: 'best', isByHistory: false, files: counts[directory] as number } as const),
  }));
}

/**
 * Counts what the rules hide of what the query asks for: an entry that the glob matches, or whose name and directories
 * have all words, at least one of them in its own name. What lies in a hidden directory is not looked at.
 */
function* hiddenMatches(words: readonly string[], glob: MatchesGlob | null, table: FileTable): Steps<HiddenMatches[]> {
  const { hidden, hiddenBy, rules } = table;
  const counts = new Map<number, number>();
  const hasAll = glob === null ? yield* entriesWithAll(words, table) : null;
  for (let i = 0; i < hidden.count; i++) {
    if (i % HANDFUL.names === HANDFUL.names - 1) yield;
    const isMatch = glob === null ? hasAll?.[i] === 1 : glob(hidden.names.nameAt(i), () => pathOf(i, hidden, table));
    const rule = hiddenBy[i] as number;
    if (isMatch) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  }
  return [...counts].map(([rule, count]) => ({ rule: rules[rule] as HiddenMatches['rule'], count }));
}

function pathOf(entry: number, list: EntryList, table: FileTable): Bytes {
  return below(table.directoryPath(list.parentOf(entry)), list.names.nameAt(entry));
}

function* entriesWithAll(words: readonly string[], table: FileTable): Steps<Uint8Array> {
  const { hidden, hiddenIndex, directories, directoryIndex } = table;
  const all = new Uint8Array(hidden.count).fill(words.length > 0 ? 1 : 0);
  const isNamed = new Uint8Array(hidden.count);
  const inName = new Float32Array(hidden.count);
  const around = new Float32Array(directories.count);
  for (const word of words) {
    yield* hiddenIndex.search(searchWord(word), inName);
    yield* directoryIndex.search(searchWord(word), around);
    for (let i = 1; i < directories.count; i++) {
      around[i] = Math.max(around[i] as number, around[directories.parentOf(i)] as number);
    }
    for (let i = 0; i < hidden.count; i++) {
      if ((inName[i] as number) > IN_HIDDEN) isNamed[i] = 1;
      else if ((around[hidden.parentOf(i)] as number) <= IN_HIDDEN) all[i] = 0;
      if (i % HANDFUL.entries === HANDFUL.entries - 1) yield;
    }
  }
  for (let i = 0; i < hidden.count; i++) all[i] = (all[i] as number) & (isNamed[i] as number);
  return all;
}
