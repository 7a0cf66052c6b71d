/**
 * The ignore rules in force in one directory. The nearest ignore file with a matching rule decides. Everything in an
 * ignored directory is ignored by that directory's rule, and no `!` can re-include it.
 */
import type { Bytes } from '../names/bytes.ts';
import type { Effort } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { IgnoreFile } from './gitignore-file.ts';
import type { IgnoreScope } from './ignore-scope.ts';
import { MAX_STEPS } from './matcher.ts';
import { afterwards, allOf, entryNamed, type Filters, filtersOf, type Verdict } from './rule.ts';

export class IgnoreChain {
  /** Ordered from the nearest file to the furthest. */
  readonly #scopes: readonly IgnoreScope[];
  /** The verdict that ignores the directory itself; null if it is not ignored. */
  readonly ignoredBy: Verdict | null;

  private constructor(scopes: readonly IgnoreScope[], ignoredBy: Verdict | null) {
    this.#scopes = scopes;
    this.ignoredBy = ignoredBy;
  }

  /** The chain of a repository's root. The weakest file comes first, its own `.gitignore` last. */
  static root(files: readonly IgnoreFile[]): IgnoreChain {
    // Perf: many such files contain only comments.
    const scopes = files.map((file) => file.scope).filter((scope) => !scope.isEmpty);
    return new IgnoreChain(scopes.reverse(), null);
  }

  /** The chain of a subdirectory. Perf: a caller that knows that it is not ignored sets `isNotIgnored`. */
  enter(
    name: Bytes,
    readIgnoreFile: () => IgnoreFile | null | Promise<IgnoreFile | null>,
    effort: Effort,
    isNotIgnored = false,
  ): IgnoreChain | Promise<IgnoreChain> {
    // Everything in an ignored directory is judged alike.
    if (this.ignoredBy !== null) return this;
    const verdict = isNotIgnored ? null : this.decide(name, true, effort);
    if (verdict?.hidden) return new IgnoreChain([], verdict);
    return afterwards(allOf(this.#scopes.map((scope) => scope.below(`${name}/`, effort))), (scopes) =>
      afterwards(
        readIgnoreFile(),
        (file) => new IgnoreChain(file === null || file.scope.isEmpty ? scopes : [file.scope, ...scopes], null),
      ),
    );
  }

  /** Null if everything is ignored. */
  get filters(): Filters | null {
    return this.ignoredBy === null ? filtersOf(this.#scopes.map(({ filters }) => filters)) : null;
  }

  /** Decides about the entry `name` of this directory; null if no rule matches. A link is not a directory. */
  decide(name: Bytes, isDirectory: boolean, effort: Effort): Verdict | null {
    return this.decideAt(entryNamed(name, isDirectory ? 'dir' : 'file'), 0, effort);
  }

  decideAt(entries: EntryBuffer, at: number, effort: Effort): Verdict | null {
    if (this.ignoredBy !== null) return this.ignoredBy;
    let name: Bytes | null = null;
    const end = effort.steps + MAX_STEPS;
    for (let i = 0; i < this.#scopes.length; i++) {
      const scope = this.#scopes[i] as IgnoreScope;
      effort.steps++;
      if (!scope.mayMatch(entries, at)) continue;
      name ??= entries.nameAt(at);
      const verdict = scope.decide(name, entries.isDirectory(at), effort, end);
      if (verdict !== null) return verdict;
    }
    return null;
  }
}
