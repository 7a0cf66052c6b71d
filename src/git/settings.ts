// Collects git's settings, as far as ignore rules need them, from everywhere that git reads them. The last one wins:
//
//     the system's file, the user's files, the repository's, the worktree's, the environment;
//     the files that a file includes count at the position of the include.
//
// A file in the workspace may name nothing outside it; whatever it names there is skipped. Where git would refuse to
// work at all (a malformed file, endless includes), only the offending part is skipped.
import { dirname, isAbsolute } from 'node:path';
import { type Bytes, lowerCaseAscii } from '../names/bytes.ts';
import { withSlashes } from '../names/paths.ts';
import { type Budget, type Effort, retrying } from '../workspace/budget.ts';
import { LARGEST_RULE_FILE, readRuleFile } from '../workspace/source.ts';
import { allowsWorktreeConfig, asBoolean, type Setting, settingsIn } from './config.ts';
import { type Environment, NO_ENVIRONMENT, namesUser, readEnvironment, withHome } from './environment.ts';
import { type GitFiles, pathFrom } from './files.ts';
import { currentBranch, type GitStore, type Repository } from './repository.ts';
import { compileGlob, isLiteral, matchesGlob } from './wildmatch.ts';

/** The settings that affect how git compares files. None of them is a path, a command or a name. */
const CHECKOUT = /^core\.(autocrlf|checkstat|eol|filemode|ignorecase|precomposeunicode|symlinks|trustctime)$/;
const HARMLESS = /^[a-z\d]{1,10}$/i;
/** The depth to which git follows nested includes. */
const DEEPEST_INCLUDE = 10;
/** The limit, in bytes, for all included files. Beyond it no more are read, so that a hostile file is read quickly. */
const MAX_INCLUDED = LARGEST_RULE_FILE;
/** The cost of each include in addition to its bytes, because the disk is read. */
const MIN_INCLUDED = 16 * 1024;
/** Settings that are processed between two checks of the clock. */
const AT_A_TIME = 1000;
const CONDITIONAL_INCLUDE = /^includeif\.(.*)\.path$/s;
const REMOTE_URL = /^remote\..*\.url$/s;
const PARTIAL = /^(?:extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter))$/s;

interface RemoteUrl {
  readonly url: Bytes;
  /** True if the file that contains it is in the workspace. */
  readonly isInside: boolean;
}

/** Nothing is cached between calls: the files are few and small, and a change to them takes effect at once. */
export async function gitSettings(
  { workTree, store }: Repository,
  files: GitFiles,
  budget: Budget,
  environment: Environment = process.env,
) {
  const inReach = files.hasOutside ? environment : NO_ENVIRONMENT;
  const { home, workingDirectory, configFiles, ignoreFile, settings } = readEnvironment(inReach);
  const reached = store === null ? null : asReached(store, workTree, workingDirectory, files);
  const conditions = conditionsIn(reached, files, home);
  const collect = async (remoteUrls: (() => Promise<readonly RemoteUrl[]>) | null) => {
    const { found, add, addFile } = collecting(workTree, files, conditions, home, budget, remoteUrls);
    for (const path of configFiles) await addFile(pathFrom(workTree, path));
    if (store !== null) {
      const local = await addFile(pathFrom(store.commonDirectory, 'config'));
      const format = local.findLast(({ name }) => name === 'extensions.objectformat');
      if (format?.value === 'sha256') found.idLength = 32;
      if (allowsWorktreeConfig(local)) await addFile(pathFrom(store.gitDirectory, 'config.worktree'));
    }
    for (const setting of settings) await add(setting, null);
    return found;
  };
  // As in git, a condition about remotes first reads all files, except those that such conditions include.
  let urls: Promise<readonly RemoteUrl[]> | null = null;
  const remoteUrls = () => (urls ??= collect(null).then((first) => first.remoteUrls));
  const byDefault = ignoreFile === null ? null : pathFrom(workTree, ignoreFile);
  const { excludesFile = byDefault, ...found } = await collect(remoteUrls);
  return { ...found, excludesFile };
}

/** As in git, a work tree that is the current directory is named as the shell names it, perhaps through links. */
function asReached(store: GitStore, workTree: Bytes, workingDirectory: Bytes | null, files: GitFiles): GitStore {
  // A `.git` file says itself where the git directory is.
  if (workingDirectory === null || store.givenDirectory !== pathFrom(workTree, '.git')) return store;
  const isWorkTree = isAbsolute(workingDirectory) && files.real(workingDirectory) === workTree;
  return isWorkTree ? { ...store, givenDirectory: pathFrom(workingDirectory, '.git') } : store;
}

/** Receives settings in git's order, and keeps those that are in effect. */
function collecting(
  workTree: Bytes,
  files: GitFiles,
  conditions: Conditions,
  home: Bytes | null,
  budget: Budget,
  /** Called for a condition about remotes; null if such conditions never hold. */
  allRemoteUrls: (() => Promise<readonly RemoteUrl[]>) | null,
) {
  const found = {
    /** `core.ignorecase`: matching ignores the case of ASCII letters. */
    ignoreCase: false,
    /** The user's own ignore file, absolute; null for none, undefined if it is not set. */
    excludesFile: undefined as Bytes | null | undefined,
    /** True if objects of its history may be missing, so that git would fetch them from elsewhere. */
    isPartial: false,
    /** The length of an object's id in bytes: 20, or 32 with SHA-256. */
    idLength: 20,
    /** The settings by which git compares files with objects (`core.autocrlf`). No value refers to anything else. */
    checkout: new Map<string, string>(),
    remoteUrls: [] as RemoteUrl[],
  };
  let mayInclude = MAX_INCLUDED;

  /** Returns the settings in the file itself, without those that it includes. */
  async function addFile(path: Bytes, depth = 0): Promise<readonly Setting[]> {
    const read = await retrying(() => files.read(path), budget);
    const content = readRuleFile(read, () => files.nameOf(path), budget);
    if (content === null) return [];
    if (depth > 0) mayInclude -= content.length;
    const settings = await budget.run(settingsIn(content));
    if (settings === null) budget.note(`'${files.nameOf(path)}' is malformed, and is not used`);
    for (const [i, setting] of (settings ?? []).entries()) {
      const included = add(setting, path, depth);
      if (included !== undefined) await included;
      if (i % AT_A_TIME === 0) await budget.checkpoint();
    }
    return settings ?? [];
  }

  /** `from` is the file that contains the setting; null if it comes from the environment. */
  function add({ name, value }: Setting, from: Bytes | null, depth = 0): Promise<void> | undefined {
    if (name === 'core.ignorecase') found.ignoreCase = asBoolean(value) ?? found.ignoreCase;
    if (PARTIAL.test(name)) found.isPartial = true;
    const key = CHECKOUT.exec(name)?.[1];
    if (key !== undefined && HARMLESS.test(value ?? 'true')) found.checkout.set(key, value ?? 'true');
    // The remaining settings are paths and URLs, which need a value.
    if (value === null) return undefined;
    if (REMOTE_URL.test(name)) found.remoteUrls.push({ url: value, isInside: isInside(from) });
    if (name === 'core.excludesfile') exclude(value, from);
    if (name === 'include.path') return include(value, from, depth);
    const condition = CONDITIONAL_INCLUDE.exec(name)?.[1];
    return condition === undefined ? undefined : includeIf(condition, value, from, depth);
  }

  /** A relative path is relative to the work tree, whichever file contains it. An empty path means none. */
  function exclude(value: Bytes, from: Bytes | null): void {
    if (refersToUser(from, value, 'core.excludesFile')) return;
    const named = withHome(value, home, files);
    const path = named === null || named === '' ? null : pathFrom(workTree, named);
    if (path === null || !leadsOut(from, path, 'core.excludesFile')) found.excludesFile = path;
  }

  async function includeIf(condition: string, value: Bytes, from: Bytes | null, depth: number): Promise<void> {
    const holds = condition.startsWith(REMOTES)
      ? conditions.haveRemote(condition.slice(REMOTES.length), await remoteUrlsFor(from))
      : await retrying(() => conditions.hold(condition, from), budget);
    if (holds) await include(value, from, depth);
  }

  /** A condition in the workspace could otherwise be used to guess the URLs in the user's own files. */
  async function remoteUrlsFor(from: Bytes | null): Promise<Bytes[]> {
    const all = (await allRemoteUrls?.()) ?? [];
    return (isInside(from) ? all.filter(({ isInside }) => isInside) : all).map(({ url }) => url);
  }

  async function include(value: Bytes, from: Bytes | null, depth: number): Promise<void> {
    mayInclude -= MIN_INCLUDED;
    if (depth === DEEPEST_INCLUDE || mayInclude < 0) return;
    if (refersToUser(from, value, 'include.path')) return;
    const named = withHome(value, home, files);
    // A setting from the environment has no file, so a relative path in it has no base.
    if (named === null || (from === null && !isAbsolute(named))) return;
    const path = from === null ? (named as Bytes) : pathFrom(dirname(from) as Bytes, named);
    if (!leadsOut(from, path, 'include.path')) await addFile(path, depth + 1);
  }

  function leadsOut(from: Bytes | null, to: Bytes, setting: string): boolean {
    return from !== null && isInside(from) && !files.isInside(to) && refuse(from, setting);
  }

  /** The homes of other users are outside the workspace, whether or not those users exist. */
  function refersToUser(from: Bytes | null, value: Bytes, setting: string): boolean {
    return from !== null && namesUser(value) && isInside(from) && refuse(from, setting);
  }

  /** Null stands for the environment. */
  function isInside(file: Bytes | null): boolean {
    return file !== null && files.isInside(files.real(file) ?? file);
  }

  function refuse(from: Bytes, setting: string): true {
    const name = files.nameOf(from);
    budget.note(`'${name}' names a file outside the workspace (${setting}), which is not read`);
    return true;
  }

  return { found, add, addFile };
}

// Whether a conditional include applies. Other conditions never hold.
//
//     [includeIf "gitdir:~/code/"]       the repository's git directory is below ~/code; `gitdir/i` ignores case
//     [includeIf "onbranch:feature/"]    a branch below feature/ is checked out
//     [includeIf "hasconfig:remote.*.url:https://example.com/**"]   some remote has a matching URL

const REMOTES = 'hasconfig:remote.*.url:';
const CONDITION = /^(gitdir|gitdir\/i|onbranch):(.*)$/s;
/** The limit, in steps, for matching all conditions; beyond it none holds, so that a hostile file is read quickly. */
const MAX_MATCHING_STEPS = 1_000_000;
/** The cost of each condition in addition to its pattern, because it may read the disk. */
const MIN_STEPS = 1000;
/** In bytes. No path or branch name is longer. */
const LONGEST_CONDITION = 8 * 1024;

type Conditions = ReturnType<typeof conditionsIn>;

/** Without a store no condition holds. */
function conditionsIn(store: GitStore | null, files: GitFiles, home: Bytes | null) {
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
    const realHome = home === null ? null : withSlashes(files.real(home) ?? home);
    let pattern: string = withHome(condition as Bytes, realHome, files) ?? condition;
    let start = '';
    if (pattern.startsWith('./')) {
      if (file === null) return false;
      // The path of the file's directory is compared literally: no character in it is special.
      start = withSlashes(files.real(file) ?? file).replace(/\/[^/]*$/, '');
      pattern = pattern.slice(1);
    } else if (!isAbsolute(pattern)) {
      pattern = `**/${pattern}`;
    }
    const normalised = ignoreCase ? lowerCaseAscii : (text: string) => text;
    const isMatch = (path: Bytes) => {
      const text = normalised(withSlashes(path));
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
