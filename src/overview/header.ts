/** The first line of a map: what it is a map of, how much of it there is, and what is not in it. */
import type { Stop } from '../listing/query.ts';
import type { Origin } from '../rules/rule.ts';
import { type Bytes, bytesOf } from '../workspace/bytes.ts';
import { denseFold, denseName, type FoldName } from './dense-name.ts';
import { estimateTokens } from './estimate.ts';

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

export function headerOf(about: About, shown: number, budget: number): string {
  const { files, hidden, unreadable, match, stopped } = about;
  const parts = [`# ${pathOf(about, budget * FOR_PATH)}: ${files} files, ${shown} shown`];
  for (const [origin, count] of hidden) if (count > 0) parts.push(`${count} hidden by ${RULES[origin]}`);
  if (unreadable.length > 0) parts.push(`${unreadable.length} unreadable`);
  if (match !== null) parts.push(`match ${shortened(denseName(bytesOf(match)), budget * FOR_PATH)}`);
  if (stopped !== null) parts.push(stopped === 'timeout' ? 'incomplete: out of time' : 'incomplete: cancelled');
  return parts.join(', ');
}

function pathOf({ path, fold }: About, most: number): string {
  if (fold !== null) return shortened(denseFold(fold, path), most);
  return path === '' ? '.' : shortened(denseName(path), most);
}

/** Its end, if the whole costs too much: the caller knows what was asked for. */
function shortened(text: string, most: number): string {
  if (estimateTokens(text) <= most) return text;
  const points = Array.from(text);
  let end = '';
  for (let length = 1; length < points.length; length *= 2) {
    const longer = `…${points.slice(-length).join('')}`;
    if (estimateTokens(longer) > most) break;
    end = longer;
  }
  return end === '' ? '…' : end;
}
