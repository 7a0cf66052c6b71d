/**
 * The rule for ignore files: `.gitignore` and its companions, which behave exactly as in git, and `.geminiignore`.
 *
 * Git's rules apply only inside a repository, from its root down, and stop at a nested repository, which has its own.
 * `.git` itself is always ignored. `.geminiignore` is in the workspace's root, and needs no git. An entry that both
 * hide is attributed to git. A `!` rule of `.geminiignore` re-includes an entry that git ignores. A re-included
 * directory comes with its contents, so git's rules do not apply below it.
 */
import { basename } from 'node:path';
import { GITIGNORE, GitFiles } from '../git/files.ts';
import { repositoryAt } from '../git/repository.ts';
import { type RepositoryRules, repositoryRules, surroundingsOf } from '../git/surroundings.ts';
import { type Bytes, DOT } from '../names/bytes.ts';
import { inAbsolute, type RootPath } from '../names/paths.ts';
import { shown } from '../names/quote.ts';
import { type Budget, retrying } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { readRuleFile, type SkippedFile } from '../workspace/source.ts';
import { DOT_GIT } from './builtin.ts';
import { GitRules, type ReadGitignore } from './git-rules.ts';
import { IgnoreChain } from './gitignore.ts';
import { compiledIgnoreFile } from './ignore-file-store.ts';
import type { Filters, InnerPlace, Judge, Rule, Scope, Verdict } from './rule.ts';
import { afterwards, filtersOf, hiddenBy, verdictOn } from './rule.ts';
import { filterOf } from './rule-filter.ts';

export interface IgnoreFileChoice {
  readonly git: boolean;
  readonly gemini: boolean;
  /** Set to show the contents of the listed directory even if git ignores it: git's rules then do not apply in it. */
  readonly showsListed?: boolean | undefined;
  /** Set to hide what git tracks, too, if a pattern matches it. */
  readonly hidesTracked?: boolean | undefined;
}

const NO_FILTERS: Filters = { all: [], holdsBelow: true };
/** If case is ignored, `.GIT` is hidden too. */
const DOT_GIT_FILTERS: Filters = { all: [filterOf(['.git'], true)], holdsBelow: true };

/** The same, where git's rules can be switched off. */
const IGNORED_DOT_GIT = hiddenBy('git', '.git' as Bytes);

const GEMINIIGNORE = '.geminiignore' as RootPath;

export function ignoreFiles(choice: IgnoreFileChoice): Rule {
  return async (place, budget) => {
    const { rootRealPath } = place;
    const { repository, levels } = await surroundingsOf(place, choice.git, budget);
    const rules = repository === null ? null : await repositoryRules(repository, new GitFiles(place), budget);
    const lasting = choice.hidesTracked ? null : new GitFiles(place);
    const dotGit = choice.showsListed ? DOT_GIT : IGNORED_DOT_GIT;
    let scope = new FileScope(NO_RULES, { dotGit: choice.git ? dotGit : null, lasting, budget });
    let isIgnored = false;
    for (const { directory, gitignore } of levels) {
      const name = basename(directory) as Bytes;
      const above: FileScope = scope;
      isIgnored ||= (await retrying(() => verdictOn(name, 'dir', above.judge), budget))?.hidden ?? false;
      scope = await retrying(() => above.in(name, directory, rootRealPath, rules, () => gitignore), budget);
      if (directory === rootRealPath && choice.gemini) {
        scope = await scope.with(await retrying(() => place.fileAt(GEMINIIGNORE), budget));
      }
      await budget.checkpoint();
    }
    return choice.showsListed && isIgnored ? scope.withoutGit() : scope;
  };
}

interface Rules {
  /** Null outside any repository. */
  readonly git: GitRules | null;
  readonly gemini: IgnoreChain | null;
  readonly geminiKey: string;
  readonly inDotGit: boolean;
  /** True inside a directory that is shown although git ignores it. */
  readonly isBack: boolean;
}

/** The same in all directories of a call. */
interface Setting {
  /** The verdict on `.git`; null if git's rules do not count. */
  readonly dotGit: Verdict | null;
  /** What git's index is read through; null to go by the patterns alone. */
  readonly lasting: GitFiles | null;
  readonly budget: Budget;
}

const NO_RULES: Rules = { git: null, gemini: null, geminiKey: '', inDotGit: false, isBack: false };

class FileScope implements Scope {
  readonly #rules: Rules;
  readonly #setting: Setting;

  constructor(rules: Rules, setting: Setting) {
    this.#rules = rules;
    this.#setting = setting;
  }

  /** Returns this scope with the rules of a `.geminiignore` added. */
  async with(geminiignore: Bytes | SkippedFile | null): Promise<FileScope> {
    const { budget } = this.#setting;
    const content = readRuleFile(geminiignore, () => shown(GEMINIIGNORE), budget);
    if (content === null) return this;
    const file = await compiledIgnoreFile(content, GEMINIIGNORE, { ignoreCase: false, by: 'gemini' }, budget);
    return this.#changed({ gemini: IgnoreChain.root([file]), geminiKey: `${file.serial}` });
  }

  /** Returns this scope without git's rules, up to a repository further down. */
  withoutGit(): FileScope {
    return this.#changed({ inDotGit: false, isBack: true });
  }

  /** Returns the scope of the subdirectory `name` at `directory`. `rules` apply if their repository begins there. */
  in(
    name: Bytes,
    directory: Bytes,
    rootRealPath: Bytes,
    rules: RepositoryRules | null,
    readGitignore: ReadGitignore,
    isShown = false,
  ): FileScope | Promise<FileScope> {
    const { budget, lasting } = this.#setting;
    const entered = this.#rules.gemini?.enter(name, () => null, budget) ?? null;
    return afterwards(entered, (gemini) => {
      if (rules?.repository.workTree === directory) {
        return GitRules.at(rules, rootRealPath, readGitignore, budget, lasting).then((git) =>
          this.#changed({ git, gemini, inDotGit: false, isBack: false }),
        );
      }
      const { git } = this.#rules;
      const inDotGit = this.#rules.inDotGit || this.#isDotGit(name);
      const isBack = this.#rules.isBack || (git !== null && this.#bringsBack(name, git));
      // The directory may be shown only because `.geminiignore` re-includes it.
      const isNotIgnored = isShown && gemini === null;
      return afterwards(git?.enter(name, directory, readGitignore, isNotIgnored) ?? null, (inner) =>
        this.#changed({ git: inner, gemini, inDotGit, isBack }),
      );
    });
  }

  enter(name: Bytes, place: InnerPlace | null, isShown = false): Scope | Promise<Scope> {
    // Without rule files, it does not matter where the directory is.
    if (place === null) return this.in(name, '' as Bytes, '' as Bytes, null, () => null, isShown);
    const { dotGit, budget } = this.#setting;
    const { rootRealPath } = place;
    const directory = inAbsolute(rootRealPath, place.path);
    const readGitignore = () => (place.mayHave(GITIGNORE) ? retrying(() => place.readFile(GITIGNORE), budget) : null);
    if (dotGit === null || !place.mayHave('.git' as Bytes))
      return this.in(name, directory, rootRealPath, null, readGitignore, isShown);
    const files = new GitFiles(place);
    const found = retrying(() => repositoryAt(directory, files, budget), budget);
    return afterwards(found, (repository) => {
      if (repository !== null && this.#rules.git?.isSharedWith(repository)) return worktreeScope(place.path);
      return afterwards(repository === null ? null : repositoryRules(repository, files, budget), (rules) =>
        this.in(name, directory, rootRealPath, rules, readGitignore, isShown),
      );
    });
  }

  readonly judge: Judge = (entries, at) => {
    const { git, gemini, inDotGit, isBack } = this.#rules;
    if (inDotGit || this.#isDotGitAt(entries, at)) return this.#setting.dotGit;
    const ruling = git === null || isBack ? null : git.decideAt(entries, at);
    const wish = gemini === null ? null : gemini.decideAt(entries, at, this.#setting.budget);
    if (wish !== null && !(ruling?.hidden && wish.hidden)) return wish;
    return ruling?.hidden && git?.isTracked(entries, at) ? { ...ruling, hidden: false, isTracked: true } : ruling;
  };

  filters(): Filters | null {
    const { git, gemini, inDotGit, isBack } = this.#rules;
    const ofGit = git === null || isBack ? NO_FILTERS : git.filters;
    return inDotGit ? null : filtersOf([DOT_GIT_FILTERS, ofGit, gemini === null ? NO_FILTERS : gemini.filters]);
  }

  key(): string {
    const { git, isBack, geminiKey } = this.#rules;
    return `git ${this.#setting.dotGit?.by} ${isBack} ${git?.key} gemini ${geminiKey}`;
  }

  #isDotGit(name: Bytes): boolean {
    return this.#setting.dotGit !== null && (this.#rules.git?.isDotGit(name) ?? name === '.git');
  }

  /** Perf: decodes only names that begin with a dot. */
  #isDotGitAt(entries: EntryBuffer, at: number): boolean {
    if (this.#setting.dotGit === null || entries.bytes[entries.starts[at] as number] !== DOT) return false;
    return this.#isDotGit(entries.nameAt(at));
  }

  #bringsBack(name: Bytes, git: GitRules): boolean {
    const wish = this.#rules.gemini?.decide(name, true, this.#setting.budget) ?? null;
    return wish?.hidden === false && git.decide(name, true)?.hidden === true;
  }

  #changed(rules: Partial<Rules>): FileScope {
    return new FileScope({ ...this.#rules, ...rules }, this.#setting);
  }
}

/** Hides everything in another worktree of the same repository: it has the same files once more. */
function worktreeScope(path: Bytes): Scope {
  const hidden = hiddenBy('worktree', path);
  const scope: Scope = { judge: () => hidden, isWorktree: true, key: () => 'worktree', enter: () => scope };
  return scope;
}
