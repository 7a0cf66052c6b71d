/** Parses the text of a map: its paths, its closed directories and folds, and their counts. */
import { type Bytes, below } from '../names/bytes.ts';
import { bytesOfShown } from '../names/quote.ts';
import { unbraced } from './braces.ts';
import { CONTINUED, denseFold, foldAt, pathInData } from './dense-name.ts';
import type { TreeEntry, TreeFold } from './entries.ts';
import { type Template, templateOf } from './template.ts';

/** An entry as in the data of a map, except that the text omits small counts of closed directories. */
export type ParsedEntry = Omit<TreeEntry, 'files'> & { files?: number | null };

/** The parsed contents of a map. */
export interface ParsedTree {
  /** The listed directory or fold. */
  path: string;
  files: number;
  shown: number;
  entries: ParsedEntry[];
  folds: TreeFold[];
}

const HEADER_LINE = /^# ("(?:[^"\\]|\\.)*"\*?\/?|\S+): (\d+) files, (\d+) shown/;
const TOKEN = /(?:"(?:[^"\\]|\\.)*")?\S*/g;
const LABEL = /^("(?:[^"\\]|\\.)*"|.*?)(\*\+\d+|\*\/\+\d+|\/\+\d*|\/\?|\/|@|)$/s;

/**
 * Turns the text of a `Tree` into paths. `path` is the listed path, if the header had to shorten it.
 *
 * @example parseTree(text).entries // [{ path: 'src', type: 'dir' }, { path: 'src/index.ts', type: 'file' }, …]
 */
export function parseTree(text: string, path?: string): ParsedTree {
  const [header = '', ...lines] = text.split('\n');
  const [, told, files, shown] = HEADER_LINE.exec(header) ?? [];
  if (told === undefined) throw notAMap(`it begins with '${header.slice(0, 40)}'`);
  const listed = path ?? told;
  const tree: ParsedTree = { path: listed, files: Number(files), shown: Number(shown), entries: [], folds: [] };
  /** For each depth, the directories of its last line: several if the line stands for similar ones. */
  const way: Bytes[][] = [[listedDirectory(listed)]];
  for (const [i, line] of lines.entries()) {
    const depth = i === 0 ? 0 : line.search(/\S/);
    const tokens = (line.match(TOKEN) ?? []).filter((token) => token !== '');
    // A printed or saved map ends with a line break.
    if (i > 0 && tokens.length === 0) continue;
    const head = i === 0 ? CONTINUED : (tokens.shift() as string);
    const above = way[i === 0 ? 0 : depth - 1];
    if (above === undefined) throw notAMap(`'${line.slice(0, 40)}' is not in any directory of it`);
    const names = head === CONTINUED ? [null] : namesIn(head.replace(/\/$/, ''));
    const directories: Bytes[] = [];
    for (const outer of above) {
      for (const name of names) {
        const directory = name === null ? outer : addChain(tree, name, outer);
        directories.push(directory);
        addLabels(tree, tokens, directory);
      }
    }
    if (head === CONTINUED) continue;
    way[depth] = directories;
    way.length = depth + 1;
  }
  return tree;
}

/** Returns the names at the start of a line: one, or those of several similar directories. */
function namesIn(head: string): Bytes[] {
  const [, first = head, rest = ''] = head.startsWith('"') ? [] : (/^([^/]*\})(\/.*)?$/s.exec(head) ?? []);
  return (unbraced(first) ?? [first]).map((name) => nameIn(`${name}${rest}`));
}

/** After the mark of a template, each word stands for the template's `*`. */
function addLabels(tree: ParsedTree, tokens: readonly string[], directory: Bytes): void {
  let template: Template | null = null;
  for (const token of tokens) {
    const begun = templateOf(token);
    if (begun !== null) template = begun;
    else addLabel(tree, template === null ? token : `${template.start}${token}${template.end}`, directory);
  }
}

function notAMap(reason: string): SyntaxError {
  return new SyntaxError(`This is not a map of Tree: ${reason}.`);
}

function listedDirectory(path: string): Bytes {
  const argument = foldAt(path)?.directory ?? path;
  return (bytesOfShown(argument) ?? '').replace(/^\.$|(?<=.)\/$/, '') as Bytes;
}

function addLabel(tree: ParsedTree, token: string, directory: Bytes): void {
  const [, name = '', mark = ''] = LABEL.exec(token) ?? [];
  const files = mark.includes('+') ? Number(mark.slice(mark.indexOf('+') + 1)) : 0;
  if (mark.startsWith('*')) {
    const fold = foldAt(`${name}${mark.slice(0, mark.indexOf('+'))}`);
    if (fold !== null)
      tree.folds.push({ path: denseFold(fold, directory), type: fold.ofFolders ? 'dir' : 'file', files });
  } else if (mark.startsWith('/')) {
    addChain(tree, nameIn(name), directory);
    const last = tree.entries.at(-1) as ParsedEntry;
    if (mark.startsWith('/+')) last.files = mark === '/+' ? null : files;
  } else {
    tree.entries.push({ path: pathInData(below(directory, nameIn(name))), type: mark === '@' ? 'link' : 'file' });
  }
}

/** Adds directories that are joined by `/`, and returns the path of the last. */
function addChain(tree: ParsedTree, joined: Bytes, directory: Bytes): Bytes {
  let path = directory;
  for (const name of joined.split('/') as Bytes[]) {
    path = below(path, name);
    tree.entries.push({ path: pathInData(path), type: 'dir' });
  }
  return path;
}

function nameIn(label: string): Bytes {
  const bytes = bytesOfShown(label);
  if (bytes === null) throw notAMap(`${label} is not a name`);
  return bytes;
}
