/**
 * Random trees on disk, with repositories inside of repositories, and a workspace somewhere in between: `explain` has
 * to name the same rule of the same file as git does in the repository that a path belongs to.
 *
 * `AGENT_LS_SEED` sets the first seed (1).
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { explain, openWorkspace } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { inJson, unquoted } from '../../src/names/quote.ts';
import { type Dice, diceFor, EXCLUDES, randomFile, randomTree, type Tree } from '../support/ignore-trees.ts';
import { rounds } from '../support/rounds.ts';
import { emptyDirectory } from '../support/tree.ts';

const TREES = rounds(30);
const SEED = Number(process.env.AGENT_LS_SEED ?? 1);

it(
  `explains as git does, in repositories inside of repositories (${TREES} from AGENT_LS_SEED=${SEED})`,
  async () => {
    const home = emptyDirectory();
    const excludes = join(home, 'excludes');
    writeFileSync(join(home, 'config'), `[core]\nexcludesFile = ${excludes}\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(home, 'config'));
    vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    for (let seed = SEED; seed < SEED + TREES; seed++) {
      const dice = diceFor(seed);
      const tree = randomTree(dice);
      const base = join(home, `${seed}`);
      writeFileSync(excludes, tree.ignoreFiles.get(EXCLUDES) ?? '', 'latin1');
      const repositories = makeOnDisk(base, tree, dice);
      const directories = [...tree.entries].filter(([, kind]) => kind === 'dir').map(([path]) => path);
      const root = dice.percent(40) || directories.length === 0 ? '' : dice.pick(directories);
      const paths = [...tree.entries.keys()].filter((path) => root === '' || path.startsWith(`${root}/`));
      const ours = await askOurs(base, root, paths);
      const theirs = askGit(base, repositories, paths);
      const wrong = paths.filter((path) => ours.get(path) !== theirs.get(path));
      const rows = wrong.map((path) => ({ path, ours: ours.get(path), git: theirs.get(path) }));
      if (rows.length > 0) {
        const detail = JSON.stringify({ root, repositories, ignoreCase: tree.ignoreCase, rows }, null, 1);
        expect.fail(`AGENT_LS_SEED=${seed} TEST_FACTOR=0 (of ${TREES} from ${SEED})\n${detail}`);
      }
    }
  },
  30_000 + 300 * TREES,
);

function below(directory: string, path: string): string {
  return path === '' ? directory : directory === '' ? path : `${directory}/${path}`;
}

/** Returns where the repositories are, relative to `base`. */
function makeOnDisk(base: string, { entries, ignoreFiles, ignoreCase }: Tree, dice: Dice): string[] {
  const onDisk = (path: string) => Buffer.from(below(base, path), 'latin1');
  mkdirSync(base);
  for (const [path, kind] of entries) {
    if (kind === 'dir') mkdirSync(onDisk(path));
    else if (kind === 'link') symlinkSync('.', onDisk(path));
    else writeFileSync(onDisk(path), '');
  }
  const directories = [...entries].filter(([, kind]) => kind === 'dir').map(([path]) => path);
  // Git can be started in a directory only if its path is text.
  const repositories = ['', ...directories.filter((path) => dice.percent(12) && /^[\x20-\x7e]*$/.test(path))];
  for (const repository of repositories) {
    const git = below(repository, '.git');
    for (const part of ['', '/objects', '/refs', '/info']) mkdirSync(onDisk(git + part));
    writeFileSync(onDisk(`${git}/HEAD`), 'ref: refs/heads/main\n');
    // Only the first obeys the tree's wish; what the others do must not depend on it.
    const isFolding = repository === '' ? ignoreCase : dice.percent(30);
    writeFileSync(onDisk(`${git}/config`), `[core]\n\trepositoryformatversion = 0\n\tignorecase = ${isFolding}\n`);
    if (repository !== '' && dice.percent(50)) {
      writeFileSync(onDisk(`${git}/info/exclude`), randomFile(dice, ['a', 'b', 'foo']), 'latin1');
    }
  }
  for (const [path, content] of ignoreFiles) {
    if (path !== EXCLUDES) writeFileSync(onDisk(path), content, 'latin1');
  }
  // An empty `.git` makes no repository.
  for (const directory of directories) {
    if (!repositories.includes(directory) && dice.percent(5)) mkdirSync(onDisk(below(directory, '.git')));
  }
  return repositories;
}

/** For each path the rule that decides: its file (absolute), line and pattern. All of it as bytes. */
async function askOurs(base: string, root: string, paths: readonly string[]): Promise<Map<string, string>> {
  const directory = below(base, root) as Bytes;
  const workspace = await openWorkspace(inJson(directory));
  const sent = paths.map((path) => inJson(below(base, path) as Bytes));
  const explanations = await explain(sent, workspace);
  workspace.close();
  return new Map(
    explanations.map(({ hidden, by, source, line, pattern }, i) => {
      const rule = asBytes(pattern ?? '');
      expect([by, hidden]).toEqual(pattern === null ? [null, false] : ['git', !rule.startsWith('!')]);
      const file = source === null ? '' : resolve(directory, asBytes(source));
      return [paths[i] as string, by === null ? '' : `${file}:${line}:${rule}`];
    }),
  );
}

function asBytes(text: string): string {
  return text.startsWith('"') ? (unquoted(text) as Bytes) : bytesOf(text);
}

/** The same from git, asked in the nearest repository above each path. */
function askGit(base: string, repositories: readonly string[], paths: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  const nearestFirst = repositories.toSorted((a, b) => b.length - a.length);
  const ownerOf = (path: string) => nearestFirst.find((one) => one === '' || path.startsWith(`${one}/`)) as string;
  for (const repository of repositories) {
    const own = paths.filter((path) => ownerOf(path) === repository);
    if (own.length === 0) continue;
    const directory = below(base, repository);
    const start = repository === '' ? 0 : repository.length + 1;
    const fields = git(directory, own.map((path) => `./${path.slice(start)}\0`).join('')).split('\0');
    expect(fields).toHaveLength(4 * own.length + 1);
    for (const [i, path] of own.entries()) {
      const [source = '', line, pattern] = fields.slice(4 * i);
      found.set(path, source === '' ? '' : `${resolve(directory, source)}:${line}:${pattern}`);
    }
  }
  return found;
}

/** Isolated by the environment that the test sets. Status 1 means that no path is ignored, which is an answer. */
function git(cwd: string, input: string): string {
  const args = ['check-ignore', '-v', '-n', '--no-index', '--stdin', '-z'];
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, input: Buffer.from(input, 'latin1') });
  if (status !== 0 && status !== 1) throw new Error(stderr.toString());
  return stdout.toString('latin1');
}
