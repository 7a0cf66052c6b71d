/** The first line of a map: what it is a map of, how much of it there is, and what is not in it. */
import type { Stop } from '../listing/query.ts';
import type { Origin } from '../rules/rule.ts';
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import { quoted, shown } from '../workspace/quote.ts';
import { denseFold, denseName, type FoldName } from './dense-name.ts';
import { tokensIn } from './token-count.ts';

export interface About {
  /** The listed directory's real path relative to the root; '' is the root. */
  readonly path: Bytes;
  /** Of its entries only these; null for all. */
  readonly fold: FoldName | null;
  readonly match: string | null;
  /** Whatever is no directory. */
  readonly files: number;
  /** Entries that each kind of rule hid, those below them not counted. */
  readonly hidden: ReadonlyMap<Origin, number>;
  /** Directories that could not be read, relative to the listed one. */
  readonly unreadable: readonly Bytes[];
  /** Why not everything was read; null when it was. */
  readonly stopped: Stop | null;
  /** What the rules could not use, and why. */
  readonly notes: readonly string[];
}

const RULES: Readonly<Record<Origin, string>> = {
  git: 'git',
  argument: 'ignore',
  gemini: '.geminiignore',
  builtin: 'name',
  dotfile: 'dotfile',
};

/** A path that costs more than this part of the budget is cut at its front. */
const FOR_PATH = 0.25;

/** The same for a note, which stands in the data as well. */
const FOR_NOTE = 0.3;

/** UTF-16 units beyond which nothing is told whole, whatever the budget: to count its tokens would take long. */
const LONGEST = 4096;

const CUT = '…';

/** For one budget, the header of a map with so many files, of which so many are shown. */
export type Header = (files: number, visible: number, stopped: Stop | null) => string;

export function headerFor(about: About, budget: number): Header {
  const { hidden, unreadable, match, notes } = about;
  const path = pathOf(about, budget * FOR_PATH);
  const further: string[] = [];
  for (const [origin, count] of hidden) if (count > 0) further.push(`${count} hidden by ${RULES[origin]}`);
  if (unreadable.length > 0) further.push(`${unreadable.length} unreadable`);
  if (match !== null) further.push(`match ${shortened(match, budget * FOR_PATH)}`);
  const [note] = notes;
  if (notes.length > 1) further.push(`${notes.length} notes`);
  else if (note !== undefined) further.push(`note: ${shortened(note, budget * FOR_NOTE)}`);
  return (files, visible, stopped) => {
    const parts = [`# ${path}: ${files} files, ${visible} shown`, ...further];
    if (stopped !== null) parts.push(stopped === 'timeout' ? 'incomplete: out of time' : 'incomplete: cancelled');
    return parts.join(', ');
  };
}

/** What was listed. Of a path that costs too much only the end is told: whoever asked knows the rest. */
function pathOf({ path, fold }: About, most: number): string {
  const names = path.split('/');
  const longest = path.length <= LONGEST ? 0 : names.length - namesIn(path.slice(-LONGEST));
  const textFrom = (from: number) => written(names.slice(from).join('/') as Bytes, from > 0, fold);
  const fits = (from: number) => tokensIn(textFrom(from)) <= most;
  if (fits(longest)) return textFrom(longest);
  // Each name costs something, so one that fits has none before it that does not.
  let [tooMany, few] = [longest, names.length];
  while (few - tooMany > 1) {
    const middle = (tooMany + few) >> 1;
    if (fits(middle)) few = middle;
    else tooMany = middle;
  }
  return fits(few) ? textFrom(few) : CUT;
}

/** How many names stand whole in the end of a path. */
function namesIn(end: string): number {
  return end.split('/').length - 1;
}

function written(path: Bytes, isCut: boolean, fold: FoldName | null): string {
  const whole = !isCut ? path : path === '' ? bytesOf(CUT) : below(bytesOf(CUT), path);
  if (fold !== null) return denseFold(fold, whole);
  if (path === '') return isCut ? CUT : '.';
  // By itself the mark of a cut would be quoted, because it has no letter.
  const tail = denseName(path);
  return !isCut ? tail : tail.startsWith('"') ? quoted(whole) : `${CUT}/${tail}`;
}

function shortened(words: string, most: number): string {
  if (words.length > LONGEST) return CUT;
  const text = shown(bytesOf(words));
  return tokensIn(text) <= most ? text : CUT;
}
