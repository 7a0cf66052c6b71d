/** Searches a table for what a query asks: globs select files, words rate them, the end of a path wins. */
import type { Bytes } from '../names/bytes.ts';
import { kindsAsked, SOURCE } from '../names/kind.ts';
import type { Budget } from '../workspace/budget.ts';
import { LINK } from '../workspace/reader.ts';
import { each, HANDFUL, type Steps } from '../workspace/steps.ts';
import type { FileHistory } from './file-history.ts';
import type { EntryList, FileTable } from './file-table.ts';
import { searchWord } from './name-index.ts';
import type { Band, FoundFile, FoundFiles, HiddenMatches } from './project-files.ts';
import { type FindQuestion, globMatchers, type MatchesGlob, spelling } from './query.ts';
import { bestOf, type Rating, rate } from './rank.ts';

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

export async function search(
  question: FindQuestion,
  limit: number,
  table: FileTable,
  history: FileHistory | null,
  budget: Budget,
) {
  const rating = await budget.finish(rate(question.words, table, history));
  const { words } = rating;
  const corrected = words.flatMap(({ word, nearest }) => (nearest.length > 0 ? nearest : [word]));
  const glob = await globThatMatches(question, table, budget);
  const selected = glob?.selected ?? null;
  const { ranks, top, ...counted } = await budget.finish(ranked(question, corrected, rating, selected, table));
  const shown = await budget.finish(bestOf(ranks, limit));
  const directories = glob === null ? await budget.finish(directoriesNamed(question, table)) : [];
  const files = shown.map((file): FoundFile => {
    const score = ranks[file] as number;
    return {
      path: table.pathOf(file),
      type: table.files.names.codeAt(file) === LINK ? 'link' : 'file',
      band: bandOf(score, top, glob !== null),
      isByHistory: glob === null && score < SPELT_END && rating.named[file] === 0,
      files: 0,
    };
  });
  const exact = shown.filter((file) => (ranks[file] as number) >= EXACT_END).length;
  const hidden = await budget.finish(hiddenMatches(corrected, glob?.matches ?? null, table));
  return {
    // A file that is the end of a path as it is written comes before any directory.
    files: [...files.slice(0, exact), ...directories, ...files.slice(exact)].slice(0, limit),
    ...counted,
    ...{ isGlob: glob !== null, words, ignoredWords: question.ignored, hidden },
  };
}

/** Null if the query is not a glob, or no way to read it matches anything: then its words count. */
async function globThatMatches(question: FindQuestion, table: FileTable, budget: Budget) {
  const { globs, path } = question;
  if (globs.length === 0) return null;
  for (const matches of await globMatchers(globs, budget)) {
    const selected = await budget.finish(selectedBy(matches, table, budget));
    // A name that looks like a glob is also found as it is written.
    for (const file of await budget.finish(ending(path, table.files, table))) selected[file] = 1;
    if (selected.includes(1)) return { matches, selected };
  }
  return null;
}

function* selectedBy(matches: MatchesGlob, table: FileTable, budget: Budget): Steps<Uint8Array> {
  const { files } = table;
  const selected = new Uint8Array(files.count);
  for (let i = 0; i < files.count; i++) {
    if (matches(files.names.nameAt(i), () => table.pathOf(i))) selected[i] = 1;
    if (i % HANDFUL.paths === HANDFUL.paths - 1 || budget.isDue) yield;
  }
  return selected;
}

/** The files, or the directories, whose path ends with what the query says, in whatever spelling. */
function* ending(path: Bytes, list: EntryList, table: FileTable): Steps<number[]> {
  const wanted = spelling(path.replace(/(?<!\/)\/+$/, '') as Bytes);
  const name = wanted.slice(wanted.lastIndexOf('/') + 1);
  const length = Buffer.byteLength(name);
  const found: number[] = [];
  const use = (i: number) => {
    if (list.index.lengthOf(i) !== length || spelling(list.names.nameAt(i)) !== name) return;
    if (`/${spelling(table.pathOf(i, list))}`.endsWith(`/${wanted}`)) found.push(i);
  };
  if (name !== '') yield* each(list.count, use, HANDFUL.names);
  return found;
}

interface Ranks extends Pick<FoundFiles, 'well' | 'whole' | 'matched' | 'aside'> {
  /** For each file, by which files are put in order; 0 if it does not match. */
  readonly ranks: Float64Array;
  /** The best score of a file that is not aside. */
  readonly top: number;
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
  let [top, matched, aside, well, whole] = [0, 0, 0, 0, 0];
  let isSourceNamed = false;
  yield* each(files.count, (i) => {
    isSourceNamed ||= (named[i] as number) > ALL && kinds[i] === SOURCE;
  });
  yield* each(files.count, (i) => {
    const score = selected === null ? (scores[i] as number) : selected[i] === 1 ? (scores[i] as number) + LEAST : 0;
    if (score === 0) return;
    matched++;
    if (selected !== null || (named[i] as number) > ALL) whole++;
    const kind = kinds[i] as number;
    // "A name of theirs": its path has every word of the query, and no source does.
    const isFirst = kind === SOURCE || asked.has(kind) || (!isSourceNamed && (named[i] as number) > ALL);
    // Among equals, what is less deep comes first.
    ranks[i] = (isFirst ? FIRST : 0) + score + NEAR / (1 + table.depthOf(i));
    if (!isFirst) aside++;
    else top = Math.max(top, score);
  });
  for (const file of yield* ending(path, files, table)) {
    if (selected !== null && selected[file] !== 1) continue;
    const own = table.pathOf(file);
    const tier = own === path ? WHOLE_PATH : `/${own}`.endsWith(`/${path}`) ? EXACT_END : SPELT_END;
    const isAside = (ranks[file] as number) > 0 && (ranks[file] as number) < FIRST;
    if (ranks[file] === 0) matched++;
    if (isAside) aside--;
    ranks[file] = tier + (isAside ? 0 : FIRST) + (scores[file] as number);
  }
  yield* each(files.count, (i) => {
    if ((ranks[i] as number) >= Math.min(SPELT_END, FIRST + WELL * top)) well++;
  });
  return { ranks, top, well: selected === null ? well : matched, whole, matched, aside };
}

function bandOf(rank: number, top: number, isGlob: boolean): Band {
  if (rank >= SPELT_END) return 'best';
  if (rank < FIRST) return 'aside';
  const part = (rank - FIRST) / top;
  return isGlob || part >= BEST ? 'best' : part >= WELL ? 'good' : 'weak';
}

/** "A directory whose own name is the query." */
function* directoriesNamed({ path }: FindQuestion, table: FileTable): Steps<FoundFile[]> {
  const { directories, files } = table;
  const found = (yield* ending(path, directories, table)).slice(0, MAX_DIRECTORIES);
  if (found.length === 0) return [];
  const counts = new Uint32Array(directories.count);
  const add = (directory: number, count: number) => {
    counts[directory] = (counts[directory] as number) + count;
  };
  yield* each(files.count, (i) => add(files.parentOf(i), 1));
  // A directory comes before those in it; the first has no parent.
  yield* each(directories.count - 1, (i) => {
    const inner = directories.count - 1 - i;
    add(directories.parentOf(inner), counts[inner] as number);
  });
  return found.map((directory) => ({
    path: table.directoryPath(directory),
    ...({ type: 'dir', band: 'best', isByHistory: false, files: counts[directory] as number } as const),
  }));
}

/** Counts the hidden entries that the glob matches, or whose paths have all words, at least one in the name. */
function* hiddenMatches(words: readonly string[], glob: MatchesGlob | null, table: FileTable): Steps<HiddenMatches[]> {
  const { hidden, hiddenBy, rules } = table;
  const counts = new Map<number, number>();
  const hasAll = glob === null ? yield* entriesWithAll(words, table) : null;
  const use = (i: number) => {
    const isMatch = glob === null ? hasAll?.[i] === 1 : glob(hidden.names.nameAt(i), () => table.pathOf(i, hidden));
    const rule = hiddenBy[i] as number;
    if (isMatch) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  };
  yield* each(hidden.count, use, HANDFUL.paths);
  return [...counts].map(([rule, count]) => ({ rule: rules[rule] as HiddenMatches['rule'], count }));
}

function* entriesWithAll(words: readonly string[], table: FileTable): Steps<Uint8Array> {
  const { hidden, directories } = table;
  const all = new Uint8Array(hidden.count).fill(words.length > 0 ? 1 : 0);
  const isNamed = new Uint8Array(hidden.count);
  for (const word of hidden.count === 0 ? [] : words) {
    const inName = new Float32Array(hidden.count);
    const around = new Float32Array(directories.count);
    yield* hidden.index.search(searchWord(word), inName);
    yield* directories.index.search(searchWord(word), around);
    yield* each(directories.count, (i) => {
      around[i] = Math.max(around[i] as number, around[directories.parentOf(i)] as number);
    });
    yield* each(hidden.count, (i) => {
      if ((inName[i] as number) > IN_HIDDEN) isNamed[i] = 1;
      else if ((around[hidden.parentOf(i)] as number) <= IN_HIDDEN) all[i] = 0;
    });
  }
  yield* each(hidden.count, (i) => {
    all[i] = (all[i] as number) & (isNamed[i] as number);
  });
  return all;
}
