// A repository as it was some commits ago, and the commits that followed: what a reader will look for, with nothing in
// sight that could give it away.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The part of the history that may be taken for the future, where there is little of it. */
const FUTURE = 1 / 3;

/** A commit that touches more was made by a program, or by nobody who looked for files. */
const MAX_TARGETS = 100;

/**
 * `{ root, commits, sessions, files, directories, remove }`: a clone, and for each of the commits that followed its
 * subject and the files in the clone that it touched; `wants` chooses among those.
 */
export function pastOf(repository, { back, sessions: count, wants = () => true }) {
  const trunk = lines(git(repository, 'rev-list', '--first-parent', 'HEAD'));
  const ahead = Math.min(back, Math.floor(trunk.length * FUTURE));
  if (ahead === 0) throw new Error(`${repository} has too short a history.`);
  const place = realpathSync(mkdtempSync(join(tmpdir(), 'nav-')));
  const remove = () => rmSync(place, { recursive: true, force: true });
  try {
    const root = join(place, 'repo');
    git(repository, 'clone', '--quiet', '--no-checkout', repository, root);
    git(root, 'checkout', '--quiet', '--detach', trunk[ahead]);
    const files = new Set(git(root, 'ls-files', '-z', '--stage').split('\0').flatMap(plainFile));
    for (const path of ignoredOf(root, files)) files.delete(path);
    // A mirror may lack large objects, and then a checkout the file.
    for (const path of git(root, 'ls-files', '-z', '--deleted').split('\0')) files.delete(path);
    const commits = [];
    for (const commit of lines(git(repository, 'rev-list', '--reverse', '--no-merges', `${trunk[ahead]}..HEAD`))) {
      if (commits.length === count) break;
      const all = touchedBy(repository, commit, files);
      const touched = all.length > MAX_TARGETS ? [] : all.filter(wants);
      if (touched.length > 0) commits.push({ subject: git(repository, 'log', '-1', '--format=%s', commit), touched });
    }
    const sessions = commits.map(({ touched }) => touched);
    return { root, commits, sessions, files: files.size, paths: [...files], directories: directoriesOf(files), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function touchedBy(repository, commit, files) {
  const paths = git(repository, 'diff-tree', '-r', '-z', '--no-commit-id', '--no-renames', '--name-only', commit);
  return paths.split('\0').filter((path) => files.has(path));
}

/** Not a link and not a submodule. A name that is not valid UTF-8 would not survive the bench. */
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
