/**
 * Git's ignore rules in one directory of a repository: its own `.gitignore`, those above it up to the repository's
 * root, `.git/info/exclude`, and the user's own ignore file.
 */
import { relative } from 'node:path';
import type { Bytes } from '../workspace/bytes.ts';
import { readPlainFile } from '../workspace/plain-file.ts';
import { type Repository, reached, repositoryAt } from './git-repository.ts';
import { gitSettings } from './git-settings.ts';
import { IgnoreChain } from './gitignore.ts';
import type { Decision, IgnoreFile } from './gitignore-file.ts';
import { folded } from './gitignore-pattern.ts';
import { readIgnoreFile } from './ignore-file-store.ts';
import type { Effort } from './rule.ts';

export const GITIGNORE = '.gitignore' as Bytes;

/** The content of the directory's own `.gitignore`; null when it has none. It is asked only where it counts. */
export type ReadGitignore = () => Bytes | null;

/** What holds in all of a repository. It is read at once, as long as the way to it is certain. */
export interface RepositoryRules {
  readonly repository: Repository;
  readonly ignoreCase: boolean;
  readonly files: readonly { readonly path: Bytes; readonly content: Bytes | null }[];
}

/** Of the repository whose root `directory` is; null when it is none. `held` leads to the directory for certain. */
export function repositoryRulesAt(directory: Bytes, held: Bytes): RepositoryRules | null {
  const repository = repositoryAt(directory, held);
  if (repository === null) return null;
  const { ignoreCase, excludesFile } = gitSettings(repository);
  const exclude = `${repository.commonDirectory}/info/exclude` as Bytes;
  const named = [...(excludesFile === null ? [] : [excludesFile]), { path: exclude, links: 'refuse' as const }];
  const files = named.map(({ path, links }) => ({ path, content: readPlainFile(reached(path, repository), links) }));
  return { repository, ignoreCase, files };
}

interface Setting {
  readonly ignoreCase: boolean;
  readonly nameOf: (path: Bytes) => Bytes;
  readonly effort: Effort;
}

export class GitRules {
  readonly #chain: IgnoreChain;
  readonly #setting: Setting;
  /** All that the decisions depend on. */
  readonly key: string;

  private constructor(chain: IgnoreChain, setting: Setting, key: string) {
    this.#chain = chain;
    this.#setting = setting;
    this.key = key;
  }

  /** At the repository's root. Decisions call a file by its path from `rootPath`. */
  static at(rules: RepositoryRules, rootPath: Bytes, readGitignore: ReadGitignore, effort: Effort): GitRules {
    const { repository, ignoreCase } = rules;
    const setting = { ignoreCase, nameOf: nameFrom(rootPath, repository), effort };
    const files: IgnoreFile[] = [];
    let key = `${repository.workTree}\0${ignoreCase}`;
    const add = (path: Bytes, content: Bytes | null): void => {
      key += keyOf(path, content);
      if (content !== null) files.push(readIgnoreFile(content, setting.nameOf(path), setting));
    };
    for (const { path, content } of rules.files) add(path, content);
    add(gitignoreIn(repository.workTree), readGitignore());
    return new GitRules(IgnoreChain.root(files), setting, key);
  }

  /** In the directory `name` of this one, whose absolute path is `directory`. */
  enter(name: Bytes, directory: Bytes, readGitignore: ReadGitignore): GitRules {
    const { effort, nameOf } = this.#setting;
    let content: Bytes | null = null;
    const readFile = () => {
      content = readGitignore();
      return content === null ? null : readIgnoreFile(content, nameOf(gitignoreIn(directory)), this.#setting);
    };
    const chain = this.#chain.enter(name, readFile, effort);
    return new GitRules(chain, this.#setting, this.key + keyOf(name, content));
  }

  decide(name: Bytes, isDirectory: boolean): Decision | null {
    return this.#chain.decide(name, isDirectory, this.#setting.effort);
  }

  isDotGit(name: Bytes): boolean {
    return isDotGit(this.#setting.ignoreCase ? (folded(name) as Bytes) : name);
  }
}

export function isDotGit(name: Bytes): boolean {
  return name === '.git';
}

export function gitignoreIn(directory: Bytes): Bytes {
  return `${directory}/${GITIGNORE}` as Bytes;
}

/** What a file is called: by its path from the workspace's root, if it belongs to the work tree, else by its own. */
function nameFrom(rootPath: Bytes, { workTree }: Repository): (path: Bytes) => Bytes {
  return (path) => (path.startsWith(`${workTree}/`) ? (relative(rootPath, path) as Bytes) : path);
}

/** Lengths keep one content from posing as two. */
function keyOf(path: Bytes, content: Bytes | null): string {
  return `\0${path}\0${content === null ? '-' : `${content.length}:${content}`}`;
}
