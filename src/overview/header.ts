/** The first line of a map: the listed directory, how much there is, and what the map leaves out. */
import type { Stop, Unreadable } from '../listing/query.ts';
import { type Bytes, below, bytesOf } from '../names/bytes.ts';
import { denseName, quoted, shown } from '../names/quote.ts';
import { firstIndex } from '../names/ranges.ts';
import type { Origin } from '../rules/rule.ts';
import { counted, STOPPED } from '../text/count.ts';
import { denseFold, type FoldName } from './dense-name.ts';
import { tokensIn } from './token-count.ts';

export interface MapSummary {
  /** The listed directory's real path relative to the root; '' is the root. */
  readonly path: Bytes;
  /** The map shows only these entries; null for all. */
  readonly fold: FoldName | null;
  /** Entries that are not directories. */
  readonly files: number;
  /** The number of entries that each kind of rule hid, without those below them; of worktrees, those listed here. */
  readonly hidden: ReadonlyMap<Origin, number>;
  /** Directories that could not be read, relative to the listed one. */
  readonly unreadable: readonly Unreadable[];
  /** Why not everything was read; null when it was. */
  readonly stopped: Stop | null;
  /** True if the directory has a history that could not be read. */
  readonly lacksHistory: boolean;
  /** Problems with ignore rules. */
  readonly notes: readonly string[];
  /** Set if the length of the text limits the map, rather than its budget. */
  readonly maxCharacters?: number | undefined;
}

/** With what shows them. Nothing but `.git` is hidden by its name, and that goes without saying. */
const HIDDEN: Readonly<Partial<Record<Origin, (count: number) => string>>> = {
  git: (count) => `${count} ignored by git (respect_git_ignore=false)`,
  argument: (count) => `${count} hidden by ignore`,
  worktree: (count) => `${counted(count, 'worktree')} closed`,
};

/** A path that costs more than this fraction of the budget is cut at its start. */
const FOR_PATH = 0.25;

/** The same limit for a note, which the data contains as well. */
const FOR_NOTE = 0.3;

/** UTF-16 units. Longer texts are cut whatever the budget, because the header is one line, and lines are not longer than 2,000. */
const LONGEST_TEXT = 500;

const ELLIPSIS_MARK = '…';

/** `visible` is the number of files whose names are in the map. */
export function headerFor(about: MapSummary, budget: number, visible: number): string {
  const { files, hidden, unreadable, notes, maxCharacters, stopped } = about;
  const parts = [`# ${listedPath(about, budget * FOR_PATH)}: ${counted(files, 'file')}, ${visible} shown`];
  // In this order, not in that of the walk: the same tree has the same header everywhere.
  for (const [origin, said] of Object.entries(HIDDEN)) {
    const count = hidden.get(origin as Origin) ?? 0;
    if (count > 0) parts.push(said(count));
  }
  if (unreadable.length > 0) parts.push(`${unreadable.length} unreadable`);
  const [note] = notes;
  if (notes.length > 1) parts.push(`${notes.length} notes`);
  else if (note !== undefined) parts.push(`note: ${orEllipsis(note, budget * FOR_NOTE)}`);
  if (maxCharacters !== undefined) parts.push(`limited to ${maxCharacters} characters`);
  if (about.lacksHistory) parts.push("without git's history");
  if (stopped !== null) parts.push(`incomplete: ${STOPPED[stopped]}`);
  return parts.join(', ');
}

/** Returns the end of the listed path that costs at most `most` tokens: the caller knows the rest. */
function listedPath({ path, fold }: MapSummary, most: number): string {
  const names = path.split('/');
  const wholeNames = path.slice(-LONGEST_TEXT).split('/').length - 1;
  const longest = path.length <= LONGEST_TEXT ? 0 : names.length - wholeNames;
  const textFrom = (from: number) => writtenPath(names.slice(from).join('/') as Bytes, from > 0, fold);
  const fits = (from: number) => tokensIn(textFrom(from)) <= most;
  if (fits(longest)) return textFrom(longest);
  // Every name costs something, so if an end fits, all shorter ones do.
  const first = firstIndex(names.length, fits, longest + 1);
  return fits(first) ? textFrom(first) : ELLIPSIS_MARK;
}

function writtenPath(path: Bytes, isCut: boolean, fold: FoldName | null): string {
  const whole = !isCut ? path : path === '' ? bytesOf(ELLIPSIS_MARK) : below(bytesOf(ELLIPSIS_MARK), path);
  if (fold !== null) return denseFold(fold, whole);
  if (path === '') return isCut ? ELLIPSIS_MARK : '.';
  // Alone, the ellipsis would be quoted, because it has no letter.
  const tail = denseName(path);
  return !isCut ? tail : tail.startsWith('"') ? quoted(whole) : `${ELLIPSIS_MARK}/${tail}`;
}

function orEllipsis(words: string, most: number): string {
  if (words.length > LONGEST_TEXT) return ELLIPSIS_MARK;
  const text = shown(bytesOf(words));
  return tokensIn(text) <= most ? text : ELLIPSIS_MARK;
}
