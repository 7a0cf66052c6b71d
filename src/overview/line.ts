/** One line of a map: an opened directory with its contents, and how they are written. */
import { type Bytes, below, compareBytes } from '../names/bytes.ts';
import { denseName } from '../names/quote.ts';
import { denseFold, type Fold, HIDDEN_MARK } from './dense-name.ts';
import { pays, templatesFor } from './find-templates.ts';
import { Folder } from './folder.ts';
import { markOf, stemIn, type Template } from './template.ts';

/** The most directories joined by `/` in an opened line and when closed, and the most bytes of their names. */
export const LONGEST_JOIN = 32;
const LONGEST_CLOSED_JOIN = 4;
const LONGEST_CHAIN = 300;

/** A file is represented by its name. */
type Part = Bytes | Folder | Fold;

/** Parts in the order in which they are written. */
interface Section {
  /** The common parts of the names, if these are written without them. */
  readonly template: Template | null;
  readonly parts: readonly Part[];
}

export class Line {
  /** The line's directory and those joined to it. The line shows the contents of the last one. */
  readonly chain: readonly Folder[];
  readonly depth: number;
  readonly files: Bytes[] = [];
  readonly closed: Folder[] = [];
  readonly folds: Fold[] = [];
  readonly lines: Line[] = [];
  /** True if something in the directory is neither shown nor in a fold. */
  isPartial = false;
  #sections: readonly Section[] | null = null;

  constructor(chain: readonly Folder[], depth: number) {
    this.chain = chain;
    this.depth = depth;
  }

  /** The directory whose contents are shown. */
  get folder(): Folder {
    return this.chain.at(-1) as Folder;
  }

  /** The files below the directory that no name or count of this line and those in it stands for; null if it shows everything. */
  get rest(): number | null {
    if (!this.isPartial) return null;
    let rest = this.folder.filesBelow - this.files.length;
    for (const { filesBelow } of this.closed) rest -= filesBelow;
    for (const { folder } of this.lines) rest -= folder.filesBelow;
    return rest;
  }

  /** The contents of the line: directories first, each kind by name. Read it only when the line is complete. */
  get sections(): readonly Section[] {
    this.#sections ??= this.#arranged();
    return this.#sections;
  }

  #arranged(): Section[] {
    const folds = (wanted: boolean) => this.folds.filter(({ ofFolders }) => ofFolders === wanted);
    const sections: Section[] = [];
    let rest = this.files;
    for (const template of templatesFor(rest)) {
      const names = rest.filter((name) => this.#stem(template, name) !== null);
      if (!pays(template, names)) continue;
      sections.push({ template, parts: names.sort() });
      rest = rest.filter((name) => this.#stem(template, name) === null);
    }
    const directories = [...folds(true), ...this.closed].sort(byName);
    const files = [...folds(false), ...rest].sort(byName);
    return [{ template: null, parts: [...directories, ...files] }, ...sections];
  }

  #stem(template: Template, name: Bytes): string | null {
    return this.folder.links.has(name) ? null : stemIn(template, name);
  }

  words(): string[][] {
    return this.sections.map(({ template, parts }) => {
      if (template === null)
        return parts.map((part) => (typeof part === 'string' ? fileLabel(this.folder, part) : labelOf(part)));
      return [markOf(template), ...parts.map((name) => stemIn(template, name as Bytes) as string)];
    });
  }
}

/** A fold comes before the names that follow its prefix. */
export function byName(a: Part, b: Part): number {
  return compareBytes(startOf(a), startOf(b));
}

function startOf(part: Part): string {
  if (typeof part === 'string') return part;
  if (part instanceof Folder) return part.name;
  return part.range === null ? part.prefix : part.prefix + String.fromCharCode(part.range.from);
}

/** A directory and those joined to it: each contains only the next. Without `longest`, as it is written when closed. */
export function chainOf(folder: Folder, longest?: number): Folder[] {
  const chain = [folder];
  let bytes = folder.name.length;
  const most = longest ?? LONGEST_JOIN;
  for (let inner = folder.onlyFolder; inner !== null && chain.length < most; inner = inner.onlyFolder) {
    bytes += inner.name.length;
    if (bytes > LONGEST_CHAIN) break;
    chain.push(inner);
  }
  const mayOpen = longest === undefined && (chain.at(-1) as Folder).hasContents;
  return mayOpen ? chain.slice(0, LONGEST_CLOSED_JOIN) : chain;
}

/** Returns the last directory of a chain. Perf: most directories are not in one. */
export function endOfChain(folder: Folder, longest?: number): Folder {
  return folder.onlyFolder === null ? folder : (chainOf(folder, longest).at(-1) as Folder);
}

export function joinedName(chain: readonly Folder[]): string {
  const [first, ...rest] = chain as [Folder, ...Folder[]];
  return denseName(rest.reduce((path, { name }) => below(path, name), first.name));
}

export function fileLabel({ links }: Folder, name: Bytes): string {
  return links.has(name) ? `${denseName(name)}@` : denseName(name);
}

export function labelOf(part: Folder | Fold): string {
  if (!(part instanceof Folder)) return `${denseFold(part)}+${part.files}`;
  const chain = chainOf(part);
  const last = chain.at(-1) as Folder;
  const name = `${joinedName(chain)}/`;
  if (last.isUnreadable) return `${name}?`;
  if (last.isHiddenOnly) return `${name}${HIDDEN_MARK}`;
  return `${name}+${last.filesBelow}`;
}
