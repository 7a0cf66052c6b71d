// A repository as it was some commits ago, and the files that those commits then touched: what a reader will look for,
// with nothing in sight that could give it away.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of the history that is the future, and its length at most. */
const FUTURE = 1 / 3;
const MOST_COMMITS = 300;

/** Of one commit no more, so that a change of everything does not decide; or twice its share where commits are few. */
const MOST_OF_COMMIT = 5;

/** `{ root, targets, files, commit, remove }`: a clone, and at most `count` paths in it. */
export function pastOf(repository, count) {
  const trunk = lines(git(repository, 'rev-list', '--first-parent', 'HEAD'));
  const ahead = Math.min(MOST_COMMITS, Math.floor(trunk.length * FUTURE));
  if (ahead === 0) throw new Error(`${repository} has too short a history.`);
  const commit = trunk[ahead];
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'nav-')));
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    const root = join(place, 'repo');
    git(repository, 'clone', '--quiet', '--shared', '--no-checkout', repository, root);
    git(root, 'checkout', '--quiet', '--detach', commit);
    const files = new Set(git(root, 'ls-files', '-z', '--stage').split('\0').flatMap(plainFile));
    for (const path of ignoredOf(root, files)) files.delete(path);
    const future = lines(git(repository, 'rev-list', '--no-merges', `${commit}..HEAD`));
    const random = seededRandom(1);
    const most = Math.max(MOST_OF_COMMIT, Math.ceil((2 * count) / future.length));
    const touched = future.flatMap((one) => sample(touchedBy(repository, one, files), most, random));
    const targets = sample(touched, count, random);
    return {
      root,
      targets,
      files: files.size,
      directories: directoriesOf(files),
      commit,
      commits: trunk.length,
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}

function touchedBy(repository, commit, files) {
  const paths = git(repository, 'diff-tree', '-r', '-z', '--no-commit-id', '--no-renames', '--name-only', commit);
  return paths.split('\0').filter((path) => files.has(path));
}

/** No link and no submodule. What is no UTF-8 would not survive the bench. */
function plainFile(line) {
  const [, mode, path] = /^(\d+) \S+ \d\t(.*)$/s.exec(line) ?? [];
  return mode?.startsWith('100') && !path.includes('\ufffd') ? [path] : [];
}

/** Tracked and ignored all the same: maps do not show it. */
function ignoredOf(root, files) {
  try {
    return git({ cwd: root, input: [...files].join('\0') }, 'check-ignore', '--no-index', '-z', '--stdin').split('\0');
  } catch (error) {
    if (error.status === 1) return [];
    throw error;
  }
}

/** How many entries each directory has is what tells repositories apart. */
function directoriesOf(files) {
  return new Set([...files].map((path) => path.slice(0, Math.max(path.lastIndexOf('/'), 0)))).size;
}

function sample(list, count, random) {
  const rest = [...list];
  const chosen = [];
  while (chosen.length < count && rest.length > 0) {
    const [one] = rest.splice(Math.floor(random() * rest.length), 1);
    chosen.push(one);
  }
  return chosen;
}

/** The same at every run: mulberry32. */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function lines(text) {
  return text.split('\n').filter(Boolean);
}

function git(where, ...args) {
  const options = typeof where === 'string' ? { cwd: where } : where;
  return execFileSync('git', args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    stdio: ['pipe', 'pipe', 'ignore'],
    ...options,
  });
}
