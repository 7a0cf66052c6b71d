// When a conditional include of git's configuration counts:
//
//     [includeIf "gitdir:~/code/"]       the repository's git directory is below ~/code
//     [includeIf "gitdir/i:C:/Code/"]    the same, whatever the case of ASCII letters
//     [includeIf "onbranch:feature/"]    a branch below feature/ is checked out
//
// Other conditions (there is one about the addresses of remotes) never hold here.

import { isAbsolute, sep } from 'node:path';
import type { Bytes } from '../workspace/bytes.ts';
import type { GitFiles } from './git-files.ts';
import { namesUser, withHome } from './git-home.ts';
import { currentBranch, type GitStore } from './git-repository.ts';
import { compileGlob, folded, isLiteral, matchesGlob } from './gitignore-pattern.ts';
import type { Effort } from './rule.ts';

const CONDITION = /^(gitdir|gitdir\/i|onbranch):(.*)$/s;

/** Steps of matching for all conditions together; beyond them none holds, so that a hostile file is soon read. */
const MOST_STEPS = 1_000_000;
/** What each condition counts for, beside its pattern: it may ask the disk. */
const LEAST_STEPS = 1000;
/** Bytes of a condition: no path, and no branch, is longer. */
const LONGEST = 8 * 1024;

export class Conditions {
  readonly #store: GitStore | null;
  readonly #files: GitFiles;
  readonly #home: Bytes | null;
  readonly #effort: Effort = { steps: 0 };
  /** Asked once; null until then. */
  #branch: { readonly name: Bytes | null } | null = null;

  /** Without a store none holds. */
  constructor(store: GitStore | null, files: GitFiles, home: Bytes | null) {
    this.#store = store;
    this.#files = files;
    this.#home = home;
  }

  /** `file` is the one that the condition stands in; null when it stands in none. */
  hold(condition: string, file: Bytes | null): boolean {
    this.#effort.steps += LEAST_STEPS + condition.length;
    if (this.#effort.steps > MOST_STEPS || this.#store === null || condition.length > LONGEST) return false;
    const [, kind, pattern = ''] = CONDITION.exec(condition) ?? [];
    switch (kind) {
      case 'gitdir':
        return this.#isIn(pattern, file, this.#store, false);
      case 'gitdir/i':
        return this.#isIn(pattern, file, this.#store, true);
      case 'onbranch':
        return this.#isOnBranch(pattern, this.#store);
      default:
        return false;
    }
  }

  #isIn(condition: string, file: Bytes | null, store: GitStore, ignoreCase: boolean): boolean {
    if (namesUser(condition) && file !== null && this.#files.isInside(this.#files.real(file) ?? file)) return false;
    const home = this.#home === null ? null : (this.#files.real(this.#home) ?? this.#home);
    let pattern: string = withHome(condition as Bytes, home) ?? condition;
    let start = '';
    if (pattern.startsWith('./')) {
      if (file === null) return false;
      // No character is special in the name of the directory that the file is in.
      start = directoryOf(slashed(this.#files.real(file) ?? file));
      pattern = pattern.slice(1);
    } else if (!isAbsolute(pattern)) {
      pattern = `**/${pattern}`;
    }
    const fold = ignoreCase ? folded : (text: string) => text;
    const isMatch = (path: Bytes) => {
      const text = fold(slashed(path));
      return text.startsWith(fold(start)) && this.#matches(pattern, text.slice(start.length), ignoreCase);
    };
    // A pattern may follow the links on the way to the repository, or not.
    return isMatch(store.gitDirectory) || isMatch(store.givenDirectory);
  }

  #isOnBranch(pattern: string, store: GitStore): boolean {
    this.#branch ??= { name: currentBranch(store, this.#files) };
    const branch = this.#branch.name;
    return branch !== null && this.#matches(pattern, branch, false);
  }

  #matches(pattern: string, text: string, ignoreCase: boolean): boolean {
    // In an ignore rule `a**/b` has a meaning of its own, for what stands before its first special character is cut
    // off. Not so here: with the first byte escaped nothing stands there.
    const first = pattern.slice(0, 1);
    const start = isLiteral(first) ? `\\${ignoreCase ? folded(first) : first}` : first;
    const glob = compileGlob(`${start}${pattern.slice(1)}${pattern.endsWith('/') ? '**' : ''}`, ignoreCase);
    return glob !== null && matchesGlob(glob, text, this.#effort);
  }
}

function directoryOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Git writes paths with slashes everywhere. */
function slashed(path: Bytes): string {
  return path.replaceAll(sep, '/');
}
