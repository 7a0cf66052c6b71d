/** Random work trees with an index in every form that git writes. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, lstatSync, mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { type Dice, EXCLUDES, type Tree } from './ignore-trees.ts';

export const FORMS = ['plain', 'sha256', 'version 4', 'to add', 'split', 'conflicts', 'untracked', 'sparse'] as const;
export type Form = (typeof FORMS)[number];

const SETTINGS = ['core.hooksPath=', 'user.name=A', 'user.email=a@b.c', 'splitIndex.maxPercentChange=100'];
const ENV = { PATH: process.env.PATH, HOME: '/nonexistent', GIT_CONFIG_NOSYSTEM: '1', GIT_LITERAL_PATHSPECS: '1' };

/** Runs git in a directory, with paths as its input; what has to succeed throws. */
export function runGit(cwd: string, args: readonly string[], paths: readonly string[] = []): string {
  const input = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
  const words = [...SETTINGS.flatMap((setting) => ['-c', setting]), ...args];
  const options = { cwd, env: ENV, input, maxBuffer: 2 ** 30 };
  const { status, stdout, stderr } = spawnSync('git', words, options);
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.toString('latin1');
}

/** The paths that git lists, each once, in the order of their bytes. */
export function gitsPaths(cwd: string, ...args: string[]): string[] {
  return [
    ...new Set(
      runGit(cwd, ['ls-files', '-z', ...args])
        .split('\0')
        .slice(0, -1),
    ),
  ].sort();
}

/** True for what is on the disk, and is not a directory. */
export function isFileOnDisk(root: string, path: string): boolean {
  const names = path.split('/');
  const typeAt = (length: number) =>
    lstatSync(Buffer.from(`${root}/${names.slice(0, length).join('/')}`, 'latin1'), { throwIfNoEntry: false });
  // Nothing lies below a link.
  for (let i = 1; i < names.length; i++) if (!typeAt(i)?.isDirectory()) return false;
  return typeAt(names.length)?.isDirectory() === false;
}

/** Makes the tree a repository, tracks some of its files, whatever the rules say, and then changes the disk a little. */
export function makeIndexed(root: string, tree: Tree, form: Form, dice: Dice): void {
  const onDisk = (path: string) => Buffer.from(`${root}/${path}`, 'latin1');
  const { entries, ignoreFiles } = tree;
  mkdirSync(root);
  for (const [path, kind] of entries) {
    if (kind === 'dir') mkdirSync(onDisk(path));
    else if (kind === 'link') symlinkSync('.', onDisk(path));
    else writeFileSync(onDisk(path), '');
  }
  runGit(root, ['init', '-q', '--template=', `--object-format=${form === 'sha256' ? 'sha256' : 'sha1'}`]);
  mkdirSync(`${root}/.git/info`);
  // Git takes both spellings for one file where it folds case, which a disk that does not fold cannot show.
  const folded = new Set([...entries.keys()].map((path) => path.toLowerCase()));
  const foldsCase = tree.ignoreCase && folded.size === entries.size;
  for (const [path, content] of ignoreFiles) {
    if (path !== EXCLUDES) writeFileSync(onDisk(path), content, 'latin1');
  }
  writeFileSync(`${root}/.git/excludes`, ignoreFiles.get(EXCLUDES) ?? '', 'latin1');
  const version = form === 'version 4' ? '[index]\n\tversion = 4\n' : '';
  const settings = `[core]\n\tignorecase = ${foldsCase}\n\texcludesFile = .git/excludes\n${version}`;
  appendFileSync(`${root}/.git/config`, settings);

  const files = [...entries].filter(([, kind]) => kind !== 'dir').map(([path]) => path);
  // Git reads an ignore file that a sparse checkout left out from its objects; we count it as missing.
  const mayBeTracked = files.filter((path) => form !== 'sparse' || !path.endsWith('/.gitignore'));
  const some = (chance: number) => mayBeTracked.filter(() => dice.percent(chance));
  runGit(root, ['update-index', '-z', '--add', '--stdin'], some(40));
  if (form === 'to add') add(root, some(20), '-N');
  if (form === 'untracked') runGit(root, ['update-index', '--force-untracked-cache']);
  if (form === 'split') {
    if (dice.percent(30)) runGit(root, ['update-index', '--index-version', '4']);
    runGit(root, ['update-index', '--split-index']);
    for (let rounds = dice.below(3); rounds >= 0; rounds--) {
      runGit(root, ['update-index', '-z', '--force-remove', '--stdin'], some(15));
      for (const path of some(10)) if (isFileOnDisk(root, path)) unlinkSync(onDisk(path));
      runGit(root, ['update-index', '-z', '--add', '--remove', '--stdin'], some(15));
    }
  }
  if (form === 'conflicts') {
    const lines = some(20).flatMap((path) => [1, 2, 3].map((stage) => `100644 ${'1'.repeat(40)} ${stage}\t${path}`));
    runGit(root, ['update-index', '-z', '--index-info'], lines);
  }
  if (form === 'sparse') {
    runGit(root, ['commit', '-q', '--allow-empty', '-m', 'all']);
    const directories = [...entries].filter(([path, kind]) => kind === 'dir' && /^[\w./]+$/.test(path));
    const chosen = directories.filter(() => dice.percent(40)).map(([path]) => path);
    runGit(root, ['sparse-checkout', 'set', '--cone', '--sparse-index', ...chosen]);
  }
  for (const path of files) {
    if (!dice.percent(4) || !isFileOnDisk(root, path) || form === 'sparse' || ignoreFiles.has(path)) continue;
    unlinkSync(onDisk(path));
    if (dice.percent(50)) mkdirSync(onDisk(path));
  }
}

function add(root: string, paths: readonly string[], ...args: string[]): void {
  if (paths.length > 0) runGit(root, ['add', '-f', ...args, '--pathspec-from-file=-', '--pathspec-file-nul'], paths);
}

/** An index as git would write it, of version 2, with nothing but paths. All of it is ASCII. */
export function indexOf(paths: readonly string[], extensions = '', count = paths.length, version = 2): string {
  const number = (value: number) =>
    String.fromCharCode(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
  const entries = paths.map((path) => {
    const entry = `${'\0'.repeat(61)}${String.fromCharCode(path.length)}${path}`;
    return entry.padEnd((entry.length + 8) & ~7, '\0');
  });
  return `DIRC${number(version)}${number(count)}${entries.join('')}${extensions}${'\0'.repeat(20)}`;
}
