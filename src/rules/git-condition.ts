// When a conditional include of git's configuration counts:
//
//     [includeIf "gitdir:~/code/"]       the repository's git directory is below ~/code
//     [includeIf "gitdir/i:C:/Code/"]    the same, whatever the case of ASCII letters
//     [includeIf "onbranch:feature/"]    a branch below feature/ is checked out
//
// Other conditions (there is one about the addresses of remotes) never hold here.

import { isAbsolute, sep } from 'node:path';
import type { Bytes } from '../workspace/bytes.ts';
import { realPath } from '../workspace/plain-file.ts';
import { withHome } from './git-home.ts';
import { currentBranch, type Repository, reached } from './git-repository.ts';
import { compileGlob, folded, isLiteral, matchesGlob } from './gitignore-pattern.ts';
import type { Effort } from './rule.ts';

const CONDITION = /^(gitdir|gitdir\/i|onbranch):(.*)$/s;

/** Steps of matching for all conditions together; beyond them none holds, so that a hostile file is soon read. */
const MOST_STEPS = 1_000_000;
/** What each condition counts for, beside its pattern: it may ask the disk. */
const LEAST_STEPS = 1000;

export class Conditions {
  readonly #repository: Repository;
  readonly #home: Bytes | null;
  readonly #effort: Effort = { steps: 0 };

  constructor(repository: Repository, home: Bytes | null) {
    this.#repository = repository;
    this.#home = home;
  }

  /** `file` is the one that the condition stands in; null when it stands in none. */
  hold(condition: string, file: Bytes | null): boolean {
    this.#effort.steps += LEAST_STEPS;
    if (this.#effort.steps > MOST_STEPS) return false;
    const [, kind, pattern = ''] = CONDITION.exec(condition) ?? [];
    switch (kind) {
      case 'gitdir':
        return this.#isIn(pattern, file, false);
      case 'gitdir/i':
        return this.#isIn(pattern, file, true);
      case 'onbranch':
        return this.#isOnBranch(pattern);
      default:
        return false;
    }
  }

  #isIn(condition: string, file: Bytes | null, ignoreCase: boolean): boolean {
    const home = this.#home === null ? null : (realPath(this.#home) ?? this.#home);
    let pattern: string = withHome(condition as Bytes, home) ?? condition;
    let start = '';
    if (pattern.startsWith('./')) {
      if (file === null) return false;
      // No character is special in the name of the directory that the file is in.
      start = directoryOf(slashed(realPath(reached(file, this.#repository)) ?? file));
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
    const { gitDirectory } = this.#repository;
    return isMatch(realPath(reached(gitDirectory, this.#repository)) ?? gitDirectory) || isMatch(gitDirectory);
  }

  #isOnBranch(pattern: string): boolean {
    const branch = currentBranch(this.#repository);
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
