/** A map as data: what its text shows, in the same order, with all numbers. */
import { type Bytes, below } from '../workspace/bytes.ts';
import { denseFold, pathInData } from './dense-name.ts';
import { Folder } from './folder.ts';
import { chainOf, type Line } from './line.ts';
import { Pool } from './pool.ts';
import type { Steps } from './steps.ts';

/** Paths are relative to the root, and can be sent back. */
export type TreeEntry = {
  path: string;
  type: 'file' | 'dir' | 'link';
  /** Of a directory that is not opened: how many files are below it. */
  files?: number;
};

/** Entries of one directory whose names begin alike, and which stand together: `path` opens them. */
export type TreeFold = {
  path: string;
  type: 'file' | 'dir';
  /** How many files it stands for; of directories those below them. */
  files: number;
};

/** Paths between two steps; deep down they are long. */
const PATHS = 32;

/** `listed` is the path of the listed directory relative to the root. */
export function* dataOf(root: Line, listed: Bytes): Steps<{ entries: TreeEntry[]; folds: TreeFold[] }> {
  const entries: TreeEntry[] = [];
  const folds: TreeFold[] = [];
  const pathOf = (folder: Folder) => (folder.parent === null ? listed : below(listed, folder.path));
  const addFolder = (folder: Folder) => entries.push({ path: pathInData(pathOf(folder)), type: 'dir' });
  for (const line of root.all()) {
    const directory = pathOf(line.folder);
    if (line.depth > 0) line.chain.forEach(addFolder);
    yield;
    for (const part of line.parts()) {
      if (part instanceof Pool) {
        const { files, ofFolders } = part;
        folds.push({ path: denseFold(part, directory), type: ofFolders ? 'dir' : 'file', files });
      } else if (part instanceof Folder) {
        const chain = chainOf(part);
        chain.forEach(addFolder);
        const last = chain.at(-1) as Folder;
        if (!last.isEmpty && !last.isUnreadable) (entries.at(-1) as TreeEntry).files = last.filesBelow;
      } else {
        const type = line.folder.links.has(part) ? 'link' : 'file';
        entries.push({ path: pathInData(below(directory, part)), type });
      }
      if ((entries.length + folds.length) % PATHS === 0) yield;
    }
  }
  return { entries, folds };
}
