/** A map as data: the contents of its text in the same order, with all numbers. */
import { type Bytes, below } from '../names/bytes.ts';
import { HANDFUL } from '../workspace/steps.ts';
import { denseFold, pathInData } from './dense-name.ts';
import { Folder } from './folder.ts';
import { chainOf } from './line.ts';
import type { Row } from './rows.ts';
import type { Steps } from './steps.ts';

/** Paths are relative to the root, and can be sent in a call. */
export type TreeEntry = {
  path: string;
  type: 'file' | 'dir' | 'link';
  /** The number of files below a directory that are not shown; undefined if all are. */
  files?: number;
  /** Set if everything in it is hidden. */
  hidden?: true;
};

/** A group of entries in one directory whose names begin alike. A call with its `path` opens it. */
export type TreeFold = {
  path: string;
  type: 'file' | 'dir';
  /** The number of files in it; of directories, those below them. */
  files: number;
};

export interface MapData {
  readonly entries: TreeEntry[];
  readonly folds: TreeFold[];
}

/** `listed` is the path of the listed directory relative to the root. */
export function* dataOf(rows: readonly Row[], listed: Bytes): Steps<MapData> {
  const entries: TreeEntry[] = [];
  const folds: TreeFold[] = [];
  const pathOf = (folder: Folder) => (folder.parent === null ? listed : below(listed, folder.path));
  const addFolder = (folder: Folder) => entries.push({ path: pathInData(pathOf(folder)), type: 'dir' });
  for (const line of rows.flatMap(({ lines }) => lines)) {
    const directory = pathOf(line.folder);
    if (line.depth > 0) line.chain.forEach(addFolder);
    if (line.rest !== null) (entries.at(-1) as TreeEntry).files = line.rest;
    yield;
    for (const part of line.sections.flatMap(({ parts }) => parts)) {
      if (typeof part === 'string') {
        const type = line.folder.links.has(part) ? 'link' : 'file';
        entries.push({ path: pathInData(below(directory, part)), type });
      } else if (part instanceof Folder) {
        const chain = chainOf(part);
        chain.forEach(addFolder);
        const last = chain.at(-1) as Folder;
        const entry = entries.at(-1) as TreeEntry;
        if (!last.isUnreadable) entry.files = last.filesBelow;
        if (last.isHiddenOnly) entry.hidden = true;
      } else {
        const { files, ofFolders } = part;
        folds.push({ path: denseFold(part, directory), type: ofFolders ? 'dir' : 'file', files });
      }
      if ((entries.length + folds.length) % HANDFUL.paths === 0) yield;
    }
  }
  return { entries, folds };
}
