/** Git as the one who knows, with nothing of this machine's own settings. */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Repository, repositoryAt } from '../../src/rules/git-repository.ts';
import { type GitSettings, gitSettings } from '../../src/rules/git-settings.ts';
import { type Bytes, bytesOf } from '../../src/workspace/bytes.ts';

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

export function makeRepository(path: string): void {
  git('/', 'init', '--quiet', '--template=', '--initial-branch=main', path);
}

type RepositoryPaths = Omit<Repository, 'held'>;

/** The repository whose root `directory` is, links resolved, as git has it. */
export function gitsRepository(directory: string): RepositoryPaths | null {
  const places = ['--show-toplevel', '--git-dir', '--git-common-dir'];
  const output = askGit(directory, ['rev-parse', '--path-format=absolute', ...places]);
  const [workTree, gitDirectory, commonDirectory] = (output ?? '').split('\n') as Bytes[];
  if (workTree !== directory || gitDirectory === undefined || commonDirectory === undefined) return null;
  return withoutLinks({ workTree, gitDirectory, commonDirectory });
}

export function withoutLinks({ workTree, gitDirectory, commonDirectory }: RepositoryPaths): RepositoryPaths {
  const real = (path: string) => bytesOf(realpathSync(path));
  return { workTree, gitDirectory: real(gitDirectory), commonDirectory: real(commonDirectory) };
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

export function ourSettings(workTree: string, environment: Environment): Effect {
  const { ignoreCase, excludesFile } = fullSettings(workTree, environment);
  const isThere = excludesFile !== null && existsSync(excludesFile.path);
  return { ignoreCase, excludesFile: isThere ? resolve(excludesFile.path) : null };
}

export function fullSettings(workTree: string, environment: Environment): GitSettings {
  const repository = repositoryAt(bytesOf(workTree));
  if (repository === null) throw new Error(`${workTree} is no repository`);
  return gitSettings(repository, environment);
}
