/** Git as the one who knows, with nothing of this machine's own settings. */
import { spawnSync } from 'node:child_process';

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openWorkspace } from '../../src/disk/disk-source.ts';

import { GitFiles } from '../../src/git/files.ts';
import { type Repository, repositoryAt } from '../../src/git/repository.ts';
import { gitSettings } from '../../src/git/settings.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { enterRoot } from './paths.ts';
import { addTree, type TreeLiteral } from './tree.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const NOBODYS = { GIT_CONFIG_SYSTEM: '/dev/null', GIT_CONFIG_GLOBAL: '/dev/null' };
const AUTHOR = ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'protocol.file.allow=always'];

/** What git prints; null when it fails. */
export function askGit(cwd: string, args: string[], environment: Environment = NOBODYS, input = ''): string | null {
  const env = { PATH: process.env.PATH, ...environment };
  const { status, stdout } = spawnSync('git', args, { cwd, env, input, encoding: 'latin1' });
  // For `check-ignore` 1 is an answer: that nothing is ignored.
  return status === 0 || (status === 1 && args[0] === 'check-ignore') ? stdout : null;
}

/** For what has to succeed. */
export function git(cwd: string, ...args: string[]): void {
  if (askGit(cwd, [...AUTHOR, ...args]) === null) throw new Error(`git ${args.join(' ')} failed in ${cwd}`);
}

/** The least that git takes for a repository. */
export const REPOSITORY: TreeLiteral = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects': null,
  '.git/refs': null,
};

const CONFIG = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n';

/** As `git init` makes one, also where there is no git. */
export function makeRepository(path: string): void {
  const config = join(path, '.git/config');
  const more = existsSync(config) ? readFileSync(config, 'latin1') : '';
  addTree(path, { ...REPOSITORY, '.git/refs/heads': null, '.git/config': CONFIG + more });
}

/** The files of a work tree that git does not ignore, in the order of their bytes. Nothing of it may be committed. */
export function gitsFiles(workTree: string, environment?: Environment): string[] {
  const output = askGit(workTree, ['ls-files', '-o', '--exclude-standard', '-z'], environment);
  if (output === null) throw new Error(`git ls-files failed in ${workTree}`);
  return output.split('\0').slice(0, -1).sort();
}

export interface RepositoryPaths {
  readonly workTree: string;
  readonly gitDirectory: string;
  readonly commonDirectory: string;
}

/** The repository whose root `directory` is, links resolved, as git has it. */
export function gitsRepository(directory: string, environment?: Environment): RepositoryPaths | null {
  const places = ['--show-toplevel', '--git-dir', '--git-common-dir'];
  const output = askGit(directory, ['rev-parse', '--path-format=absolute', ...places], environment);
  const [workTree, gitDirectory, commonDirectory] = (output ?? '').split('\n');
  if (workTree !== directory || gitDirectory === undefined || commonDirectory === undefined) return null;
  return { workTree, gitDirectory: realpathSync(gitDirectory), commonDirectory: realpathSync(commonDirectory) };
}

/** The same as we have it, where its files are known and used. */
export function pathsOf({ workTree, store }: Repository): RepositoryPaths | null {
  return store && { workTree, gitDirectory: store.gitDirectory, commonDirectory: store.commonDirectory };
}

/** Asks about git's files as a workspace with that root sees them. */
export async function withFiles<T>(root: string, ask: (files: GitFiles) => T | Promise<T>): Promise<T> {
  const workspace = await openWorkspace(root);
  const visit = enterRoot(workspace);
  try {
    return await ask(new GitFiles(visit));
  } finally {
    visit.leave();
    workspace.close();
  }
}

/** What a user's ignore file and `info/exclude` have to hold for the two questions below. */
export const ASKED_OF_USERS_FILE = 'users\n';
export const ASKED_OF_REPOSITORY = 'repositorys\n';

export interface Effect {
  readonly ignoreCase: boolean;
  /** The user's ignore file; null when there is none. */
  readonly excludesFile: string | null;
}

/** Which settings git has, told by what it ignores; null when it refuses to work. */
export function gitsSettings(workTree: string, environment: Environment): Effect | null {
  const args = ['check-ignore', '-v', '-n', '-z', '--no-index', '--stdin'];
  const output = askGit(workTree, args, environment, 'users\0REPOSITORYS\0');
  if (output === null) return null;
  const [source = '', , , , other = ''] = output.split('\0');
  return { ignoreCase: other !== '', excludesFile: source === '' ? null : resolve(workTree, source) };
}

/** Ours, in a workspace on the work tree, or on `root`. */
export async function ourSettings(workTree: string, environment: Environment, root = workTree): Promise<Effect> {
  const { ignoreCase, excludesFile, isRead } = await fullSettings(workTree, environment, root);
  return { ignoreCase, excludesFile: isRead ? excludesFile : null };
}

type GitSettings = Awaited<ReturnType<typeof gitSettings>>;

export interface FullSettings extends GitSettings {
  /** Whether the user's ignore file is there, and may be read. */
  readonly isRead: boolean;
  readonly notes: readonly string[];
}

export function fullSettings(workTree: string, environment: Environment, root = workTree): Promise<FullSettings> {
  return withFiles(root, async (files) => {
    const call = Budget.unlimited();
    const repository = repositoryAt(bytesOf(workTree), files, call);
    if (repository === null) throw new Error(`${workTree} is not a repository`);
    const settings = await gitSettings(repository, files, call, environment);
    const isRead = settings.excludesFile !== null && files.readQuietly(settings.excludesFile) !== null;
    return { ...settings, isRead, notes: call.notes };
  });
}
