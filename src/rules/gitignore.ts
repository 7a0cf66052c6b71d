/**
 * The ignore rules in force in one directory.
 *
 *     const effort = { steps: 0 };
 *     const root = IgnoreChain.root([excludesFile, infoExclude, gitignore]);
 *     root.decide('dist', true, effort);                       // { ignored: true, source: '.gitignore', line: 3, … }
 *     (await root.enter('src', () => srcGitignore, effort)).decide('a.log', false, effort);
 *
 * The nearest ignore file that has a rule for a path decides, and what lies in an ignored directory is ignored by that
 * directory's rule: no `!` brings it back. A directory's chain points to its parent's rules and changes nothing in them.
 */
import type { Bytes } from '../workspace/bytes.ts';
import { type Decision, type IgnoreFile, type IgnoreScope, subjectOf } from './gitignore-file.ts';
import { afterwards, type Effort } from './rule.ts';

export class IgnoreChain {
  /** The nearest first. */
  readonly #scopes: readonly IgnoreScope[];
  /** By which rule the directory itself is ignored; null when it is not. */
  readonly ignoredBy: Decision | null;

  private constructor(scopes: readonly IgnoreScope[], ignoredBy: Decision | null) {
    this.#scopes = scopes;
    this.ignoredBy = ignoredBy;
  }

  /**
   * The chain of a repository's root. `files` are those whose patterns start there, the weakest first:
   * `core.excludesFile`, `.git/info/exclude`, and the root's own `.gitignore`.
   */
  static root(files: readonly IgnoreFile[]): IgnoreChain {
    // Perf: most repositories have files with comments alone.
    const scopes = files.map((file) => file.scope).filter((scope) => !scope.isEmpty);
    return new IgnoreChain(scopes.reverse(), null);
  }

  /** The chain of the directory `name` in this one. Where that is ignored itself, its ignore file is not asked for. */
  enter(
    name: Bytes,
    readIgnoreFile: () => IgnoreFile | null | Promise<IgnoreFile | null>,
    effort: Effort,
  ): IgnoreChain | Promise<IgnoreChain> {
    // All that lies in an ignored directory is alike.
    if (this.ignoredBy !== null) return this;
    const decision = this.decide(name, true, effort);
    if (decision?.ignored) return new IgnoreChain([], decision);
    const scopes = this.#scopes.map((scope) => scope.below(`${name}/`, effort));
    return afterwards(
      readIgnoreFile(),
      (file) => new IgnoreChain(file === null || file.scope.isEmpty ? scopes : [file.scope, ...scopes], null),
    );
  }

  /** What is decided about the entry `name` of this directory; null when no rule matches. A link is no directory. */
  decide(name: Bytes, isDirectory: boolean, effort: Effort): Decision | null {
    if (this.ignoredBy !== null) return this.ignoredBy;
    if (this.#scopes.length === 0) return null;
    const subject = subjectOf(name);
    for (const scope of this.#scopes) {
      const decision = scope.decide(subject, isDirectory, effort);
      if (decision !== null) return decision;
    }
    return null;
  }
}
