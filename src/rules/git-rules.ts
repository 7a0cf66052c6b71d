/** Git's ignore rules in one directory: of each `.gitignore` above it, of the repository, and of the user. */
import { relative } from 'node:path';
import { GITIGNORE, type GitFiles, pathFrom } from '../git/files.ts';
import type { Repository } from '../git/repository.ts';
import type { RepositoryRules } from '../git/surroundings.ts';
import { trackedFiles } from '../git/tracked.ts';
import { type Bytes, bytesOf, lowerCaseAscii, textOf } from '../names/bytes.ts';
import { inAbsolute, withSlashes } from '../names/paths.ts';
import { shown } from '../names/quote.ts';
import type { Budget } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { readRuleFile, type SkippedFile } from '../workspace/source.ts';
import { IgnoreChain } from './gitignore.ts';
import type { IgnoreFile } from './gitignore-file.ts';
import { compiledIgnoreFile } from './ignore-file-store.ts';
import { afterwards, type Filters, type Verdict } from './rule.ts';

/** The limit, in bytes, for the ignore files in force in one directory. Compiled, they take about ten times as much. */
const MAX_IN_FORCE = 2 * 1024 * 1024;

/** Reads the directory's own `.gitignore`; null if it has none. Called only if the content is needed. */
export type ReadGitignore = () => FoundFile | Promise<FoundFile>;

type FoundFile = Bytes | SkippedFile | null;

interface Setting {
  readonly ignoreCase: boolean;
  readonly composes: boolean;
  readonly nameOf: (path: Bytes) => Bytes;
  readonly budget: Budget;
  /** Where git keeps what all worktrees share; null if nothing is checked out here. */
  readonly sharedDirectory: Bytes | null;
  /** Null if the patterns alone decide. */
  readonly tracked: Pick<ReturnType<typeof trackedFiles>, 'has'> | null;
}

/** A revision has nothing but what git tracks. */
const EVERYTHING = { has: () => true };

export class GitRules {
  readonly #chain: IgnoreChain;
  readonly #setting: Setting;
  /** Relative to the repository's root, with a slash at the end; '' for the root. */
  readonly #path: string;
  /** The total size of all ignore files in force here. */
  readonly #bytes: number;
  /** Identifies everything that the decisions depend on. */
  readonly key: string;

  private constructor(chain: IgnoreChain, setting: Setting, path: string, key: string, bytes: number) {
    this.#chain = chain;
    this.#setting = setting;
    this.#path = path;
    this.#bytes = bytes;
    this.key = key;
  }

  /** The rules at the repository's root. Git's index is read through `lasting`; null if the patterns alone decide. */
  static async at(
    rules: RepositoryRules,
    rootRealPath: Bytes,
    readGitignore: ReadGitignore,
    budget: Budget,
    lasting: GitFiles | null,
  ): Promise<GitRules> {
    const { repository, ignoreCase, composes, index } = rules;
    const fromIndex = index && lasting && trackedFiles(index, ignoreCase, lasting, budget);
    const sharedDirectory = fromIndex && (repository.store?.commonDirectory ?? null);
    const tracked = lasting === null || repository.revision === undefined ? fromIndex : EVERYTHING;
    const nameOf = nameFrom(rootRealPath, repository);
    const setting = { ignoreCase, composes, nameOf, budget, tracked, sharedDirectory };
    const files: IgnoreFile[] = [];
    let key = `${repository.workTree} ${ignoreCase} ${composes} ${tracked && (index?.key ?? 'all')}`;
    let bytes = 0;
    const add = async (path: Bytes, content: Bytes): Promise<void> => {
      const file = await compiledIgnoreFile(content, setting.nameOf(path), setting, budget);
      files.push(file);
      key += ` ${file.serial}`;
      bytes += content.length;
    };
    for (const { path, content } of rules.files) await add(path, content);
    const path = pathFrom(repository.workTree, GITIGNORE);
    const content = readRuleFile(await readGitignore(), () => shown(setting.nameOf(path)), budget);
    if (content !== null) await add(path, content);
    return new GitRules(IgnoreChain.root(files), setting, '', key, bytes);
  }

  /** Returns the rules in the subdirectory `name`, whose absolute path is `directory`. */
  enter(name: Bytes, directory: Bytes, readGitignore: ReadGitignore, isNotIgnored = false) {
    let key = `${this.key}/${name}`;
    let bytes = this.#bytes;
    const { budget } = this.#setting;
    const compiled = (found: FoundFile) => {
      if (found === null) return null;
      const source = this.#setting.nameOf(inAbsolute(directory, GITIGNORE));
      const content = readRuleFile(found, () => shown(source), budget);
      if (content === null) return null;
      if (this.#bytes + content.length > MAX_IN_FORCE) {
        budget.note(`'${shown(source)}' is not used: there are too many rules above it`);
        return null;
      }
      return afterwards(compiledIgnoreFile(content, source, this.#setting, budget), (file) => {
        key += ` ${file.serial}`;
        bytes += content.length;
        return file;
      });
    };
    return afterwards(
      this.#chain.enter(this.#asRead(name), () => afterwards(readGitignore(), compiled), budget, isNotIgnored),
      (chain) => new GitRules(chain, this.#setting, `${this.#path}${this.#asRead(name)}/`, key, bytes),
    );
  }

  decide(name: Bytes, isDirectory: boolean): Verdict | null {
    return this.#chain.decide(this.#asRead(name), isDirectory, this.#setting.budget);
  }

  decideAt(entries: EntryBuffer, at: number): Verdict | null {
    if (this.#setting.composes) return this.decide(entries.nameAt(at), entries.isDirectory(at));
    return this.#chain.decideAt(entries, at, this.#setting.budget);
  }

  /** Returns true if git tracks an entry of this directory, or something below it. */
  isTracked(entries: EntryBuffer, at: number): boolean {
    return this.#setting.tracked?.has(this.#path + this.#asRead(entries.nameAt(at)), entries.isDirectory(at)) ?? false;
  }

  get filters(): Filters | null {
    return this.#setting.composes ? null : this.#chain.filters;
  }

  /** Returns a name as git reads it. Like Apple's disks, it leaves some symbols and ideographs as they are. */
  #asRead(name: Bytes): Bytes {
    const text = this.#setting.composes ? textOf(name) : null;
    const composable = /[^\u2000-\u2fff\uf900-\ufaff\u{2f800}-\u{2faff}]+/gu;
    return text === null ? name : bytesOf(text.replace(composable, (part) => part.normalize('NFC')));
  }

  isSharedWith({ store }: Repository): boolean {
    const { sharedDirectory } = this.#setting;
    return sharedDirectory !== null && sharedDirectory === store?.commonDirectory;
  }

  isDotGit(name: Bytes): boolean {
    return (this.#setting.ignoreCase ? lowerCaseAscii(name) : name) === '.git';
  }
}

/** Names a file by its path from the workspace's root if it is in the work tree, otherwise by its absolute path. */
function nameFrom(rootRealPath: Bytes, { workTree, revision }: Repository): (path: Bytes) => Bytes {
  // Git's own notation: `HEAD~3:src/.gitignore`.
  if (revision !== undefined) return (path) => `${revision}:${withSlashes(relative(workTree, path) as Bytes)}` as Bytes;
  const [inTree, inRoot] = [inAbsolute(workTree, '' as Bytes), inAbsolute(rootRealPath, '' as Bytes)];
  return (path) => {
    if (!path.startsWith(inTree)) return path;
    // Perf: nearly all files are below the root.
    const inner = path.startsWith(inRoot) ? path.slice(inRoot.length) : relative(rootRealPath, path);
    return withSlashes(inner as Bytes);
  };
}
