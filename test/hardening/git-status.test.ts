/**
 * `agent-ls --git` asks git about files, and nothing that the repository says starts a program: each trap here is one
 * that `git status` itself springs in the same repository.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentLs } from '../support/command-line.ts';
import { git, makeRepository } from '../support/git.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

interface Ground {
  readonly workspace: string;
  /** A program that leaves a mark. */
  readonly trap: string;
  readonly isSprung: () => boolean;
}

/** A repository in which `changed.txt` has to be read to know that it was changed. */
function ground(): Ground {
  const base = emptyDirectory();
  const [workspace, trap, mark] = [join(base, 'ws'), join(base, 'trap'), join(base, 'mark')];
  mkdirSync(workspace);
  writeFileSync(trap, `#!/bin/sh\necho sprung >> '${mark}'\ncat\n`);
  chmodSync(trap, 0o755);
  makeRepository(workspace);
  addTree(workspace, { 'changed.txt': 'one\n', 'same.txt': 'one\n' });
  git(workspace, 'add', '--all');
  git(workspace, 'commit', '--quiet', '-m', 'x');
  writeFileSync(join(workspace, 'changed.txt'), 'two\n');
  // Of another time than git has noted, so that git compares their content.
  for (const name of ['changed.txt', 'same.txt']) utimesSync(join(workspace, name), 1, 1);
  return { workspace, trap, isSprung: () => existsSync(mark) };
}

const config = ({ workspace, trap }: Ground, text: string) =>
  appendFileSync(join(workspace, '.git/config'), text.replaceAll('TRAP', trap));

/** What whoever writes into the workspace can do. */
const TRAPS: readonly [string, (ground: Ground) => void][] = [
  ['a monitor of files', (at) => config(at, '[core]\n\tfsmonitor = TRAP\n')],
  [
    'a filter that cleans files',
    (at) => {
      config(at, '[filter "x"]\n\tclean = TRAP\n\trequired = true\n');
      writeFileSync(join(at.workspace, '.gitattributes'), '*.txt filter=x\n');
    },
  ],
  [
    'a filter that runs as a process',
    (at) => {
      config(at, '[filter "x"]\n\tprocess = TRAP\n');
      mkdirSync(join(at.workspace, '.git/info'), { recursive: true });
      writeFileSync(join(at.workspace, '.git/info/attributes'), '*.txt filter=x\n');
    },
  ],
  [
    'a setting that stands in an included file',
    (at) => {
      config(at, '[include]\n\tpath = ../more.inc\n');
      writeFileSync(join(at.workspace, 'more.inc'), `[core]\n\tfsmonitor = ${at.trap}\n`);
    },
  ],
  [
    'the settings of a submodule',
    (at) => {
      const inner = join(at.workspace, 'sub');
      mkdirSync(inner);
      makeRepository(inner);
      addTree(inner, { x: '' });
      git(inner, 'add', '--all');
      git(inner, 'commit', '--quiet', '-m', 'x');
      git(at.workspace, 'add', 'sub');
      config({ ...at, workspace: inner }, '[core]\n\tfsmonitor = TRAP\n');
    },
  ],
];

describe.runIf(process.platform !== 'win32')('agent-ls --git starts no program of', () => {
  it.each(TRAPS)('%s', async (_, prepare) => {
    const at = ground();
    prepare(at);
    const { status, out } = await agentLs(['--git', at.workspace]);
    expect(status).toBe(0);
    expect(out).toMatch(/ -M {2}changed\.txt$/m);
    expect(out).toMatch(/ -- {2}same\.txt$/m);
    expect(at.isSprung()).toBe(false);
    spawnSync('git', ['status'], { cwd: at.workspace });
    expect(at.isSprung(), 'the trap works').toBe(true);
  });

  it('a hook that runs when the index is written', async () => {
    const at = ground();
    mkdirSync(join(at.workspace, '.git/hooks'), { recursive: true });
    writeFileSync(join(at.workspace, '.git/hooks/post-index-change'), `#!/bin/sh\nexec '${at.trap}' < /dev/null\n`);
    chmodSync(join(at.workspace, '.git/hooks/post-index-change'), 0o755);
    expect((await agentLs(['--git', at.workspace])).out).toMatch(/ -M {2}changed\.txt$/m);
    expect(at.isSprung()).toBe(false);
    execFileSync('git', ['status'], { cwd: at.workspace });
    expect(at.isSprung(), 'the trap works').toBe(true);
  });

  it('a partial clone, which is not asked at all', async () => {
    const at = ground();
    config(at, '[remote "origin"]\n\turl = ext::TRAP\n\tpromisor = true\n[extensions]\n\tpartialClone = origin\n');
    const { out, err } = await agentLs(['--git', at.workspace]);
    expect(err).toContain("git's status is not shown");
    expect(out).toContain('changed.txt');
    expect(at.isSprung()).toBe(false);
  });

  it('nothing is changed in the repository', async () => {
    const at = ground();
    const state = () => execFileSync('find', ['.git', '-printf', '%p %T@ %s\n'], { cwd: at.workspace }).toString();
    const before = state();
    await agentLs(['--git', at.workspace]);
    expect(state()).toBe(before);
  });
});

describe('git’s column', () => {
  it('is what git says of each file', async () => {
    const { workspace } = ground();
    addTree(workspace, {
      ...{ 'src/new.ts': '', 'src/old.ts': '', 'docs/a.md': '', 'gone/x': '', '.gitignore': 'out/\n*.log\n' },
      ...{ 'out/x': '', 'a.log': '', 'b.log': '' },
    });
    git(workspace, 'add', '--force', 'src/old.ts', 'gone/x', '.gitignore', 'b.log');
    git(workspace, 'commit', '--quiet', '-m', 'y');
    writeFileSync(join(workspace, 'src/old.ts'), 'changed');
    addTree(workspace, { 'staged.ts': '', 'both.ts': '' });
    git(workspace, 'add', 'staged.ts', 'both.ts');
    writeFileSync(join(workspace, 'both.ts'), 'changed');
    rmSync(join(workspace, 'gone/x'));
    addTree(workspace, { 'gone/y': '' });
    const column = async (...words: string[]) => {
      const { out } = await agentLs(['--git', '-a', ...words, workspace]);
      return out.split('\n').map((line) => line.replace(/^.*\d\d:\d\d {2}/, '').replace(`${workspace}/`, ''));
    };
    expect(await column('-I', '.git')).toEqual([
      ...['??  docs/', '-D  gone/', '!!  out/', '-M  src/', '--  .gitignore', '!!  a.log', '--  b.log'],
      ...['AM  both.ts', '-M  changed.txt', '--  same.txt', 'A-  staged.ts'],
    ]);
    expect(await column('-R', '-p', '*.ts')).toEqual([
      '??  src/new.ts',
      '-M  src/old.ts',
      'AM  both.ts',
      'A-  staged.ts',
    ]);
    expect((await agentLs(['--git', join(workspace, 'src')])).out).toMatch(/\?\? {2}new\.ts\n.* -M {2}old\.ts$/);
    expect((await agentLs(['--git', join(workspace, 'docs')])).out).toMatch(/\?\? {2}a\.md$/);
  });

  it('tells what a repository inside ignores from what it does not', async () => {
    const { workspace } = ground();
    for (const name of ['nest', 'sub']) {
      makeRepository(join(workspace, name));
      addTree(workspace, { [`${name}/d/b`]: '', [`${name}/.gitignore`]: '*.log\n', [`${name}/d/a.log`]: '' });
    }
    git(join(workspace, 'sub'), 'add', '.gitignore');
    git(join(workspace, 'sub'), 'commit', '--quiet', '-m', 'x');
    git(workspace, 'add', 'sub');
    git(workspace, 'commit', '--quiet', '-m', 'z');
    const { out } = await agentLs(['--git', '-R', workspace]);
    expect(out).toMatch(/!! {2}\S*nest\/d\/a\.log$/m);
    expect(out).toMatch(/\?\? {2}\S*nest\/d\/b$/m);
    expect(out).toMatch(/!! {2}\S*sub\/d\/a\.log$/m);
    expect(out).toMatch(/-- {2}\S*sub\/d\/b$/m);
  });

  it('is empty, with the reason, where there is no repository', async () => {
    const root = emptyDirectory();
    addTree(root, { a: '' });
    const { status, out, err } = await agentLs(['--git', root]);
    expect([status, out]).toEqual([0, expect.stringMatching(/ {2}a$/)]);
    expect(err).toContain("agent-ls: git's status is not shown: ");
  });
});
