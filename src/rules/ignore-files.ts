/**
 * What ignore files hide: `.gitignore` and its companions exactly as git has them, and `.geminiignore`.
 *
 * Git's rules hold inside a repository only, from its root down, and stop at a repository inside of it, which has its
 * own. `.git` itself is always ignored. `.geminiignore` stands in the workspace's root, and needs no git. What both
 * hide counts as git's. A `!` rule of `.geminiignore` brings back what git ignores; a directory that is brought back
 * comes with its contents, so git has no say below it.
 */
import { basename, dirname, sep } from 'node:path';
import { splitPath } from '../workspace/argument.ts';
import type { Bytes } from '../workspace/bytes.ts';
import type { Place } from '../workspace/place.ts';
import { readPlainFile } from '../workspace/plain-file.ts';
import { DOT_GIT } from './builtin.ts';
import {
  GITIGNORE,
  GitRules,
  gitignoreIn,
  isDotGit,
  type ReadGitignore,
  type RepositoryRules,
  repositoryRulesAt,
} from './git-rules.ts';
import { IgnoreChain } from './gitignore.ts';
import type { Decision } from './gitignore-file.ts';
import { readIgnoreFile } from './ignore-file-store.ts';
import type { Effort, InnerPlace, Origin, Rule, Scope, Verdict } from './rule.ts';

/** Which ignore files count. */
export interface IgnoreFileChoice {
  readonly git: boolean;
  readonly gemini: boolean;
  /** Whether a directory that git ignores is shown when it is the listed one: then git has no say in it. */
  readonly showsListed?: boolean | undefined;
}

const GEMINIIGNORE = '.geminiignore' as Bytes;

export function ignoreFiles(choice: IgnoreFileChoice): Rule {
  return (place, effort) => {
    const { rootPath } = place;
    const { repository, above } = choice.git ? repositoryAround(place) : NO_REPOSITORY;
    let scope = FileScope.nowhere(choice.git, effort);
    let isIgnored = false;
    const enter = (directory: Bytes, readGitignore: ReadGitignore): void => {
      isIgnored ||= scope.judge(basename(directory) as Bytes, 'dir')?.hidden ?? false;
      scope = scope.in(directory, rootPath, repository, readGitignore);
    };
    for (const { directory, gitignore } of above) enter(directory, () => gitignore);
    const gitignores = repository === null ? [] : place.fromRoot((path) => readPlainFile(gitignoreIn(path)));
    enter(rootPath, () => gitignores[0] ?? null);
    if (choice.gemini) scope = scope.with(place.rootFile(GEMINIIGNORE));
    let directory = rootPath;
    for (const [i, name] of splitPath(place.path).names.entries()) {
      directory = inside(directory, name);
      enter(directory, () => gitignores[i + 1] ?? null);
    }
    return choice.showsListed && isIgnored ? scope.withoutGit() : scope;
  };
}

interface Surroundings {
  /** The nearest repository that the place is in. */
  readonly repository: RepositoryRules | null;
  /** From the repository's root down to the directory above the workspace's root. */
  readonly above: readonly { readonly directory: Bytes; readonly gitignore: Bytes | null }[];
}

const NO_REPOSITORY: Surroundings = { repository: null, above: [] };

export function isInRepository(place: Place): boolean {
  return repositoryAround(place).repository !== null;
}

function repositoryAround(place: Place): Surroundings {
  const directories = [place.rootPath];
  for (const name of splitPath(place.path).names) directories.push(inside(directories.at(-1) as Bytes, name));
  let around = NO_REPOSITORY;
  const inner = place.fromRoot((path, depth) => {
    const directory = directories[depth] as Bytes;
    const repository = repositoryRulesAt(directory, path);
    if (depth === 0 && repository === null) around = repositoryAbove(directory, path);
    return repository;
  });
  const repository = inner.findLast((one) => one !== null) ?? null;
  return repository === null ? around : { repository, above: [] };
}

/** Asked from the root upwards: what is swapped for a link above it does not matter then. */
function repositoryAbove(rootPath: Bytes, heldRoot: Bytes): Surroundings {
  const above: { directory: Bytes; held: Bytes }[] = [];
  for (let [directory, held] = [rootPath, heldRoot]; dirname(directory) !== directory; ) {
    directory = dirname(directory) as Bytes;
    held = inside(held, '..' as Bytes);
    above.unshift({ directory, held });
    const repository = repositoryRulesAt(directory, held);
    if (repository === null) continue;
    const read = (one: (typeof above)[number]) => readPlainFile(gitignoreIn(one.held));
    return { repository, above: above.map((one) => ({ directory: one.directory, gitignore: read(one) })) };
  }
  return NO_REPOSITORY;
}

function inside(directory: Bytes, name: Bytes): Bytes {
  return `${directory}${directory.endsWith(sep) ? '' : sep}${name}` as Bytes;
}

interface Rules {
  /** Null outside of any repository. */
  readonly git: GitRules | null;
  readonly gemini: IgnoreChain | null;
  /** Inside of a `.git`. */
  readonly inDotGit: boolean;
  /** Inside of a directory that is shown although git ignores it. */
  readonly isBack: boolean;
}

class FileScope implements Scope {
  readonly #rules: Rules;
  readonly #respectsGit: boolean;
  readonly #effort: Effort;
  readonly #geminiKey: string;

  private constructor(rules: Rules, respectsGit: boolean, effort: Effort, geminiKey: string) {
    this.#rules = rules;
    this.#respectsGit = respectsGit;
    this.#effort = effort;
    this.#geminiKey = geminiKey;
  }

  static nowhere(respectsGit: boolean, effort: Effort): FileScope {
    return new FileScope({ git: null, gemini: null, inDotGit: false, isBack: false }, respectsGit, effort, '');
  }

  /** From here on with the rules of a `.geminiignore`. */
  with(geminiignore: Bytes | null): FileScope {
    if (geminiignore === null) return this;
    const file = readIgnoreFile(geminiignore, GEMINIIGNORE, { ignoreCase: false });
    return this.#changed({ ...this.#rules, gemini: IgnoreChain.root([file]) }, geminiignore);
  }

  /** From here on without git's, up to a repository further down. */
  withoutGit(): FileScope {
    return this.#changed({ ...this.#rules, inDotGit: false, isBack: true });
  }

  /** In a directory of this one; `directory` is its absolute path, and `rules` are of the repository that may begin there. */
  in(directory: Bytes, rootPath: Bytes, rules: RepositoryRules | null, readGitignore: ReadGitignore): FileScope {
    const name = basename(directory) as Bytes;
    const gemini = this.#rules.gemini?.enter(name, () => null, this.#effort) ?? null;
    if (rules?.repository.workTree === directory) {
      const git = GitRules.at(rules, rootPath, readGitignore, this.#effort);
      return this.#changed({ git, gemini, inDotGit: false, isBack: false });
    }
    const { git } = this.#rules;
    const inDotGit = this.#rules.inDotGit || this.#isDotGit(name);
    const isBack = this.#rules.isBack || (git !== null && this.#bringsBack(name, git));
    return this.#changed({ git: git?.enter(name, directory, readGitignore) ?? null, gemini, inDotGit, isBack });
  }

  enter(_: Bytes, place: InnerPlace): FileScope {
    const directory = inside(place.rootPath, place.path);
    const mayBegin = this.#respectsGit && place.mayHave('.git' as Bytes);
    const rules = mayBegin ? place.reach((held) => repositoryRulesAt(directory, held)) : null;
    return this.in(directory, place.rootPath, rules, () =>
      place.mayHave(GITIGNORE) ? place.readFile(GITIGNORE) : null,
    );
  }

  readonly judge = (name: Bytes, type: string): Verdict | null => {
    const { git, gemini, inDotGit, isBack } = this.#rules;
    const isDirectory = type === 'dir';
    if (inDotGit || this.#isDotGit(name)) return DOT_GIT;
    const ruling = git === null || isBack ? null : git.decide(name, isDirectory);
    const wish = gemini === null ? null : gemini.decide(name, isDirectory, this.#effort);
    if (wish === null || (ruling?.ignored && wish.ignored)) return ruling === null ? null : verdict('git', ruling);
    return verdict('gemini', wish);
  };

  key(): string {
    const { git, isBack } = this.#rules;
    return `git ${this.#respectsGit} ${isBack} ${git?.key} gemini ${this.#geminiKey}`;
  }

  #isDotGit(name: Bytes): boolean {
    return this.#respectsGit && (this.#rules.git?.isDotGit(name) ?? isDotGit(name));
  }

  #bringsBack(name: Bytes, git: GitRules): boolean {
    const wish = this.#rules.gemini?.decide(name, true, this.#effort) ?? null;
    return wish?.ignored === false && git.decide(name, true)?.ignored === true;
  }

  #changed(rules: Rules, geminiKey = this.#geminiKey): FileScope {
    return new FileScope(rules, this.#respectsGit, this.#effort, geminiKey);
  }
}

function verdict(by: Origin, { ignored, source, line, pattern }: Decision): Verdict {
  return { by, hidden: ignored, source, line, pattern };
}
