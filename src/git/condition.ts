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

export type Conditions = ReturnType<typeof conditionsIn>;

/** Without a store no condition holds. */
export function conditionsIn(store: GitStore | null, files: GitFiles, home: Bytes | null) {
  const effort: Effort = { steps: 0 };
  /** Looked up once; undefined until then, and null if there is none. */
  let branch: Bytes | null | undefined;

  /** Returns true if a condition holds. `file` contains the condition; null if no file does. */
  function hold(condition: string, file: Bytes | null): boolean {
    effort.steps += MIN_STEPS + condition.length;
    if (effort.steps > MAX_MATCHING_STEPS || store === null || condition.length > LONGEST_CONDITION) return false;
    const [, kind, pattern = ''] = CONDITION.exec(condition) ?? [];
    if (kind === undefined) return false;
    if (kind !== 'onbranch') return isIn(pattern, file, store, kind === 'gitdir/i');
    if (branch === undefined) branch = currentBranch(store, files);
    return branch !== null && matches(pattern, branch, false);
  }

  function isIn(condition: string, file: Bytes | null, store: GitStore, ignoreCase: boolean): boolean {
    if (namesUser(condition) && file !== null && files.isInside(files.real(file) ?? file)) return false;
    const realHome = home === null ? null : (files.real(home) ?? home);
    let pattern: string = withHome(condition as Bytes, realHome, files) ?? condition;
    let start = '';
    if (pattern.startsWith('./')) {
      if (file === null) return false;
      // The path of the file's directory is compared literally: no character in it is special.
      start = slashed(files.real(file) ?? file).replace(/\/[^/]*$/, '');
      pattern = pattern.slice(1);
    } else if (!isAbsolute(pattern)) {
      pattern = `**/${pattern}`;
    }
    const normalised = ignoreCase ? lowerCaseAscii : (text: string) => text;
    const isMatch = (path: Bytes) => {
      const text = normalised(slashed(path));
      return text.startsWith(normalised(start)) && matches(pattern, text.slice(start.length), ignoreCase);
    };
    // A pattern may name the repository by its real path, or by one through links.
    return isMatch(store.gitDirectory) || isMatch(store.givenDirectory);
  }

  function haveRemote(pattern: string, urls: readonly Bytes[]): boolean {
    if (pattern.length > LONGEST_CONDITION) return false;
    return urls.some((url) => {
      effort.steps += MIN_STEPS;
      return effort.steps <= MAX_MATCHING_STEPS && matchesAsItIs(pattern, url, false);
    });
  }

  function matches(pattern: string, text: string, ignoreCase: boolean): boolean {
    return matchesAsItIs(`${pattern}${pattern.endsWith('/') ? '**' : ''}`, text, ignoreCase);
  }

  function matchesAsItIs(pattern: string, text: string, ignoreCase: boolean): boolean {
    // In an ignore rule, `a**/b` has a special meaning, because its literal prefix is cut off first. That must not
    // happen here, so the first byte is escaped, which leaves no prefix.
    const first = pattern.slice(0, 1);
    const start = isLiteral(first) ? `\\${ignoreCase ? lowerCaseAscii(first) : first}` : first;
    const glob = compileGlob(`${start}${pattern.slice(1)}`, ignoreCase);
    return glob !== null && matchesGlob(glob, text, effort);
  }

  return { hold, haveRemote };
}

/** Returns the pattern of a condition about the URLs of remotes; null for any other condition. */
export function remotePattern(condition: string): string | null {
  return condition.startsWith(REMOTES) ? condition.slice(REMOTES.length) : null;
}

/** Git writes paths with slashes on every system. */
function slashed(path: Bytes): string {
  return path.replaceAll(sep, '/');
}
