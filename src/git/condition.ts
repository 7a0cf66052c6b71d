// Decides whether a conditional include of git's configuration applies:
//
//     [includeIf "gitdir:~/code/"]       the repository's git directory is below ~/code
//     [includeIf "gitdir/i:C:/Code/"]    the same, ignoring the case of ASCII letters
//     [includeIf "onbranch:feature/"]    a branch below feature/ is checked out
//
//     [includeIf "hasconfig:remote.*.url:https://example.com/**"]   some remote has a matching URL
//
// Other conditions never hold.

import { isAbsolute, sep } from 'node:path';
import { type Bytes, lowerCaseAscii } from '../names/bytes.ts';
import type { Effort } from '../workspace/budget.ts';
import { namesUser, withHome } from './environment.ts';
import type { GitFiles } from './files.ts';
import { currentBranch, type GitStore } from './repository.ts';
import { compileGlob, isLiteral, matchesGlob } from './wildmatch.ts';

const REMOTES = 'hasconfig:remote.*.url:';
const CONDITION = /^(gitdir|gitdir\/i|onbranch):(.*)$/s;

/** The limit, in steps, for matching all conditions; beyond it none holds, so that a hostile file is read quickly. */
const MAX_MATCHING_STEPS = 1_000_000;
/** The cost of each condition in addition to its pattern, because it may read the disk. */
const MIN_STEPS = 1000;
/** In bytes. No path or branch name is longer. */
const LONGEST_CONDITION = 8 * 1024;

export class Conditions {
  readonly #store: GitStore | null;
  readonly #files: GitFiles;
  readonly #home: Bytes | null;
  readonly #effort: Effort = { steps: 0 };
  /** Looked up once; undefined until then, and null if there is none. */
  #branch: Bytes | null | undefined;

  /** Without a store no condition holds. */
  constructor(store: GitStore | null, files: GitFiles, home: Bytes | null) {
    this.#store = store;
    this.#files = files;
    this.#home = home;
  }

  /** Returns true if a condition holds. `file` contains the condition; null if no file does. */
  hold(condition: string, file: Bytes | null): boolean {
    this.#effort.steps += MIN_STEPS + condition.length;
    if (this.#effort.steps > MAX_MATCHING_STEPS || this.#store === null || condition.length > LONGEST_CONDITION)
      return false;
    const [, kind, pattern = ''] = CONDITION.exec(condition) ?? [];
    if (kind === undefined) return false;
    if (kind === 'onbranch') return this.#isOnBranch(pattern, this.#store);
    return this.#isIn(pattern, file, this.#store, kind === 'gitdir/i');
  }

  #isIn(condition: string, file: Bytes | null, store: GitStore, ignoreCase: boolean): boolean {
    if (namesUser(condition) && file !== null && this.#files.isInside(this.#files.real(file) ?? file)) return false;
    const home = this.#home === null ? null : (this.#files.real(this.#home) ?? this.#home);
    let pattern: string = withHome(condition as Bytes, home, this.#files) ?? condition;
    let start = '';
    if (pattern.startsWith('./')) {
      if (file === null) return false;
      // The path of the file's directory is compared literally: no character in it is special.
      start = slashed(this.#files.real(file) ?? file).replace(/\/[^/]*$/, '');
      pattern = pattern.slice(1);
    } else if (!isAbsolute(pattern)) {
      pattern = `**/${pattern}`;
    }
    const normalised = ignoreCase ? lowerCaseAscii : (text: string) => text;
    const isMatch = (path: Bytes) => {
      const text = normalised(slashed(path));
      return text.startsWith(normalised(start)) && this.#matches(pattern, text.slice(start.length), ignoreCase);
    };
    // A pattern may name the repository by its real path, or by one through links.
    return isMatch(store.gitDirectory) || isMatch(store.givenDirectory);
  }

  #isOnBranch(pattern: string, store: GitStore): boolean {
    if (this.#branch === undefined) this.#branch = currentBranch(store, this.#files);
    return this.#branch !== null && this.#matches(pattern, this.#branch, false);
  }

  /** Returns the pattern of a condition about the URLs of remotes; null for any other condition. */
  static remotePattern(condition: string): string | null {
    return condition.startsWith(REMOTES) ? condition.slice(REMOTES.length) : null;
  }

  haveRemote(pattern: string, urls: readonly Bytes[]): boolean {
    if (pattern.length > LONGEST_CONDITION) return false;
    return urls.some((url) => {
      this.#effort.steps += MIN_STEPS;
      return this.#effort.steps <= MAX_MATCHING_STEPS && this.#matchesAsItIs(pattern, url, false);
    });
  }

  #matches(pattern: string, text: string, ignoreCase: boolean): boolean {
    return this.#matchesAsItIs(`${pattern}${pattern.endsWith('/') ? '**' : ''}`, text, ignoreCase);
  }

  #matchesAsItIs(pattern: string, text: string, ignoreCase: boolean): boolean {
    // In an ignore rule, `a**/b` has a special meaning, because its literal prefix is cut off first. That must not
    // happen here, so the first byte is escaped, which leaves no prefix.
    const first = pattern.slice(0, 1);
    const start = isLiteral(first) ? `\\${ignoreCase ? lowerCaseAscii(first) : first}` : first;
    const glob = compileGlob(`${start}${pattern.slice(1)}`, ignoreCase);
    return glob !== null && matchesGlob(glob, text, this.#effort);
  }
}

/** Git writes paths with slashes on every system. */
function slashed(path: Bytes): string {
  return path.replaceAll(sep, '/');
}
