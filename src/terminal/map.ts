/** The map that `agent-ls tree` shows on a terminal: what a model gets as dense lines, drawn with branches. */
import { type Bytes, compareBytes, parentOf } from '../names/bytes.ts';
import { bytesOfShown, escapedToAscii } from '../names/quote.ts';
import type { Fold } from '../overview/dense-name.ts';
import type { TreeEntry } from '../overview/entries.ts';
import { counted } from '../text/count.ts';
import { ASCII_BRANCHES, LINE_BRANCHES, treeLinesOf } from '../text/tree.ts';
import type { Display } from './display.ts';
import { FAINT, type Palette, painted } from './palette.ts';
import { nameOnTerminal } from './terminal-names.ts';

/** A fold of a map, taken apart. */
export type DrawnFold = Pick<Fold, 'ofFolders' | 'prefix' | 'files'> & {
  readonly directory: string;
  readonly label: string;
};

/** `listed` is the path of the listed directory; `unreadable` are those of directories that could not be read. */
interface DrawnMap {
  readonly heading: string;
  readonly listed: string;
  readonly entries: readonly TreeEntry[];
  readonly folds: readonly DrawnFold[];
  readonly unreadable: readonly string[];
}

interface Node {
  /** A directory's files follow its directories. */
  readonly isDirectory: boolean;
  readonly name: Bytes;
  readonly label: string;
  readonly inside: Node[];
}

export function mapFor({ hasColours, isUnicode }: Display, map: DrawnMap, palette: Palette): string {
  const paint = hasColours ? painted : (text: string) => text;
  const ascii = (text: string) => (isUnicode ? text : escapedToAscii(text));
  const listed = bytesAt(map.listed);
  const root: Node = { isDirectory: true, name: '' as Bytes, label: '', inside: [] };
  const nodes = new Map<string, Node>([[listed, root]]);
  const unreadable = new Set(map.unreadable.map(bytesAt));
  const opened = new Set(map.entries.map(({ path }) => parentOf(bytesAt(path))));
  for (const { path, type, files, hidden } of map.entries) {
    const bytes = bytesAt(path);
    const name = bytes.slice(bytes.lastIndexOf('/') + 1) as Bytes;
    const isDirectory = type === 'dir';
    const count = files === undefined ? null : counted(files, opened.has(bytes) ? 'more file' : 'file');
    const note = unreadable.has(bytes) ? 'unreadable' : hidden ? 'all hidden' : count;
    const mark = isDirectory ? '/' : type === 'link' ? '@' : '';
    const painting = paint(nameOnTerminal(name, isUnicode), palette.of({ name, type, metadata: null }, 'unknown'));
    const label = `${painting}${mark}${note === null ? '' : paint(` (${note})`, FAINT)}`;
    const node: Node = { isDirectory, name, label, inside: [] };
    nodes.get(parentOf(bytes))?.inside.push(node);
    if (isDirectory) nodes.set(bytes, node);
  }
  for (const { directory, label: folded, ofFolders, prefix, files } of map.folds) {
    const label = paint(`${ascii(folded)} (${counted(files, 'file')})`, FAINT);
    const node: Node = { isDirectory: ofFolders, name: prefix, label, inside: [] };
    nodes.get(bytesAt(directory))?.inside.push(node);
  }
  const rows: { label: string; depth: number }[] = [];
  // Without recursion: directories can be nested deeper than the stack.
  const waiting = [{ node: root, depth: -1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, depth } = next;
    if (depth >= 0) rows.push({ label: node.label, depth });
    for (const inner of node.inside.sort(byKind).reverse()) waiting.push({ node: inner, depth: depth + 1 });
  }
  const branches = treeLinesOf(rows, isUnicode ? LINE_BRANCHES : ASCII_BRANCHES);
  return [paint(ascii(map.heading), FAINT), ...branches].join('\n');
}

const byKind = (a: Node, b: Node) => Number(b.isDirectory) - Number(a.isDirectory) || compareBytes(a.name, b.name);

/** Relative to the root, which is ''. */
function bytesAt(path: string): Bytes {
  return (bytesOfShown(path) ?? '').replace(/^\.$|^\.\/|(?<=.)\/$/, '') as Bytes;
}
