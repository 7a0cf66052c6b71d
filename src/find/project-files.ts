/** The query for files, and what was found. */
import type { Stop, Unreadable } from '../listing/query.ts';
import type { Target } from '../listing/reading.ts';
import type { Bytes } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import type { Verdict } from '../rules/rule.ts';

export interface FindQuery extends Target {
  readonly query: string;
  readonly limit: number;
}

/** What a file stands among: it matches well, it matches less, or it is a test, a document or somebody else's. */
export type Band = 'best' | 'good' | 'weak' | 'aside';

export interface FoundFile {
  /** Relative to the searched directory. */
  readonly path: Bytes;
  readonly type: 'file' | 'link' | 'dir';
  readonly band: Band;
  /** True if only commits led to it: nothing in its path has a word of the query. */
  readonly isByHistory: boolean;
  /** For a directory, the number of files below it; otherwise 0. */
  readonly files: number;
}

/** A word of the query, and where it occurs. */
export interface FoundWord {
  readonly word: string;
  /** The nearest spellings, which were searched in its place; none if the word itself occurs, or nothing is near. */
  readonly nearest: readonly string[];
  /** True if it occurs in a path, or in the subject of a commit. */
  readonly isKnown: boolean;
}

/** Entries that would match and that one rule hides. */
export interface HiddenMatches {
  readonly rule: Verdict;
  readonly count: number;
}

export interface FoundFiles {
  /** The searched directory's real path relative to the root; '' is the root. */
  readonly path: RootPath;
  readonly query: FindQuery;
  readonly files: readonly FoundFile[];
  /** How many files match well, and how many at all. Both are equal for a glob. */
  readonly well: number;
  readonly matched: number;
  /** How many have all known words in their path, or match the glob. */
  readonly whole: number;
  /** The number of matches that are tests, documents, generated or vendored. */
  readonly aside: number;
  readonly isGlob: boolean;
  readonly words: readonly FoundWord[];
  /** Words that did not count, because there are too many. */
  readonly ignoredWords: number;
  readonly hidden: readonly HiddenMatches[];
  /** What has all words and lies in directories that git ignores. It is looked for only if nothing else has the words. */
  readonly inside: number;
  /** Worktrees of the same repository below the searched directory. They are not searched. */
  readonly worktrees: number;
  /** Whether commits were searched, too: there may be none, or they could not be read. */
  readonly history: 'read' | 'none' | 'unread';
  readonly unreadable: readonly Unreadable[];
  readonly stopped: Stop | null;
  readonly notes: readonly string[];
  readonly isFromCache: boolean;
}
