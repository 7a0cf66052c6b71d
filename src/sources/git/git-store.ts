/**
 * Where a repository keeps its objects and the names of its commits. Only that is read: nothing that it says about
 * programs, filters or other repositories counts, because git is started without it (`workspace/git-program.ts`).
 */
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Bytes } from '../../workspace/bytes.ts';
import type { HistoryStore } from '../../workspace/git-program.ts';

export interface GitStore extends HistoryStore {
  /** What the repository is called: its work tree, or the directory of a bare one. Absolute, without links. */
  readonly name: string;
  /** Whether it borrows objects from another repository, which is not followed. */
  readonly borrows: boolean;
}

/** Bytes of a file that holds one path, or one ref. */
const LARGEST_POINTER = 8 * 1024;
/** Bytes of the list of commits without their parents. */
const LARGEST_SHALLOW = 64 * 1024 * 1024;

const PART = /^(?:pack|[0-9a-f]{2})$/;

/** The repository at a path, or the nearest above it; null when there is none. */
export function storeAt(path: string): GitStore | null {
  let here: string;
  try {
    here = realpathSync(path);
  } catch {
    return null;
  }
  for (;;) {
    const found = storeIn(here);
    if (found !== null) return found;
    if (dirname(here) === here) return null;
    here = dirname(here);
  }
}

function storeIn(directory: string): GitStore | null {
  const dotGit = join(directory, '.git');
  const named = /^gitdir: (.+?)[\r\n]*$/.exec(contentOf(dotGit, LARGEST_POINTER) ?? '')?.[1];
  const gitDirectory = named !== undefined ? resolve(directory, named) : isDirectory(dotGit) ? dotGit : directory;
  const common = contentOf(join(gitDirectory, 'commondir'), LARGEST_POINTER)?.trim();
  const shared = common === undefined || common === '' ? gitDirectory : resolve(gitDirectory, common);
  const head = contentOf(join(gitDirectory, 'HEAD'), LARGEST_POINTER);
  const [objects, refs] = [join(shared, 'objects'), join(shared, 'refs')];
  if (head === null || !isDirectory(objects) || !isDirectory(refs)) return null;
  const config = contentOf(join(shared, 'config'), 1024 * 1024) ?? '';
  return {
    name: directory,
    descriptor: null,
    objects,
    parts: readdirSync(objects).filter((name) => PART.test(name)),
    shallow: contentOf(join(shared, 'shallow'), LARGEST_SHALLOW),
    hash: /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 'sha256' : 'sha1',
    refs: { head, directory: refs, packed: plainFile(join(shared, 'packed-refs')) },
    borrows: contentOf(join(objects, 'info/alternates'), LARGEST_POINTER) !== null,
  };
}

/** Null also for what is too large, or is not a plain file. */
function contentOf(path: string, largest: number): Bytes | null {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= largest ? (readFileSync(path, 'latin1') as Bytes) : null;
  } catch {
    return null;
  }
}

function plainFile(path: string): string | null {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : null;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
