/** The first line of a map: what it is a map of, how much of it there is, and what is not in it. */
import type { Stop } from '../listing/query.ts';
import type { Origin } from '../rules/rule.ts';
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import { escaped, quoted, shown } from '../workspace/quote.ts';
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

const CUT = '…';

export function headerOf(about: About, visible: number, budget: number): string {
  const { files, hidden, unreadable, match, stopped, notes } = about;
  const parts = [`# ${pathOf(about, budget * FOR_PATH)}: ${files} files, ${visible} shown`];
  for (const [origin, count] of hidden) if (count > 0) parts.push(`${count} hidden by ${RULES[origin]}`);
  if (unreadable.length > 0) parts.push(`${unreadable.length} unreadable`);
  if (match !== null) parts.push(`match ${shortened(shown(bytesOf(match)), budget * FOR_PATH)}`);
  if (stopped !== null) parts.push(stopped === 'timeout' ? 'incomplete: out of time' : 'incomplete: cancelled');
  const [note] = notes;
  if (note !== undefined)
    parts.push(notes.length === 1 ? `note: ${shortened(escaped(note), budget * FOR_NOTE)}` : `${notes.length} notes`);
  return parts.join(', ');
}

/** What was listed. Of a path that costs too much only the end is told: whoever asked knows the rest. */
function pathOf({ path, fold }: About, most: number): string {
  const names = path.split('/');
  for (let from = 0; from <= names.length; from++) {
    const text = written(names.slice(from).join('/') as Bytes, from > 0, fold);
    if (tokensIn(text) <= most) return text;
  }
  return CUT;
}

function written(path: Bytes, isCut: boolean, fold: FoldName | null): string {
  const whole = isCut ? below(bytesOf(CUT), path) : path;
  if (fold !== null) return denseFold(fold, whole);
  if (path === '') return isCut ? CUT : '.';
  // By itself the mark of a cut would be quoted, because it has no letter.
  const tail = denseName(path);
  return !isCut ? tail : tail.startsWith('"') ? quoted(whole) : `${CUT}/${tail}`;
}

function shortened(text: string, most: number): string {
  return tokensIn(text) <= most ? text : CUT;
}
