/** Reads a map back: the paths that it shows, what stands closed or folded in it, and how much that is. */
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import { unquoted } from '../workspace/quote.ts';
import { denseFold, foldAt, pathInData } from './dense-name.ts';
import type { TreeEntry, TreeFold } from './entries.ts';

/** As in the data of a map; but its text does not tell how many files a closed directory has if they are few. */
export type ParsedEntry = Omit<TreeEntry, 'files'> & { files?: number | null };

export interface ParsedTree {
  /** What it is a map of. */
  path: string;
  files: number;
  shown: number;
  entries: ParsedEntry[];
  folds: TreeFold[];
}

const HEADER = /^# ("(?:[^"\\]|\\.)*"\*?\/?|\S+): (\d+) files, (\d+) shown/;
const TOKEN = /(?:"(?:[^"\\]|\\.)*")?\S*/g;
const LABEL = /^("(?:[^"\\]|\\.)*"|.*?)(\*\+\d+|\*\/\+\d+|\/\+\d*|\/\?|\/|@|)$/s;

/**
 * Turns the text of a `Tree` into paths. `path` is what was asked for, if the header had to cut it short.
 *
 * @example parseTree(text).entries // [{ path: 'src', type: 'dir' }, { path: 'src/index.ts', type: 'file' }, …]
 */
export function parseTree(text: string, path?: string): ParsedTree {
  const [header = '', ...lines] = text.split('\n');
  const [, told, files, shown] = HEADER.exec(header) ?? [];
  if (told === undefined) throw new SyntaxError(`This is no map of Tree: it begins with '${header.slice(0, 40)}'.`);
  const listed = path ?? told;
  const tree: ParsedTree = { path: listed, files: Number(files), shown: Number(shown), entries: [], folds: [] };
  const way: Bytes[] = [directoryOf(listed)];
  for (const [i, line] of lines.entries()) {
    const depth = i === 0 ? 0 : line.search(/\S/);
    const tokens = (line.match(TOKEN) ?? []).filter((token) => token !== '');
    // Whoever printed the map, or saved it, ended its last line.
    if (i > 0 && tokens.length === 0) continue;
    if (i > 0) way[depth] = enter(tree, tokens.shift() as string, directoryAbove(depth, line, way));
    way.length = depth + 1;
    for (const token of tokens) add(tree, token, way[depth] as Bytes);
  }
  return tree;
}

function directoryAbove(depth: number, line: string, way: readonly Bytes[]): Bytes {
  const directory = way[depth - 1];
  if (directory !== undefined) return directory;
  throw new SyntaxError(`This is no map of Tree: '${line.slice(0, 40)}' stands in no directory of it.`);
}

function directoryOf(path: string): Bytes {
  const argument = foldAt(path)?.directory ?? path;
  const bytes = argument.startsWith('"') ? unquoted(argument) : bytesOf(argument);
  return (bytes ?? '').replace(/^\.$|(?<=.)\/$/, '') as Bytes;
}

/** The path of an opened directory; those that it is joined with are shown, too. */
function enter(tree: ParsedTree, token: string, directory: Bytes): Bytes {
  return addChain(tree, nameIn(token.replace(/\/$/, '')), directory);
}

function add(tree: ParsedTree, token: string, directory: Bytes): void {
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

function addChain(tree: ParsedTree, joined: Bytes, directory: Bytes): Bytes {
  let path = directory;
  for (const name of joined.split('/') as Bytes[]) {
    path = below(path, name);
    tree.entries.push({ path: pathInData(path), type: 'dir' });
  }
  return path;
}

function nameIn(label: string): Bytes {
  const bytes = label.startsWith('"') ? unquoted(label) : bytesOf(label);
  if (bytes === null) throw new SyntaxError(`This is no map of Tree: ${label} is no name.`);
  return bytes;
}
