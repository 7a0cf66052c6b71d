/** Knows which paths git tracks, and so does not ignore. The index is read only when something else would be hidden. */
import { type Bytes, lowerCaseAscii } from '../names/bytes.ts';
import { shown } from '../names/quote.ts';
import { firstIndex } from '../names/ranges.ts';
import type { Budget } from '../workspace/budget.ts';
import { directoryCache, hasSettled } from '../workspace/cache.ts';
import { SkippedFile } from '../workspace/source.ts';
import { atOnce, loaded, mapped, type Steps, Unloaded } from '../workspace/steps.ts';
import { type GitFiles, pathFrom } from './files.ts';
import { hasAllPaths, trackedPaths } from './index-file.ts';
import type { GitStore } from './repository.ts';

/** In bytes. Half a million files take less. */
const MAX_INDEX = 64 * 1024 * 1024;
/** In bytes. A larger index is read with pauses: this one takes about a millisecond. */
const READ_AT_ONCE = 512 * 1024;
/** Paths that are searched in the bytes of an index before it is parsed: that takes about as long as ten of them. */
const MAX_SEARCHED = 8;
/** Bytes that a path takes in memory in addition to the index. */
const OVERHEAD = 40;

type IndexFile = NonNullable<ReturnType<typeof indexIn>>;

let unsettled = 0;

/** Returns the index as it was found; null if nothing was ever added. If it `isSettled`, the key identifies it. */
export function indexIn({ gitDirectory: directory }: GitStore, idLength: number, files: GitFiles) {
  const entry = files.entry(pathFrom(directory, 'index'));
  if (entry === null) return null;
  const { size, inode, modified, changed } = entry;
  const isSettled = hasSettled(entry);
  const key = `index ${directory}\0${inode} ${size} ${modified} ${changed} ${isSettled ? '' : ++unsettled}`;
  return { directory, idLength, size, key, isSettled };
}

/** Knows which paths an index tracks. `files` have to be accessible as long as this is used. */
export function trackedFiles(index: IndexFile, ignoreCase: boolean, files: GitFiles, budget: Budget) {
  const { directory, idLength, size, isSettled } = index;
  const key = `${index.key} ${ignoreCase}`;
  /** In order; in lower case if case is ignored. Null until they are needed. */
  let tracked: readonly string[] | null = null;
  let loading: Promise<readonly string[]> | null = null;
  /** The index itself, until it is parsed; and the number of paths that were searched in it. */
  let content: Bytes | SkippedFile | null = null;
  let searched = 0;

  /** Returns true for a path from the work tree that is tracked; a directory also if something below it is. */
  function has(path: string, isDirectory: boolean): boolean {
    if (tracked === null && lacks(path, isDirectory)) return false;
    const paths = tracked ?? load();
    const wanted = ignoreCase ? lowerCaseAscii(path) : path;
    const at = firstAtLeast(paths, wanted);
    if (paths[at] === wanted) return true;
    if (isDirectory && paths[firstAtLeast(paths, `${wanted}/`)]?.startsWith(`${wanted}/`)) return true;
    const before = paths[at - 1] ?? '';
    if (before.endsWith('/') && wanted.startsWith(before)) {
      budget.note(`a rule hides files in '${shown(before as Bytes)}', which the sparse index does not list`);
    }
    return false;
  }

  /** True if a path is nowhere among the bytes of the index. Perf: then the index need not be parsed. */
  function lacks(path: string, isDirectory: boolean): boolean {
    if (ignoreCase || searched >= MAX_SEARCHED || directoryCache.find(key) !== null) return false;
    content ??= files.read(pathFrom(directory, 'index'), MAX_INDEX);
    if (typeof content !== 'string' || (searched === 0 && !hasAllPaths(content))) {
      searched = MAX_SEARCHED;
      return false;
    }
    searched++;
    return !content.includes(`${path}\0`) && !(isDirectory && content.includes(`${path}/`));
  }

  /** Throws `Unloaded` if it takes longer than a caller that must not block may wait. */
  function load(): readonly string[] {
    const known = directoryCache.find<readonly string[]>(key);
    const mayBlock = budget.mayBlock || size <= READ_AT_ONCE;
    if (known === null && !mayBlock) {
      throw new Unloaded(async () => {
        loading ??= budget.run(readPaths());
        tracked = await loading;
      });
    }
    tracked = known ?? atOnce(readPaths());
    return tracked;
  }

  function* readPaths(): Steps<readonly string[]> {
    const read = (name: string) => loaded(() => files.read(pathFrom(directory, name), MAX_INDEX));
    const found = content ?? (yield* read('index'));
    content = null;
    if (found === null) return [];
    const listed = found instanceof SkippedFile ? null : yield* trackedPaths(found, idLength, read);
    if (listed === null) {
      const reason = found instanceof SkippedFile ? found.reason : 'is damaged, or of an unknown kind';
      const name = files.nameOf(pathFrom(directory, 'index'));
      budget.note(`'${name}' ${reason}, and is not used: files that git tracks may be hidden`);
      return [];
    }
    const paths = ignoreCase ? (yield* mapped(listed, lowerCaseAscii)).sort() : listed;
    if (isSettled) directoryCache.remember(key, paths, size + OVERHEAD * paths.length);
    return paths;
  }

  return { has };
}

function firstAtLeast(paths: readonly string[], wanted: string): number {
  return firstIndex(paths.length, (at) => (paths[at] as string) >= wanted);
}
