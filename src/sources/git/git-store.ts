/**
 * Finds where a repository keeps its objects and the names of its commits. Only that is read: nothing that it says
 * about programs, filters or other repositories has any effect, because git is started without it
 * (`git/program.ts`).
 */
import { lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import type { HistoryStore } from '../../git/program.ts';
import { type Bytes, bytesOf, textOf } from '../../names/bytes.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { ListingError } from '../../workspace/listing-error.ts';

export interface GitStore extends HistoryStore {
  /** The path that names the repository: its work tree, or the directory of a bare one. Absolute, without links. */
  readonly name: string;
  /** True if it borrows objects from another repository, which is not followed. */
  readonly borrows: boolean;
  /** True if its refs are in a format that is not supported. */
  readonly hasReftable: boolean;
}

/** The largest file, in bytes, that is read for one path or one ref. */
const LARGEST_POINTER = 8 * 1024;
const LARGEST_CONFIG = 1024 * 1024;
/** The largest list of commits without their parents, in bytes. */
const LARGEST_SHALLOW = 64 * 1024 * 1024;

const PART = /^(?:pack|[0-9a-f]{2})$/;

/** Finds the repository at a path, or the nearest one above it; null if there is none. */
export function storeAt(path: string): GitStore | null {
  for (let here = realPath(path); here !== null; here = dirname(here) === here ? null : dirname(here)) {
    const found = storeIn(here);
    if (found !== null) return found;
  }
  return null;
}

function storeIn(directory: string): GitStore | null {
  const gitDirectory = gitDirectoryOf(directory);
  if (gitDirectory === null) return null;
  const common = textIn(join(gitDirectory, 'commondir'), LARGEST_POINTER)?.trim();
  const shared = common === undefined || common === '' ? gitDirectory : realPath(resolve(gitDirectory, common));
  const head = headIn(gitDirectory);
  if (shared === null || head === null) return null;
  if (isInside(gitDirectory, directory) && !isInside(shared, directory)) throw leadsOut(directory);
  const [objects, refs] = [join(shared, 'objects'), join(shared, 'refs')];
  if (!isDirectory(objects) || !isDirectory(refs)) return null;
  if (realPath(objects) !== objects || realPath(refs) !== refs) throw leadsOut(directory);
  const config = contentOf(join(shared, 'config'), LARGEST_CONFIG) ?? '';
  return {
    name: directory,
    descriptor: null,
    objects,
    parts: partsIn(objects, directory),
    shallow: contentOf(join(shared, 'shallow'), LARGEST_SHALLOW),
    hash: /^\s*objectformat\s*=\s*sha256\s*$/im.test(config) ? 'sha256' : 'sha1',
    refs: { head, directory: refs, packed: plainFile(join(shared, 'packed-refs')) },
    borrows: contentOf(join(objects, 'info/alternates'), LARGEST_POINTER) !== null,
    hasReftable: isDirectory(join(shared, 'reftable')),
  };
}

/**
 * Returns the git directory of a work tree, or the directory itself, which may be a bare repository; without links.
 * Anyone who can write into a repository can make its `.git` lead elsewhere. So it is followed only if the target names
 * this work tree in return, as it does for a linked worktree and a submodule.
 */
function gitDirectoryOf(directory: string): string | null {
  const dotGit = join(directory, '.git');
  const stats = lstatSync(dotGit, { throwIfNoEntry: false });
  if (stats === undefined) return directory;
  const named = stats.isFile()
    ? /^gitdir: (.+?)[\r\n]*$/.exec(textIn(dotGit, LARGEST_POINTER) ?? '')?.[1]
    : stats.isDirectory() || stats.isSymbolicLink()
      ? dotGit
      : undefined;
  if (named === undefined) return directory;
  const found = realPath(resolve(directory, named));
  if (found !== null && !isInside(found, directory) && !namesInReturn(found, directory)) throw leadsOut(directory);
  return found;
}

function namesInReturn(gitDirectory: string, workTree: string): boolean {
  const isNamed = (path: string) => realPath(resolve(gitDirectory, path)) === workTree;
  const gitfile = textIn(join(gitDirectory, 'gitdir'), LARGEST_POINTER)?.trim();
  if (gitfile !== undefined && isNamed(dirname(resolve(gitDirectory, gitfile)))) return true;
  const config = textIn(join(gitDirectory, 'config'), LARGEST_CONFIG) ?? '';
  const named = /^\s*worktree\s*=\s*(\S.*?)\s*$/im.exec(config)?.[1];
  return named !== undefined && isNamed(named);
}

/** Reads HEAD. In repositories of git's first year it may be a link, whose target is then the ref. */
function headIn(gitDirectory: string): Bytes | null {
  const path = join(gitDirectory, 'HEAD');
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const target = readlinkSync(path);
    return target.startsWith('refs/') ? bytesOf(`ref: ${target}`) : null;
  }
  return contentOf(path, LARGEST_POINTER);
}

/** Lists the directories that hold objects. They must not contain links, because git would follow them. */
function partsIn(objects: string, directory: string): string[] {
  const parts = readdirSync(objects, { withFileTypes: true }).filter(({ name }) => PART.test(name));
  const hasLinks = (part: string) =>
    readdirSync(join(objects, part), { withFileTypes: true }).some((one) => one.isSymbolicLink());
  if (parts.some((part) => !part.isDirectory() || hasLinks(part.name))) throw leadsOut(directory);
  return parts.map(({ name }) => name);
}

function leadsOut(directory: string): ListingError {
  const message = `the repository at '${shownAsGiven(directory)}' keeps its objects elsewhere, and that is not followed; if you trust it, name the git directory itself`;
  return new ListingError('failed', message);
}

function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith(sep) ? directory : directory + sep);
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Returns null also if it is too large or not a plain file. */
function contentOf(path: string, largest: number): Bytes | null {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && stats.size <= largest ? (readFileSync(path, 'latin1') as Bytes) : null;
  } catch {
    return null;
  }
}

/** Like `contentOf`, for a file that contains paths. */
function textIn(path: string, largest: number): string | null {
  const content = contentOf(path, largest);
  return content === null ? null : textOf(content);
}

function plainFile(path: string): string | null {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() ? path : null;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
