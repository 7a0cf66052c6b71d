// Collects git's settings, as far as ignore rules need them, from everywhere that git reads them. The last one wins:
//
//     the system's file, the user's files, the repository's, the worktree's, the environment;
//     the files that a file includes count at the position of the include.
//
// A file in the workspace may name nothing outside it; whatever it names there is skipped. Where git would refuse to
// work at all (a malformed file, endless includes), only the offending part is skipped.

import { dirname, isAbsolute } from 'node:path';
import type { Bytes } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { retrying } from '../workspace/retrying.ts';
import { LARGEST_RULE_FILE, readRuleFile } from '../workspace/source.ts';
import { Conditions } from './condition.ts';
import { allowsWorktreeConfig, asBoolean, type Setting, settingsIn } from './config.ts';
import { type Environment, NO_ENVIRONMENT, namesUser, readEnvironment, withHome } from './environment.ts';
import { type GitFiles, pathFrom } from './files.ts';
import { type GitStore, nameOf, type Repository } from './repository.ts';

interface GitSettings {
  /** `core.ignorecase`: matching ignores the case of ASCII letters. */
  readonly ignoreCase: boolean;
  /** The user's own ignore file: `core.excludesFile`, or its default path; null if there is none to look for. */
  readonly excludesFile: Bytes | null;
  /** True if objects of its history may be missing, so that git would fetch them from elsewhere. */
  readonly isPartial: boolean;
  /** The length of an object's id in bytes: 20, or 32 with SHA-256. */
  readonly idLength: number;
  /** The settings by which git compares files with objects (`core.autocrlf`). No value refers to anything else. */
  readonly checkout: ReadonlyMap<string, string>;
}

/** The settings that affect how git compares files. None of them is a path, a command or a name. */
const CHECKOUT = /^core\.(autocrlf|checkstat|eol|filemode|ignorecase|precomposeunicode|symlinks|trustctime)$/;
const HARMLESS = /^[a-z\d]{1,10}$/i;

/** The depth to which git follows nested includes. */
const DEEPEST_INCLUDE = 10;
/** The limit, in bytes, for all included files. Beyond it no more are read, so that a hostile file is read quickly. */
const MAX_INCLUDED = LARGEST_RULE_FILE;
/** The cost of each include in addition to its bytes, because the disk is read. */
const MIN_INCLUDED = 16 * 1024;

/** Settings that are processed between two checks of the clock. */
const AT_A_TIME = 1000;

const CONDITIONAL_INCLUDE = /^includeif\.(.*)\.path$/s;
const REMOTE_URL = /^remote\..*\.url$/s;
const PARTIAL = /^(?:extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter))$/s;

interface RemoteUrl {
  readonly url: Bytes;
  /** True if the file that contains it is in the workspace. */
  readonly isInside: boolean;
}

/** Nothing is cached between calls: the files are few and small, and a change to them takes effect at once. */
export async function gitSettings(
  { workTree, store }: Repository,
  files: GitFiles,
  budget: Budget,
  environment: Environment = process.env,
): Promise<GitSettings> {
  const surroundings = files.hasOutside ? readEnvironment(environment) : NO_ENVIRONMENT;
  const { home, workingDirectory, configFiles, ignoreFile, settings } = surroundings;
  const reached = store === null ? null : asReached(store, workTree, workingDirectory, files);
  const conditions = new Conditions(reached, files, home);
  const collect = async (remoteUrls: (() => Promise<readonly RemoteUrl[]>) | null) => {
    const collected = new Collector(workTree, files, conditions, home, budget, remoteUrls);
    for (const path of configFiles) await collected.addFile(pathFrom(workTree, path));
    if (store !== null) {
      const local = await collected.addFile(pathFrom(store.commonDirectory, 'config'));
      const format = local.findLast(({ name }) => name === 'extensions.objectformat');
      if (format?.value === 'sha256') collected.idLength = 32;
      if (allowsWorktreeConfig(local)) await collected.addFile(pathFrom(store.gitDirectory, 'config.worktree'));
    }
    for (const setting of settings) await collected.add(setting, null);
    return collected;
  };
  // As in git, a condition about remotes first reads all files, except those that such conditions include.
  let urls: Promise<readonly RemoteUrl[]> | null = null;
  const remoteUrls = () => (urls ??= collect(null).then((first) => first.remoteUrls));
  const collected = await collect(remoteUrls);
  const { ignoreCase, isPartial, idLength, checkout } = collected;
  const byDefault = ignoreFile === null ? null : pathFrom(workTree, ignoreFile);
  const excludesFile = collected.excludesFile === undefined ? byDefault : collected.excludesFile;
  return { ignoreCase, isPartial, excludesFile, idLength, checkout };
}

/** As in git, a work tree that is the current directory is named as the shell names it, perhaps through links. */
function asReached(store: GitStore, workTree: Bytes, workingDirectory: Bytes | null, files: GitFiles): GitStore {
  // A `.git` file says itself where the git directory is.
  if (workingDirectory === null || store.givenDirectory !== pathFrom(workTree, '.git')) return store;
  const isWorkTree = isAbsolute(workingDirectory) && files.real(workingDirectory) === workTree;
  return isWorkTree ? { ...store, givenDirectory: pathFrom(workingDirectory, '.git') } : store;
}

/** Receives settings in git's order, and keeps those that are in effect. */
class Collector {
  ignoreCase = false;
  isPartial = false;
  idLength = 20;
  readonly checkout = new Map<string, string>();
  /** Absolute; null for none, undefined if it is not set. */
  excludesFile: Bytes | null | undefined;
  readonly remoteUrls: RemoteUrl[] = [];
  readonly #workTree: Bytes;
  readonly #files: GitFiles;
  readonly #conditions: Conditions;
  readonly #home: Bytes | null;
  readonly #budget: Budget;
  /** Called for a condition about remotes; null if such conditions never hold. */
  readonly #allRemoteUrls: (() => Promise<readonly RemoteUrl[]>) | null;
  #mayInclude = MAX_INCLUDED;

  constructor(
    workTree: Bytes,
    files: GitFiles,
    conditions: Conditions,
    home: Bytes | null,
    budget: Budget,
    allRemoteUrls: (() => Promise<readonly RemoteUrl[]>) | null,
  ) {
    this.#workTree = workTree;
    this.#files = files;
    this.#conditions = conditions;
    this.#home = home;
    this.#budget = budget;
    this.#allRemoteUrls = allRemoteUrls;
  }

  /** Returns the settings in the file itself, without those that it includes. */
  async addFile(path: Bytes, depth = 0): Promise<readonly Setting[]> {
    const found = await retrying(() => this.#files.read(path), this.#budget);
    const content = readRuleFile(found, () => nameOf(path, this.#files), this.#budget);
    if (content === null) return [];
    if (depth > 0) this.#mayInclude -= content.length;
    const settings = await this.#budget.run(settingsIn(content));
    if (settings === null) this.#budget.note(`'${nameOf(path, this.#files)}' is malformed, and is not used`);
    for (const [i, setting] of (settings ?? []).entries()) {
      const included = this.add(setting, path, depth);
      if (included !== undefined) await included;
      if (i % AT_A_TIME === 0) await this.#budget.checkpoint();
    }
    return settings ?? [];
  }

  /** `from` is the file that contains the setting; null if it comes from the environment. */
  add({ name, value }: Setting, from: Bytes | null, depth = 0): Promise<void> | undefined {
    if (name === 'core.ignorecase') this.ignoreCase = asBoolean(value) ?? this.ignoreCase;
    if (PARTIAL.test(name)) this.isPartial = true;
    const key = CHECKOUT.exec(name)?.[1];
    if (key !== undefined && HARMLESS.test(value ?? 'true')) this.checkout.set(key, value ?? 'true');
    // The remaining settings are paths and URLs, which need a value.
    if (value === null) return undefined;
    if (REMOTE_URL.test(name)) this.remoteUrls.push({ url: value, isInside: this.#isInside(from) });
    if (name === 'core.excludesfile') this.#exclude(value, from);
    if (name === 'include.path') return this.#include(value, from, depth);
    const condition = CONDITIONAL_INCLUDE.exec(name)?.[1];
    return condition === undefined ? undefined : this.#includeIf(condition, value, from, depth);
  }

  /** A relative path is relative to the work tree, whichever file contains it. An empty path means none. */
  #exclude(value: Bytes, from: Bytes | null): void {
    if (this.#namesUser(from, value, 'core.excludesFile')) return;
    const named = withHome(value, this.#home, this.#files);
    const path = named === null || named === '' ? null : pathFrom(this.#workTree, named);
    if (path === null || !this.#leadsOut(from, path, 'core.excludesFile')) this.excludesFile = path;
  }

  async #includeIf(condition: string, value: Bytes, from: Bytes | null, depth: number): Promise<void> {
    const pattern = Conditions.remotePattern(condition);
    const holds =
      pattern === null
        ? await retrying(() => this.#conditions.hold(condition, from), this.#budget)
        : this.#conditions.haveRemote(pattern, await this.#remoteUrlsFor(from));
    if (holds) await this.#include(value, from, depth);
  }

  /** A condition in the workspace could otherwise be used to guess the URLs in the user's own files. */
  async #remoteUrlsFor(from: Bytes | null): Promise<Bytes[]> {
    const all = (await this.#allRemoteUrls?.()) ?? [];
    return (this.#isInside(from) ? all.filter(({ isInside }) => isInside) : all).map(({ url }) => url);
  }

  async #include(value: Bytes, from: Bytes | null, depth: number): Promise<void> {
    this.#mayInclude -= MIN_INCLUDED;
    if (depth === DEEPEST_INCLUDE || this.#mayInclude < 0) return;
    if (this.#namesUser(from, value, 'include.path')) return;
    const named = withHome(value, this.#home, this.#files);
    // A setting from the environment has no file, so a relative path in it has no base.
    if (named === null || (from === null && !isAbsolute(named))) return;
    const path = from === null ? (named as Bytes) : pathFrom(dirname(from) as Bytes, named);
    if (!this.#leadsOut(from, path, 'include.path')) await this.addFile(path, depth + 1);
  }

  #leadsOut(from: Bytes | null, to: Bytes, setting: string): boolean {
    return from !== null && this.#isInside(from) && !this.#files.isInside(to) && this.#refuse(from, setting);
  }

  /** The homes of other users are outside the workspace, whether or not those users exist. */
  #namesUser(from: Bytes | null, value: Bytes, setting: string): boolean {
    return from !== null && namesUser(value) && this.#isInside(from) && this.#refuse(from, setting);
  }

  /** Null stands for the environment. */
  #isInside(file: Bytes | null): boolean {
    return file !== null && this.#files.isInside(this.#files.real(file) ?? file);
  }

  #refuse(from: Bytes, setting: string): true {
    const name = nameOf(from, this.#files);
    this.#budget.note(`'${name}' names a file outside the workspace (${setting}), which is not read`);
    return true;
  }
}
