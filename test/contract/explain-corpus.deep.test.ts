/** What hides a path, asked of git, too, in 500 cases. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { explain } from '../../src/faces/library/explain.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { inJson } from '../../src/names/quote.ts';
import { corpus, type GitignoreCase } from '../support/corpus.ts';
import { isolateGit } from '../support/repository.ts';
import { addTree } from '../support/tree.ts';

isolateGit();

/** Makes a repository of each directory, and asks git there about the paths in its `input`. */
const ASK_GIT = `
  for directory in "$@"; do
    cd "$directory/root" && git init --quiet --template= || exit
    GIT_CONFIG_GLOBAL=../config git check-ignore -v -n --no-index --stdin -z <../input >../output || [ $? = 1 ] || exit
  done`;

describe('names the rule that git names', () => {
  const cases = corpus<GitignoreCase>('gitignore');
  const EXCLUDES = '<core.excludesFile>';
  let top: string;

  // Perf: one shell for all of them starts git several times as fast as this process could.
  beforeAll(() => {
    top = realpathSync(mkdtempSync(join(tmpdir(), 'agent-ls-test-')));
    for (const one of cases) writeCase(one);
    const env = { PATH: process.env.PATH, HOME: top, GIT_CONFIG_NOSYSTEM: '1' };
    execFileSync('bash', ['-c', ASK_GIT, 'bash', ...cases.map(({ id }) => join(top, id))], { env });
  });
  afterAll(() => rmSync(top, { recursive: true }));

  it('in 500 cases', () => {
    expect(cases).toHaveLength(500);
  });

  it.each(cases)('$id', async ({ id, expect_ignored, expect_visible }) => {
    const paths = [...expect_ignored, ...expect_visible];
    const sent = paths.map((path) => inJson(bytesOf(path)));
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(top, id, 'config'));
    const workspace = await openWorkspace(join(top, id, 'root'));
    const ours = await explain(sent, workspace);
    workspace.close();
    expect(ours.flatMap(({ hidden }, i) => (hidden ? [paths[i]] : []))).toEqual(expect_ignored);
    expect(ours.map(({ by, source, line, pattern }) => [by, source ?? '', `${line ?? ''}`, pattern ?? ''])).toEqual(
      answersOfGit(id, paths).map(([source, ...rest]) => [source === '' ? null : 'git', source, ...rest]),
    );
  });

  /** A directory of its own, with the root, the user's ignore file and the question to git. */
  function writeCase({ id, files, gitignores, symlinks = {}, ignorecase = false, ...expected }: GitignoreCase): void {
    const [root, excludes] = [join(top, id, 'root'), join(top, id, 'excludes')];
    const { [EXCLUDES]: users = '', ...gits } = gitignores;
    const links = Object.entries(symlinks).map(([path, link]) => [path, { link }]);
    addTree(root, { ...files, ...gits, ...Object.fromEntries(links) });
    // A path that starts with a colon would be more than a path; behind `./` it is not.
    const paths = [...expected.expect_ignored, ...expected.expect_visible].map((path) => `./${path}\0`);
    // What lies outside the workspace only the user may name.
    const config = `[core]\nexcludesfile = ${excludes}\n`;
    addTree(join(top, id), { excludes: users, config, input: paths.join('') });
    addTree(root, { '.git/config': `[core]\nignorecase = ${ignorecase}\n` });
  }

  /** Source, line and pattern for each path; '' where no rule matches it. */
  function answersOfGit(id: string, paths: readonly string[]): string[][] {
    const fields = readFileSync(join(top, id, 'output'), 'utf8').split('\0');
    expect(paths.map((_, i) => fields[4 * i + 3])).toEqual(paths.map((path) => `./${path}`));
    return paths.map((_, i) => fields.slice(4 * i, 4 * i + 3));
  }
});
