// Git's settings, as far as ignore rules need them, from wherever git takes them. What is said last counts:
//
//     the system's file, the user's files, the repository's, the worktree's, the environment;
//     and in a file, what it includes, at the place where it does.
//
// Where git would refuse to work at all (a malformed file, includes without an end), only what is to blame is left out.

import { dirname, isAbsolute } from 'node:path';
import type { Bytes } from '../workspace/bytes.ts';
import { LARGEST_PLAIN_FILE, type Links, readPlainFile } from '../workspace/plain-file.ts';
import { Conditions } from './git-condition.ts';
import { asBoolean, parseGitConfig, type Setting } from './git-config.ts';
import { type Environment, readEnvironment } from './git-environment.ts';
import { withHome } from './git-home.ts';
import { pathFrom, type Repository, reached } from './git-repository.ts';

export interface GitSettings {
  /** Match whatever the case of ASCII letters: `core.ignorecase`. */
  readonly ignoreCase: boolean;
  /** The user's own ignore file: `core.excludesFile`, or its default place; null when there is none to look for. */
  readonly excludesFile: NamedFile | null;
}

export interface NamedFile {
  /** Absolute. */
  readonly path: Bytes;
  /** The user's own files may be links; what a repository names may not, as what is in it may not. */
  readonly links: Links;
}

/** How deep git follows one include after another. */
const DEEPEST_INCLUDE = 10;
/** Bytes of included files, all together; beyond them nothing is included, so that a hostile file is soon read. */
const MOST_INCLUDED = LARGEST_PLAIN_FILE;
/** What each include counts for, beside its bytes: the disk is asked. */
const LEAST_INCLUDED = 16 * 1024;

const CONDITIONAL_INCLUDE = /^includeif\.(.*)\.path$/s;

/** Nothing is remembered from call to call: the files are few and small, and a change to them counts at once. */
export function gitSettings(repository: Repository, environment: Environment = process.env): GitSettings {
  const { workTree, gitDirectory, commonDirectory } = repository;
  const { home, configFiles, ignoreFile, settings } = readEnvironment(environment);
  const collected = new Collector(repository, home);
  for (const path of configFiles) collected.addFile({ path: pathFrom(workTree, path), links: 'follow' });
  const local = collected.addFile({ path: `${commonDirectory}/config` as Bytes, links: 'refuse' });
  if (allowsWorktreeConfig(local)) {
    collected.addFile({ path: `${gitDirectory}/config.worktree` as Bytes, links: 'refuse' });
  }
  for (const setting of settings) collected.add(setting, null);
  const { ignoreCase, excludesFile } = collected;
  if (excludesFile !== null) return { ignoreCase, excludesFile: found(excludesFile, workTree, home) };
  if (ignoreFile === null) return { ignoreCase, excludesFile: null };
  return { ignoreCase, excludesFile: { path: pathFrom(workTree, ignoreFile), links: 'follow' } };
}

/** The file that is meant by a path as it is written; null for an empty one, which means none. */
function found(written: NamedFile, workTree: Bytes, home: Bytes | null): NamedFile | null {
  const path = withHome(written.path, home);
  if (path === null || path === '') return null;
  // A relative path leads into the work tree, whoever wrote it: what is there is the repository's.
  const links = isAbsolute(path) ? written.links : 'refuse';
  return { path: pathFrom(workTree, path), links };
}

/** Git asks for extensions only in a file that says which version of the format it has, and in none that it includes. */
function allowsWorktreeConfig(local: readonly Setting[]): boolean {
  if (!local.some(({ name }) => name === 'core.repositoryformatversion')) return false;
  const extension = local.findLast(({ name }) => name === 'extensions.worktreeconfig');
  return extension !== undefined && asBoolean(extension.value) === true;
}

/** Takes settings in git's order, and keeps what counts. */
class Collector {
  ignoreCase = false;
  /** Its path as it is written. */
  excludesFile: NamedFile | null = null;
  readonly #repository: Repository;
  readonly #conditions: Conditions;
  readonly #home: Bytes | null;
  #mayInclude = MOST_INCLUDED;

  constructor(repository: Repository, home: Bytes | null) {
    this.#repository = repository;
    this.#conditions = new Conditions(repository, home);
    this.#home = home;
  }

  /** Returns what the file itself says. */
  addFile(file: NamedFile, depth = 0): readonly Setting[] {
    const content = readPlainFile(reached(file.path, this.#repository), file.links);
    if (content === null) return [];
    if (depth > 0) this.#mayInclude -= content.length;
    const settings = parseGitConfig(content) ?? [];
    for (const setting of settings) this.add(setting, file, depth);
    return settings;
  }

  /** `from` is the file that the setting stands in; null when it comes from the environment. */
  add({ name, value }: Setting, from: NamedFile | null, depth = 0): void {
    if (name === 'core.ignorecase') this.ignoreCase = asBoolean(value) ?? this.ignoreCase;
    // The others are paths, which need a value.
    if (value === null) return;
    if (name === 'core.excludesfile') this.excludesFile = { path: value, links: from?.links ?? 'follow' };
    if (name === 'include.path' || this.#isIncludedIf(name, from)) this.#include(value, from, depth);
  }

  #isIncludedIf(name: string, from: NamedFile | null): boolean {
    const condition = CONDITIONAL_INCLUDE.exec(name)?.[1];
    return condition !== undefined && this.#conditions.hold(condition, from?.path ?? null);
  }

  #include(value: Bytes, from: NamedFile | null, depth: number): void {
    this.#mayInclude -= LEAST_INCLUDED;
    if (depth === DEEPEST_INCLUDE || this.#mayInclude < 0) return;
    const path = withHome(value, this.#home);
    // The environment has no directory that a path could be relative to.
    if (path === null || (from === null && !isAbsolute(path))) return;
    if (from === null) this.addFile({ path, links: 'follow' }, depth + 1);
    else this.addFile({ path: pathFrom(dirname(from.path), path), links: from.links }, depth + 1);
  }
}
