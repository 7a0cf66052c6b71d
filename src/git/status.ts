/**
 * Asks git which files are changed, staged, untracked or ignored. Git has a copy of the index in a scratch repository
 * of our own (`program.ts`), so no setting, hook or filter can start a program. Submodules are not entered.
 */
import { type Bytes, textOf } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import type { StartedGit } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import { withoutByteOrderMark } from './config.ts';
import { GitFiles } from './files.ts';
import { gitHistory } from './history.ts';
import { outputEnd, startGit, type WorkTree } from './program.ts';
import { withObjects } from './shared-log.ts';
import { repositoryRules } from './surroundings.ts';

/** Returns two letters for a path below the directory: its staged and its unstaged change. `--` is unchanged. */
export type StatusOf = (path: Bytes) => string;

/** Milliseconds. The largest repositories take a few seconds when they are not in the system's cache. */
const TIME_LIMIT = 20_000;
/** Bytes. A repository of half a million files needs less. */
const LARGEST_INDEX = 128 * 1024 * 1024;
const MAX_OUTPUT = 64 * 1024 * 1024;

const ARGUMENTS = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=false', '-c', 'core.preloadIndex=true'],
  ...['status', '--porcelain=v1', '-z', '--untracked-files=normal', '--ignored=matching'],
  ...['--ignore-submodules=all', '--no-renames'],
];

const none = (why: string) => async () => why;

/**
 * Starts git. Resolves when it runs, because the caller has something else to do meanwhile, to a function that waits
 * for the status of paths below a directory, or for a clause that says why there is none.
 */
export async function startStatus(directory: Visit, budget: Budget): Promise<() => Promise<StatusOf | string>> {
  const history = await gitHistory(directory, budget);
  const repository = history?.repository ?? null;
  if (history === null || repository === null)
    return none('this is not a repository with a commit, or not one that git can be asked about safely');
  const files = new GitFiles(directory);
  const [path, objects, inside] = [textOf(history.workTree), textOf(history.objects), textOf(history.directory)];
  if (path === null || objects === null || inside === null) return none('the path is not valid UTF-8');
  const index = files.readQuietly(history.index, LARGEST_INDEX);
  if (index === null) return none('git has no index of the files here, or one that is too large');
  // Rounded down, so that git reads files that were changed in the second in which it wrote the index.
  const indexed = new Date(Math.floor((files.entry(history.index)?.modified ?? 0) / 1000) * 1000);
  const { commit, shallow } = history;
  const hash = commit.length === 64 ? 'sha256' : 'sha1';
  // The rules that git would read from outside the work tree, as one file: the last that matches decides.
  const { files: rules, checkout } = await repositoryRules(repository, files, budget);
  const exclude = rules.map(({ content }) => `${withoutByteOrderMark(content)}\n`).join('') as Bytes;
  const workTree: WorkTree = { path, index, indexed, commit, settings: checkout, exclude };
  const words = inside === '' ? ARGUMENTS : [...ARGUMENTS, '--', `:(literal)${inside}`];
  const started = await withObjects(directory, history.objects, budget, (descriptor, parts) => ({
    output: outputOf(startGit(words, { descriptor, objects, parts, shallow, hash }, workTree)),
  }));
  if (started === null) return none('the objects of the repository are not plain files');
  return async () => {
    const output = await started.output;
    return typeof output === 'string' ? output : statusFrom(output, history.directory);
  };
}

async function outputOf(started: StartedGit | null): Promise<Buffer | string> {
  if (started === null) return 'git is not installed, or must not be started here';
  const chunks: Buffer[] = [];
  let length = 0;
  const read = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    return length <= MAX_OUTPUT;
  };
  const end = await outputEnd(started, read, AbortSignal.timeout(TIME_LIMIT));
  return end === 'whole' ? Buffer.concat(chunks) : WHY_NOT[end];
}

const WHY_NOT = {
  enough: 'git has too much to say',
  unstarted: 'git could not be started',
  failed: 'git could not read the repository',
  aborted: 'git took too long',
} as const;

/** Git ignores its own directory, but does not say so. */
const DOT_GIT = '!! .git/';

/** Parses `XY path` records, each terminated by NUL. Paths start at the repository's root; `?? docs/` is a directory. */
function statusFrom(output: Buffer, directory: Bytes): StatusOf {
  const start = directory === '' ? '' : `${directory}/`;
  const known = new Map<string, string>();
  /** The directories that are untracked or ignored with everything in them. */
  const whole = new Map<string, string>();
  for (const record of [DOT_GIT, ...output.toString('latin1').split('\0')]) {
    const path = record.slice(3);
    const code = record.slice(0, 2).replaceAll(' ', '-');
    // Above the listed directory, git names only one that is ignored.
    const isAround = path.endsWith('/') && start.startsWith(path);
    if (path === '' || !(path.startsWith(start) || isAround)) continue;
    const inner = path.slice(start.length);
    if (inner.endsWith('/') || inner === '') whole.set(inner.replace(/\/$/, ''), code);
    known.set(inner.replace(/\/$/, ''), code);
    if (code === '!!') continue;
    for (const above of directoriesAbove(inner)) known.set(above, together(known.get(above) ?? '--', code));
  }
  const nearest = (path: string) => directoriesAbove(path).findLast((above) => whole.has(above)) ?? '';
  return (path) => known.get(path) ?? whole.get(nearest(path)) ?? '--';
}

function directoriesAbove(path: string): string[] {
  const found: string[] = [];
  for (let at = path.indexOf('/'); at > 0 && at < path.length - 1; at = path.indexOf('/', at + 1)) {
    found.push(path.slice(0, at));
  }
  return found;
}

/** Combines the status of entries for the directory above: their letter, or M if they differ. */
function together(one: string, other: string): string {
  const added = other === '??' ? '-?' : other;
  return [0, 1].map((i) => letterOf(one.charAt(i), added.charAt(i))).join('');
}

function letterOf(one: string, other: string): string {
  if (one === other || other === '-' || (other === '?' && one !== '-')) return one;
  return one === '-' || one === '?' ? other : 'M';
}
