// A git repository on disk: where it begins, and where git keeps what is not in its files.
//
//     a/.git/                          a repository
//     b/.git   "gitdir: ../x/b.git"    a submodule, or one made with `git init --separate-git-dir`
//     c/.git   "gitdir: ../a/.git/worktrees/c", where `commondir` says "../..": a linked worktree
//
// Git's own environment variables for the purpose (GIT_DIR and its kin) are about the caller's repository, not about
// those that a listing meets, and count for nothing here.

import { isAbsolute, sep } from 'node:path';
import type { Bytes } from '../workspace/bytes.ts';
import { isDirectory, kindAt, readLink, readPlainFile, realPath } from '../workspace/plain-file.ts';

export interface Repository {
  /** The directory that holds `.git`: absolute. */
  readonly workTree: Bytes;
  /** Where HEAD is: `.git`, or what a `.git` file points to (linked worktree, submodule). Absolute, normalised. */
  readonly gitDirectory: Bytes;
  /** Where config and info/exclude are: the gitDirectory, or in a linked worktree what its `commondir` file names. */
  readonly commonDirectory: Bytes;
  /** A path that leads to the work tree for certain, as long as that is held. */
  readonly held: Bytes;
}

/**
 * The path by which a file of the repository is read. By its own, a directory of the workspace that is swapped for a
 * link in that moment would lead to another repository.
 */
export function reached(path: Bytes, { workTree, held }: Pick<Repository, 'workTree' | 'held'>): Bytes {
  return path.startsWith(pathFrom(workTree, '')) ? pathFrom(held, path.slice(pathFrom(workTree, '').length)) : path;
}

/** Bytes: git looks no further, neither into HEAD nor at the name that a linked HEAD has. */
const HEAD_LOOKED_AT = 255;
/** Bytes: git takes no longer file for a `.git` file. */
const LARGEST_GITFILE = 1024 * 1024;
const GITFILE = 'gitdir: ';

const VALID_HEAD = /^(?:ref:[ \t\r\n]*refs\/|[0-9A-Fa-f]{40})/;
const SYMBOLIC_REF = /^ref:[ \t\r\n]*([^ \t\r\n]+)/;
const BRANCHES = 'refs/heads/';
/** How many refs git follows to the one that is meant. */
const LONGEST_CHAIN = 5;

/**
 * The repository whose root `directory` (absolute, real) is; null when there is no valid `.git` in it. `held` leads to
 * the directory for certain.
 */
export function repositoryAt(directory: Bytes, held: Bytes = directory): Repository | null {
  const path = pathFrom(held, '.git');
  const kind = kindAt(path);
  if (kind === 'directory') return withGitDirectory(directory, held, pathFrom(directory, '.git'));
  const gitDirectory = kind === 'file' ? namedByGitfile(held, path) : null;
  return gitDirectory === null ? null : withGitDirectory(directory, held, gitDirectory);
}

/** `path`, if it is absolute, or else what it means in `directory`. */
export function pathFrom(directory: string, path: string): Bytes {
  return (isAbsolute(path) ? path : `${directory}${directory.endsWith(sep) ? '' : '/'}${path}`) as Bytes;
}

/** Git refuses to work at all where a `.git` file leads nowhere; here it is as good as none. */
function namedByGitfile(directory: Bytes, path: Bytes): Bytes | null {
  const content = readPlainFile(path);
  if (content === null || content.length > LARGEST_GITFILE || !content.startsWith(GITFILE)) return null;
  const name = withoutLineEnds(content.slice(GITFILE.length));
  return name === '' ? null : realPath(pathFrom(directory, name));
}

/** Null when it is no git directory, by the same signs that git goes by. */
function withGitDirectory(workTree: Bytes, held: Bytes, gitDirectory: Bytes): Repository | null {
  const heldGitDirectory = reached(gitDirectory, { workTree, held });
  if (!hasValidHead(heldGitDirectory)) return null;
  const named = readPlainFile(`${heldGitDirectory}/commondir`);
  const commonDirectory = named === null ? gitDirectory : namedDirectory(heldGitDirectory, named);
  if (commonDirectory === null) return null;
  const found = { workTree, held, gitDirectory, commonDirectory };
  const isThere = (name: string) => isDirectory(reached(pathFrom(commonDirectory, name), found));
  return isThere('objects') && isThere('refs') ? found : null;
}

function hasValidHead(gitDirectory: Bytes): boolean {
  const path = `${gitDirectory}/HEAD`;
  const content = readPlainFile(path);
  if (content !== null) return VALID_HEAD.test(content.slice(0, HEAD_LOOKED_AT));
  // In repositories of git's first year HEAD is a link.
  return readLink(path)?.startsWith('refs/') ?? false;
}

/** What a `commondir` says; null when that leads nowhere. */
function namedDirectory(gitDirectory: Bytes, commondir: Bytes): Bytes | null {
  return commondir === '' ? null : realPath(pathFrom(gitDirectory, withoutLineEnds(commondir)));
}

function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
  return text.slice(0, end);
}

/** The branch that is checked out (`main`), also one without a commit; null when HEAD is detached. */
export function currentBranch(repository: Repository): Bytes | null {
  const head = reached(pathFrom(repository.gitDirectory, 'HEAD'), repository);
  const commonDirectory = reached(repository.commonDirectory, repository);
  let ref = symbolicRef(head) ?? readLink(head);
  for (let left = LONGEST_CHAIN; ref !== null && left > 0; left--) {
    // A branch may be another name for a second one, which then is the one that is checked out.
    const next = symbolicRef(`${commonDirectory}/${ref}`);
    if (next === null) return ref.startsWith(BRANCHES) ? (ref.slice(BRANCHES.length) as Bytes) : null;
    ref = next;
  }
  return null;
}

/** The ref that the file says is meant; null when it is no file, or names a commit. */
function symbolicRef(path: string): Bytes | null {
  const content = readPlainFile(path);
  return content === null ? null : ((SYMBOLIC_REF.exec(content)?.[1] ?? null) as Bytes | null);
}
