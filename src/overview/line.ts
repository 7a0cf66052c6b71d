/** One line of a map: an opened directory with its contents, and how they are written. */
import { type Bytes, below } from '../workspace/bytes.ts';
import { denseFold, denseName } from './dense-name.ts';
import { Fold, type Member, memberName } from './fold.ts';
import type { Folder } from './folder.ts';
import { HANDFUL, type Steps } from './steps.ts';

/** The greatest number of directories joined by `/`: in an opened line, and when closed. */
export const LONGEST_JOIN = 32;
const LONGEST_CLOSED_JOIN = 4;

/** A closed directory with fewer files is shown without their number. */
const WORTH_COUNTING = 20;

export class Line {
  /** The line's directory, and those that it is joined with. The contents of the last one are shown. */
  readonly chain: readonly Folder[];
  readonly depth: number;
  readonly files: Bytes[] = [];
  readonly closed = new Set<Folder>();
  readonly folds = new Set<Fold>();
  readonly lines: Line[] = [];

  constructor(chain: readonly Folder[], depth: number) {
    this.chain = chain;
    this.depth = depth;
  }

  /** The directory whose contents are shown. */
  get folder(): Folder {
    return this.chain.at(-1) as Folder;
  }

  /** The line, and the lines of the directories opened below it. */
  *all(): Generator<Line> {
    // Without recursion: directories can be nested deeper than the stack.
    const waiting: Line[] = [this];
    for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
      yield line;
      waiting.push(...line.lines.toSorted((a, b) => byName(b.chain[0] as Folder, a.chain[0] as Folder)));
    }
  }

  /** The contents of the line: directories first, each kind by name. */
  parts(): (Member | Fold)[] {
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

/** A fold comes before the names that begin with its prefix. */
function byName(a: Member | Fold, b: Member | Fold): number {
  const first = a instanceof Fold ? a.prefix : memberName(a);
  const second = b instanceof Fold ? b.prefix : memberName(b);
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The directory and those joined to it: each contains the next one and nothing else. */
export function chainOf(folder: Folder, longest = LONGEST_CLOSED_JOIN): Folder[] {
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

/** Writes a closed directory, or a fold. */
export function labelOf(part: Folder | Fold): string {
  if (part instanceof Fold) return `${denseFold(part)}+${part.files}`;
  const chain = chainOf(part);
  const last = chain.at(-1) as Folder;
  const name = `${joinedName(chain)}/`;
  if (last.isUnreadable) return `${name}?`;
  if (last.isEmpty) return name;
  return `${name}+${last.filesBelow < WORTH_COUNTING ? '' : last.filesBelow}`;
}
