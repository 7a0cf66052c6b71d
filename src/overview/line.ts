/** One line of a map: an opened directory, with what is shown of it; and how each thing on it is written. */
import { type Bytes, below } from '../workspace/bytes.ts';
import { denseFold, denseName } from './dense-name.ts';
import type { Folder } from './folder.ts';
import { type Member, nameOf, Pool } from './pool.ts';
import { HANDFUL, type Steps } from './steps.ts';

/** Directories that are joined at most: in an opened line, and where they stand closed. */
export const LONGEST_CHAIN = 32;
const LONGEST_CLOSED_CHAIN = 4;

/** Below this the number of files in a closed directory is left out. */
const WORTH_COUNTING = 20;

export class Line {
  /** The directory that stands on the line, and those that it is joined with; of the last one the contents are shown. */
  readonly chain: readonly Folder[];
  readonly depth: number;
  readonly files: Bytes[] = [];
  readonly closed = new Set<Folder>();
  readonly folds = new Set<Pool>();
  readonly lines: Line[] = [];

  constructor(chain: readonly Folder[], depth: number) {
    this.chain = chain;
    this.depth = depth;
  }

  /** The directory whose contents are shown. */
  get folder(): Folder {
    return this.chain.at(-1) as Folder;
  }

  /** The line, and those of the directories opened below it. */
  *all(): Generator<Line> {
    // Not by recursion: directories can be nested deeper than calls.
    const waiting: Line[] = [this];
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      yield line;
      waiting.push(...line.lines.toSorted((a, b) => byName(b.chain[0] as Folder, a.chain[0] as Folder)));
    }
  }

  /** What stands on it behind its name: directories first, each kind by name. */
  parts(): (Member | Pool)[] {
    const folds = (wanted: boolean) => [...this.folds].filter(({ ofFolders }) => ofFolders === wanted);
    return [...[...folds(true), ...this.closed].sort(byName), ...[...folds(false), ...this.files].sort(byName)];
  }

  *text(): Steps<string> {
    const { folder, depth, chain } = this;
    const words = depth === 0 ? [] : [`${' '.repeat(depth)}${joinedName(chain)}/`];
    for (const part of this.parts()) {
      words.push(typeof part === 'string' ? fileLabel(folder, part) : labelOf(part));
      if (words.length % HANDFUL === 0) yield;
    }
    return words.join(' ');
  }
}

/** A fold stands before the names that begin like it. */
function byName(a: Member | Pool, b: Member | Pool): number {
  const first = a instanceof Pool ? a.prefix : nameOf(a);
  const second = b instanceof Pool ? b.prefix : nameOf(b);
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The directory and what it is joined with: each contains the next one and nothing else. */
export function chainOf(folder: Folder, longest = LONGEST_CLOSED_CHAIN): Folder[] {
  const chain = [folder];
  for (let inner = folder.onlyFolder; inner !== null && chain.length < longest; inner = inner.onlyFolder) {
    chain.push(inner);
  }
  return chain;
}

export function joinedName(chain: readonly Folder[]): string {
  const [first, ...rest] = chain as [Folder, ...Folder[]];
  return denseName(rest.reduce((path, { name }) => below(path, name), first.name));
}

export function fileLabel({ links }: Folder, name: Bytes): string {
  return links.has(name) ? `${denseName(name)}@` : denseName(name);
}

/** A closed directory, or a fold. */
export function labelOf(part: Folder | Pool): string {
  if (part instanceof Pool) return `${denseFold(part)}+${part.files}`;
  const chain = chainOf(part);
  const last = chain.at(-1) as Folder;
  const name = `${joinedName(chain)}/`;
  if (last.isUnreadable) return `${name}?`;
  if (last.isEmpty) return name;
  return `${name}+${last.filesBelow < WORTH_COUNTING ? '' : last.filesBelow}`;
}
