/** Parses the text of a map: its paths, its closed directories and folds, and their counts. */
import { type Bytes, below } from '../names/bytes.ts';
import { bytesOfShown } from '../names/quote.ts';
import { grouped } from '../protocol/size.ts';
import { unbraced } from './braces.ts';
import { CONTINUED, denseFold, foldAt, pathInData } from './dense-name.ts';
import type { TreeEntry, TreeFold } from './entries.ts';
import { type Template, templateOf } from './template.ts';

/** The parsed contents of a map. */
export interface ParsedTree {
  /** The listed directory or fold. */
  path: string;
  files: number;
  shown: number;
  entries: TreeEntry[];
  folds: TreeFold[];
}

const HEADER_LINE = /^# ("(?:[^"\\]|\\.)*"\*?\/?|\S+): (\d+) files?, (\d+) shown/;
const TOKEN = /(?:"(?:[^"\\]|\\.)*")?\S*/g;
const HEAD = /^(.*?)\/?(?:(?<=\/)\+(\d+))?$/s;
const LABEL = /^("(?:[^"\\]|\\.)*"|.*?)(\*\+\d+|\*\/\+\d+|\/\+\d+|\/\?|\/-|\/|@|)$/s;

/** The most characters of paths: nested braces could stand for millions of them. Each entry counts for some more. */
const MAX_CHARACTERS = 16 * 1024 * 1024;
const ENTRY_COST = 64;

/**
 * Turns the text of a `Tree` into paths. `path` is the listed path, if the header had to shorten it.
 *
 * @example parseTree(text).entries // [{ path: 'src', type: 'dir' }, { path: 'src/index.ts', type: 'file' }, …]
 */
export function parseTree(text: string, path?: string): ParsedTree {
  return parseWithin(MAX_CHARACTERS, text, path);
}

/** Does the same with a bound of its own, in characters of paths. */
export function parseWithin(limit: number, text: string, path?: string): ParsedTree {
  const [header = '', ...lines] = text.split('\n');
  const [, told, files, shown] = HEADER_LINE.exec(header) ?? [];
  if (told === undefined) throw notAMap(`it begins with '${header.slice(0, 40)}'`);
  const listed = path ?? told;
  const top = bytesOfShown(foldAt(listed)?.directory ?? listed) ?? '';
  const parsed = new Parsed(limit);
  /** For each depth, the directories of its last line: several if the line stands for similar ones. */
  const way: Bytes[][] = [[top.replace(/^\.$|(?<=.)\/$/, '') as Bytes]];
  for (const [i, line] of lines.entries()) {
    const depth = line.search(/\S/);
    // The listed directory has a line only if it has something of its own.
    const isListed = i === 0 && depth === 0;
    const tokens = (line.match(TOKEN) ?? []).filter((token) => token !== '');
    // A printed or saved map ends with a line break.
    if (tokens.length === 0) continue;
    const head = isListed ? CONTINUED : (tokens.shift() as string);
    const above = way[isListed ? 0 : depth - 1];
    if (above === undefined) throw notAMap(`'${line.slice(0, 40)}' is not in any directory of it`);
    const [, heading = '', rest] = HEAD.exec(head) ?? [];
    const names = head === CONTINUED ? [null] : namesIn(heading);
    const directories: Bytes[] = [];
    for (const outer of above) {
      for (const name of names) {
        const directory = name === null ? outer : addChain(parsed, name, outer);
        if (rest !== undefined) (parsed.entries.at(-1) as TreeEntry).files = Number(rest);
        parsed.charge('');
        directories.push(directory);
        addLabels(parsed, tokens, directory);
      }
    }
    if (head === CONTINUED) continue;
    way[depth] = directories;
    way.length = depth + 1;
  }
  const { entries, folds } = parsed;
  return { path: listed, files: Number(files), shown: Number(shown), entries, folds };
}

class Parsed {
  readonly entries: TreeEntry[] = [];
  readonly folds: TreeFold[] = [];
  readonly #limit: number;
  #used = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  charge(path: string): void {
    this.#used += path.length + ENTRY_COST;
    if (this.#used > this.#limit) throw notAMap(`its paths would have more than ${grouped(this.#limit)} characters`);
  }

  add(entry: TreeEntry): void {
    this.charge(entry.path);
    this.entries.push(entry);
  }
}

/** Returns the names at the start of a line: one, or those of several similar directories. */
function namesIn(head: string): Bytes[] {
  const [, first = head, rest = ''] = head.startsWith('"') ? [] : (/^([^/]*\})(\/.*)?$/s.exec(head) ?? []);
  return (unbraced(first) ?? [first]).map((name) => nameIn(`${name}${rest}`));
}

/** After the mark of a template, each word stands for the template's `*`. */
function addLabels(parsed: Parsed, tokens: readonly string[], directory: Bytes): void {
  let template: Template | null = null;
  for (const token of tokens) {
    const begun = templateOf(token);
    if (begun !== null) template = begun;
    else addLabel(parsed, template === null ? token : `${template.start}${token}${template.end}`, directory);
  }
}

function notAMap(reason: string): SyntaxError {
  return new SyntaxError(`This is not a map of Tree: ${reason}.`);
}

function addLabel(parsed: Parsed, token: string, directory: Bytes): void {
  const [, name = '', mark = ''] = LABEL.exec(token) ?? [];
  const files = mark.includes('+') ? Number(mark.slice(mark.indexOf('+') + 1)) : 0;
  if (mark.startsWith('*')) {
    const fold = foldAt(`${name}${mark.slice(0, mark.indexOf('+'))}`);
    if (fold === null) return;
    const path = denseFold(fold, directory);
    parsed.charge(path);
    parsed.folds.push({ path, type: fold.ofFolders ? 'dir' : 'file', files });
  } else if (mark.startsWith('/')) {
    addChain(parsed, nameIn(name), directory);
    const last = parsed.entries.at(-1) as TreeEntry;
    if (mark.startsWith('/+') || mark === '/-') last.files = files;
  } else {
    parsed.add({ path: pathInData(below(directory, nameIn(name))), type: mark === '@' ? 'link' : 'file' });
  }
}

/** Adds directories that are joined by `/`, and returns the path of the last. */
function addChain(parsed: Parsed, joined: Bytes, directory: Bytes): Bytes {
  let path = directory;
  for (const name of joined.split('/') as Bytes[]) {
    path = below(path, name);
    parsed.add({ path: pathInData(path), type: 'dir' });
  }
  return path;
}

function nameIn(label: string): Bytes {
  const bytes = bytesOfShown(label);
  if (bytes === null) throw notAMap(`${label} is not a name`);
  return bytes;
}
