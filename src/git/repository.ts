// Finds git repositories: where a work tree begins, and where git keeps its own files.
//
//     a/.git/                          a repository
//     b/.git   "gitdir: ../x/b.git"    a submodule, or one made with `git init --separate-git-dir`
//     c/.git   "gitdir: ../a/.git/worktrees/c", where `commondir` says "../..": a linked worktree
//
// Anyone who can write to the workspace can write a `.git` there. So it may name nothing outside, unless the git
// directory that it names belongs to it and says so. Git's own environment variables for the purpose (GIT_DIR and its
// kin) are about the caller's repository, not about those that a listing meets, and are ignored here.
import { dirname } from 'node:path';
import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import type { Metadata } from '../workspace/source.ts';
import { allowsWorktreeConfig, parseGitConfig } from './config.ts';
import { readEnvironment, withHome } from './environment.ts';
import { type GitFiles, pathFrom } from './files.ts';

export interface Repository {
  /** The absolute path of the directory that contains `.git`. */
  readonly workTree: Bytes;
  /** Null if git's own files cannot or must not be used. Then only `.gitignore` files count. */
  readonly store: GitStore | null;
  /** True if git would refuse it, because it belongs to another user. */
  readonly isForeign: boolean;
  /** The name of the listed revision; undefined for a work tree. */
  readonly revision?: Bytes;
}

export interface GitStore {
  /** The directory of HEAD: `.git`, or the one named by a `.git` file (linked worktree, submodule). Absolute, real. */
  readonly gitDirectory: Bytes;
  /** The same directory by the name that git uses, which differs if `.git` is a link. */
  readonly givenDirectory: Bytes;
  /** The directory of config and info/exclude: gitDirectory, or the one that a linked worktree's `commondir` names. */
  readonly commonDirectory: Bytes;
}

/** In bytes. Git reads no more of HEAD, nor of the target if HEAD is a link. */
const HEAD_LOOKED_AT = 255;
/** In bytes, for a file that holds one path or one ref. */
const LARGEST_POINTER = 8 * 1024;
/** In bytes, for the config file in which a submodule names its work tree. */
const LARGEST_SUBMODULE_CONFIG = 64 * 1024;
const GITFILE = 'gitdir: ';
const VALID_HEAD = /^(?:ref:[ \t\r\n]*refs\/|[0-9A-Fa-f]{40})/;
const SYMBOLIC_REF = /^ref:[ \t\r\n]*([^ \t\r\n]+)/;
const BRANCHES = 'refs/heads/';
/** The number of refs that git looks at after HEAD. */
const LONGEST_CHAIN = 4;

/** Returns the repository rooted at `workTree` (absolute, real); null if there is no valid `.git` in it. */
export function repositoryAt(workTree: Bytes, files: GitFiles, budget: Budget): Repository | null {
  const dotGit = pathFrom(workTree, '.git');
  const found = storeIn(workTree, files);
  if (found === null) return null;
  if (found !== 'nothing' && 'leadsOut' in found) {
    const where = found.isThroughLink ? 'through a link' : 'out of the workspace';
    budget.note(`'${files.nameOf(found.leadsOut)}' leads ${where}, and is not followed`);
  }
  const store = found === 'nothing' || 'leadsOut' in found ? null : found;
  const isForeign = !isTrusted([dotGit, workTree, ...(store === null ? [] : [store.gitDirectory])], workTree, files);
  if (isForeign) {
    budget.note(`the repository in '${files.nameOf(workTree)}' belongs to another user; its settings are not read`);
  }
  return { workTree, store: isForeign ? null : store, isForeign };
}

interface LeadsOut {
  readonly leadsOut: Bytes;
  /** Set if it stays in the workspace, but on a way that could lead anywhere. */
  readonly isThroughLink?: boolean;
}

/** Returns the store that the `.git` in a directory is, links to or names: null without a valid one. */
export function storeIn(workTree: Bytes, files: GitFiles): GitStore | LeadsOut | 'nothing' | null {
  const dotGit = pathFrom(workTree, '.git');
  const entry = files.entry(dotGit);
  const named = entry === null ? null : namedBy(entry, workTree, dotGit, files);
  if (entry === null || named === null) return null;
  if (leadsOut(dotGit, named, files) && !namesInReturn(named, workTree, files)) return { leadsOut: dotGit };
  const isFile = entry.type === 'file';
  // If a `.git` directory is not a repository, git looks further up. If a `.git` file names none, git refuses to work.
  const store = storeAt(named, isFile ? named : dotGit, files);
  if (store !== null || !isFile) return store;
  return hasLink(named, files) ? { leadsOut: dotGit, isThroughLink: true } : 'nothing';
}

function hasLink(path: Bytes, files: GitFiles): boolean {
  return files.isInside(path) && (files.entry(path)?.type === 'link' || hasLink(dirname(path) as Bytes, files));
}

/** Returns the git directory that a `.git` is, links to or names; null for any other `.git`. */
function namedBy({ type, target }: Metadata, workTree: Bytes, dotGit: Bytes, files: GitFiles): Bytes | null {
  if (type === 'dir') return dotGit;
  if (type === 'link') return pathFrom(workTree, target ?? '');
  const content = type === 'file' ? files.readQuietly(dotGit, LARGEST_POINTER) : null;
  const name = content?.startsWith(GITFILE) ? withoutLineEnds(content.slice(GITFILE.length)) : '';
  return name === '' ? null : pathFrom(workTree, name);
}

function leadsOut(from: Bytes, to: Bytes, files: GitFiles): boolean {
  return files.isInside(from) && !files.isInside(to);
}

/** Returns true if a git directory names the work tree as its own, as those of linked worktrees and submodules do. */
function namesInReturn(gitDirectory: Bytes, workTree: Bytes, files: GitFiles): boolean {
  const isNamed = (path: Bytes) => files.real(path) === workTree;
  const gitfile = files.readQuietly(pathFrom(gitDirectory, 'gitdir'), LARGEST_POINTER);
  if (gitfile !== null && isNamed(dirname(pathFrom(gitDirectory, withoutLineEnds(gitfile))) as Bytes)) return true;
  const settingsOf = (name: string) =>
    parseGitConfig(files.readQuietly(pathFrom(gitDirectory, name), LARGEST_SUBMODULE_CONFIG) ?? ('' as Bytes)) ?? [];
  const shared = settingsOf('config');
  // A sparse checkout moves the setting to the file of the worktree's own settings.
  const own = allowsWorktreeConfig(shared) ? settingsOf('config.worktree') : [];
  const named = [...shared, ...own].findLast(({ name }) => name === 'core.worktree');
  return typeof named?.value === 'string' && isNamed(pathFrom(gitDirectory, named.value));
}

/** Returns null if it is not a git directory, by the same criteria as git; or what in the workspace leads out of it. */
export function storeAt(named: Bytes, givenDirectory: Bytes, files: GitFiles): GitStore | LeadsOut | null {
  const gitDirectory = files.real(named);
  if (gitDirectory === null || !hasValidHead(gitDirectory, files)) return null;
  const commondir = pathFrom(gitDirectory, 'commondir');
  const common = files.readQuietly(commondir, LARGEST_POINTER);
  if (common === '') return null;
  const commonDirectory = common === null ? gitDirectory : pathFrom(gitDirectory, withoutLineEnds(common));
  if (leadsOut(commondir, commonDirectory, files)) return { leadsOut: commondir };
  for (const name of ['objects', 'refs']) {
    const path = pathFrom(commonDirectory, name);
    const type = files.entry(path)?.type;
    // `git-new-workdir` makes such links.
    if (type === 'link') return { leadsOut: path };
    if (type !== 'dir') return null;
  }
  return { gitDirectory, givenDirectory, commonDirectory };
}

function hasValidHead(gitDirectory: Bytes, files: GitFiles): boolean {
  const path = pathFrom(gitDirectory, 'HEAD');
  const content = files.readQuietly(path, LARGEST_POINTER);
  if (content !== null) return VALID_HEAD.test(content.slice(0, HEAD_LOOKED_AT));
  // In repositories from git's first year, HEAD is a link.
  return files.entry(path)?.target?.startsWith('refs/') ?? false;
}

function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
  return text.slice(0, end);
}

/** Returns the branch that is checked out (`main`), even if it has no commit yet; null if HEAD is detached. */
export function currentBranch(store: GitStore, files: GitFiles): Bytes | null {
  const { ref } = head(store, files);
  return ref?.startsWith(BRANCHES) ? (ref.slice(BRANCHES.length) as Bytes) : null;
}

/** Returns the commit that is checked out, in hexadecimal; null if there is none, or it cannot be found quickly. */
export function headCommit(store: GitStore, files: GitFiles): string | null {
  const { ref, content } = head(store, files);
  const id = content ?? (ref === null ? null : packedRef(ref, store, files));
  return /^(?:[0-9a-f]{64}|[0-9a-f]{40})(?![0-9a-f])/i.exec(id ?? '')?.[0].toLowerCase() ?? null;
}

/** Returns the content of HEAD, or, where it is a link, what it would contain as a file. */
export function headContent(gitDirectory: Bytes, files: GitFiles): Bytes | null {
  const path = pathFrom(gitDirectory, 'HEAD');
  const target = files.entry(path)?.target ?? null;
  return target === null ? files.readQuietly(path, LARGEST_POINTER) : (`ref: ${target}` as Bytes);
}

/** Resolves HEAD to its final ref, null if there is none, and to the content of the ref's file, null if it has none. */
function head({ gitDirectory, commonDirectory }: GitStore, files: GitFiles) {
  const first = headContent(gitDirectory, files);
  let ref = first === null ? null : symbolicRef(first);
  if (ref === null) return { ref, content: first };
  for (let left = LONGEST_CHAIN; ref !== null && isRef(ref) && left > 0; left--) {
    // A branch may be an alias of another, which is then the one that is checked out.
    const content = files.readQuietly(pathFrom(commonDirectory, ref), LARGEST_POINTER);
    const next = content === null ? null : symbolicRef(content);
    if (next === null) return { ref, content };
    ref = next;
  }
  return { ref: null, content: null };
}

function symbolicRef(content: Bytes): Bytes | null {
  return (SYMBOLIC_REF.exec(content)?.[1] ?? null) as Bytes | null;
}

function isRef(ref: Bytes): boolean {
  return ref.startsWith('refs/') && ref.split('/').every((name) => name !== '' && name !== '.' && name !== '..');
}

/** In bytes. A repository with a hundred thousand refs needs less. */
const LARGEST_PACKED_REFS = 8 * 1024 * 1024;

function packedRef(ref: Bytes, { commonDirectory }: GitStore, files: GitFiles): string | null {
  const content = files.readQuietly(pathFrom(commonDirectory, 'packed-refs'), LARGEST_PACKED_REFS) ?? '';
  const at = content.indexOf(` ${ref}\n`);
  return at < 0 ? null : content.slice(content.lastIndexOf('\n', at) + 1, at);
}

// Git refuses a repository that belongs to another user ("dubious ownership"), whose settings would otherwise take
// effect, unless the current user's own settings name it:
//
//     [safe]
//         directory = /srv/shared        this one; `/srv/*` those below it, `*` any

/** `parts` are the files and directories that the user has to own; a missing one counts as owned. */
function isTrusted(parts: readonly Bytes[], workTree: Bytes, files: GitFiles): boolean {
  const own = process.geteuid?.();
  // Not every system has ids, and the owners in a source that is not a disk are not users of this machine.
  if (!files.hasOutside || own === undefined) return true;
  // Under `sudo`, the original user counts as well.
  const { SUDO_UID = '' } = process.env;
  const owners = own === 0 && /^\d+$/.test(SUDO_UID) ? [own, Number(SUDO_UID)] : [own];
  const isOwn = (path: Bytes) => {
    const user = files.entry(path)?.user ?? null;
    return user === null || owners.includes(user);
  };
  return parts.every(isOwn) || isNamedSafe(workTree, files);
}

/** Reads only the user's and the system's settings: a repository cannot declare itself safe. */
function isNamedSafe(workTree: Bytes, files: GitFiles): boolean {
  const { home, configFiles, settings } = readEnvironment(process.env);
  const inFiles = configFiles
    .map((path) => pathFrom(workTree, path))
    .filter((path) => !files.isInside(files.real(path) ?? path))
    .flatMap((path) => parseGitConfig(files.readQuietly(path) ?? ('' as Bytes)) ?? []);
  let isSafe = false;
  for (const { name, value } of [...inFiles, ...settings]) {
    if (name !== 'safe.directory') continue;
    const directory = value === null ? '' : (withHome(value, home, files) ?? null);
    // An empty value resets all values before it.
    if (directory === '') isSafe = false;
    else if (directory?.endsWith('/*')) isSafe ||= workTree.startsWith(directory.slice(0, -1));
    else isSafe ||= directory === '*' || directory === workTree;
  }
  return isSafe;
}
