/**
 * Walks a whole tree of git by requesting its directories, hundreds at a time, from a running process. That is faster
 * than `ls-tree`, which would have to be started, and writes out every path.
 */
import { type Bytes, below, DOT } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { DIRECTORY as DIRECTORY_TYPE, FILE, LINK as LINK_TYPE } from '../../workspace/reader.ts';
import type { WalkedLevel } from '../loading/bulk-walk.ts';
import { LoadedEntries } from '../loading/loaded-entries.ts';
import { LoadedLevel } from '../loading/loaded-level.ts';
import { LevelBounds, shownForm } from '../loading/usable-names.ts';
import type { ObjectReader } from './object-reader.ts';
import { DIRECTORY, KIND, LINK, SUBMODULE, TreeCursor, type TreeEntry } from './tree-entries.ts';

/** Directories per request, and requests in flight. */
const AT_A_TIME = 512;
const UNDER_WAY = 2;

/** The largest directory, in bytes, that is parsed at once. A larger one is listed, with pauses. */
const LARGEST_AT_ONCE = 1024 * 1024;

/** The most bytes that a walk takes, and those of a directory that is not read yet. What is beyond is listed. */
const MAX_BYTES = 96 * 1024 * 1024;
const BYTES_OF_BRANCH = 200;

/** Entries that are made room for at first. */
const EXPECTED = 4096;

interface Branch {
  /** Relative to the start of the walk. */
  readonly path: Bytes;
  readonly id: string;
  /** The number of levels to walk from here. */
  readonly levels: number;
}

/** Receives links and names with a leading dot, such as rule files: these are likely to be looked up later. */
type Note = (path: Bytes, entry: TreeEntry) => void;

/** Yields directories as they arrive, in no particular order. One that cannot be read is left out. */
export async function* walkTree(
  objects: ObjectReader,
  idBytes: number,
  start: RootPath,
  top: Pick<Branch, 'id' | 'levels'>,
  signal: AbortSignal,
  note: Note,
): AsyncGenerator<readonly WalkedLevel[]> {
  const entries = new LoadedEntries(EXPECTED);
  /** Directories not yet requested. The last one is next, so that what is below a directory comes soon after it. */
  const waiting: Branch[] = [{ ...top, path: '' as Bytes }];
  const underWay = new Set<Promise<void>>();
  let found: WalkedLevel[] = [];
  let bytes = 0;
  while (waiting.length > 0 || underWay.size > 0) {
    while (waiting.length > 0 && underWay.size < UNDER_WAY) {
      const asking: Promise<void> = ask(waiting.splice(-AT_A_TIME).reverse()).finally(() => underWay.delete(asking));
      underWay.add(asking);
    }
    await Promise.race(underWay);
    const arrived = found;
    found = [];
    yield arrived;
    if (bytes > MAX_BYTES) throw new Error('too much for one walk');
  }

  function ask(branches: readonly Branch[]): Promise<void> {
    const ids = branches.map(({ id }) => id);
    let next = 0;
    return objects.contents(ids, signal, (object) => {
      const branch = branches[next++] as Branch;
      if (object?.type === 'tree' && !signal.aborted) take(branch, object.content);
    });
  }

  function take({ path, levels }: Branch, content: Buffer): void {
    if (content.length > LARGEST_AT_ONCE || bytes > MAX_BYTES) return;
    bytes += content.length;
    const level = new LoadedLevel(new LevelBounds(below(start, path)), entries);
    const inner: Branch[] = [];
    const cursor = new TreeCursor(content, idBytes);
    try {
      while (cursor.advance()) {
        if (!level.bounds.admits(cursor.end - cursor.start)) continue;
        const kind = cursor.mode & KIND;
        const isDirectory = kind === DIRECTORY;
        const isLikely = kind === LINK || content[cursor.start] === DOT;
        const name = isDirectory || isLikely ? cursor.name : null;
        if (!cursor.isUsable) {
          level.add({ name: shownForm(cursor.name), type: 'other' });
          continue;
        }
        const type = isDirectory || kind === SUBMODULE ? DIRECTORY_TYPE : kind === LINK ? LINK_TYPE : FILE;
        level.addName(content, cursor.start, cursor.end, type);
        if (name === null) continue;
        const { mode, id } = cursor;
        if (!isDirectory) note(below(path, name), { name, mode, id });
        else if (levels > 1) {
          inner.push({ path: below(path, name), id, levels: levels - 1 });
          bytes += BYTES_OF_BRANCH + path.length;
        }
      }
    } catch {
      // The object is truncated. Without its level the directory gets listed, and that reports the error.
      return;
    }
    found.push({ path, level });
    for (let i = inner.length - 1; i >= 0; i--) waiting.push(inner[i] as Branch);
  }
}
