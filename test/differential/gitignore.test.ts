/**
 * Random trees with nasty ignore files, asked of git and of us: the same rule of the same file has to decide.
 *
 * `AGENT_LS_SEED` sets the first seed (1). Each tree has a seed of its own, the first
 * plus its number, so that one that failed can be had alone.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Bytes } from '../../src/names/bytes.ts';
import { IgnoreChain } from '../../src/rules/gitignore.ts';
import type { Verdict } from '../../src/rules/rule.ts';
import { parseIgnoreFile } from '../support/ignore-file.ts';
import { denseTree, diceFor, EXCLUDES, INFO, randomTree, type Tree } from '../support/ignore-trees.ts';
import { rounds } from '../support/rounds.ts';
import { emptyDirectory } from '../support/tree.ts';

const TREES = rounds(100);
const SEED = Number(process.env.AGENT_LS_SEED ?? 1);

it.each([
  ['random trees', randomTree],
  ['one pattern a directory', denseTree],
])(
  `names the same file, line and pattern as git: %s (${TREES} from AGENT_LS_SEED=${SEED})`,
  async (_, makeTree) => {
    const repository = join(emptyDirectory(), 'repository');
    mkdirSync(join(repository, '.git/info'), { recursive: true });
    git(repository, ['init', '--quiet', '--template=']);
    for (let seed = SEED; seed < SEED + TREES; seed++) {
      const tree = makeTree(diceFor(seed));
      const ours = await decisions(tree);
      const theirs = askGit(repository, tree);
      const wrong = [...tree.entries.keys()].filter((path) => ours.get(path) !== theirs.get(path));
      if (wrong.length === 0) continue;
      const rows = wrong.map((path) => ({ path, ours: ours.get(path), git: theirs.get(path) }));
      const sources = new Set(rows.flatMap((row) => [row.ours, row.git]).map((rule) => rule?.split(':')[0]));
      const files = [...tree.ignoreFiles].filter(([path]) => sources.has(path));
      const detail = JSON.stringify({ ignoreCase: tree.ignoreCase, files, rows }, null, 1);
      expect.fail(`AGENT_LS_SEED=${seed} TEST_FACTOR=0 (of ${TREES} from ${SEED})\n${detail}`);
    }
  },
  30_000 + 100 * TREES,
);

/** For each path the rule that decides, as git prints it. */
async function decisions({ entries, ignoreFiles, ignoreCase }: Tree): Promise<Map<string, string>> {
  const effort = { steps: 0 };
  const read = (source: string) => {
    const content = ignoreFiles.get(source);
    return content === undefined ? null : parseIgnoreFile(content as Bytes, source as Bytes, { ignoreCase });
  };
  const atRoot = [EXCLUDES, INFO, '.gitignore'].map(read).filter((file) => file !== null);
  const chains = new Map([['', IgnoreChain.root(atRoot)]]);
  const found = new Map<string, string>();
  for (const [path, kind] of entries) {
    const slash = path.lastIndexOf('/');
    const chain = chains.get(path.slice(0, Math.max(slash, 0))) as IgnoreChain;
    const name = path.slice(slash + 1) as Bytes;
    found.set(path, printed(chain.decide(name, kind === 'dir', effort)));
    if (kind === 'dir') chains.set(path, await chain.enter(name, () => read(`${path}/.gitignore`), effort));
  }
  return found;
}

function printed(decision: Verdict | null): string {
  if (decision === null) return '';
  expect(decision.hidden).toBe(!decision.pattern.startsWith('!'));
  return `${decision.source}:${decision.line}:${decision.pattern}`;
}

/** The same from git. Files are not made: a path that does not exist counts as one. */
function askGit(repository: string, { entries, ignoreFiles, ignoreCase }: Tree): Map<string, string> {
  const excludes = join(repository, EXCLUDES);
  const onDisk = (path: string) => Buffer.from(`${repository}/${path}`, 'latin1');
  for (const [path, kind] of entries) {
    if (kind === 'dir') mkdirSync(onDisk(path));
    if (kind === 'link') symlinkSync('.', onDisk(path));
  }
  for (const [path, content] of ignoreFiles) writeFileSync(onDisk(path), content, 'latin1');

  const config = ['-c', `core.ignorecase=${ignoreCase}`, '-c', `core.excludesFile=${excludes}`];
  const paths = [...entries.keys()];
  // A path that starts with a colon would be more than a path; behind `./` it is not.
  const input = Buffer.from(paths.map((path) => `./${path}\0`).join(''), 'latin1');
  const output = git(repository, [...config, 'check-ignore', '-v', '-n', '--no-index', '--stdin', '-z'], input);
  // One repository serves all trees. Node's own removal cannot name what is no UTF-8.
  for (const path of ignoreFiles.keys()) unlinkSync(onDisk(path));
  for (const [path, kind] of [...entries].reverse()) {
    if (kind === 'dir') rmdirSync(onDisk(path));
    if (kind === 'link') unlinkSync(onDisk(path));
  }

  const fields = output.split('\0');
  expect(fields).toHaveLength(4 * paths.length + 1);
  return new Map(
    paths.map((path, i) => {
      const [source = '', line, pattern] = fields.slice(4 * i);
      return [path, source === '' ? '' : `${source === excludes ? EXCLUDES : source}:${line}:${pattern}`];
    }),
  );
}

function git(cwd: string, args: readonly string[], input: Buffer = Buffer.alloc(0)): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  try {
    return execFileSync('git', args, { cwd, env, input, encoding: 'latin1', stdio: ['pipe', 'pipe', 'pipe'] });
  } catch (error) {
    // Status 1 means that no path is ignored, which is an answer.
    const { status, stdout } = error as { status: number; stdout: string };
    if (status === 1) return stdout;
    throw error;
  }
}
