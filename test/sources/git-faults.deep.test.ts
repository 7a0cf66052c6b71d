/** Repositories that are damaged or made to do harm, and a git that does not do as it should. */
import { execFileSync } from 'node:child_process';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { call, list, openWorkspace, tree } from '../../src/index.ts';
import { askGit, git } from '../support/git.ts';
import { isolateGit, makeRepositoryTree } from '../support/repository.ts';
import { addTree, emptyDirectory } from '../support/tree.ts';

isolateGit();
afterEach(() => vi.unstubAllEnvs());

const ask = (root: string, ...words: string[]) => (askGit(root, words) as string).trim();

/** A tree object of any content, which git itself would not make. */
function writeTree(root: string, entries: readonly (readonly [mode: string, name: string, id: string])[]): string {
  const parts = entries.flatMap(([mode, name, id]) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]);
  const words = ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'];
  return execFileSync('git', words, { cwd: root, input: Buffer.concat(parts) })
    .toString()
    .trim();
}

function writeBlob(root: string): string {
  return execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: root, input: 'x' }).toString().trim();
}

describe('a repository', () => {
  it('with names that cannot be shows them, and none leads anywhere', async () => {
    const root = makeRepositoryTree({});
    const blob = writeBlob(root);
    const inner = writeTree(root, [['100644', 'inside', blob]]);
    const odd = ['', '.', '..', '../etc', 'a/b'];
    const id = writeTree(root, [
      ...odd.map((name) => ['40000', name, inner] as const),
      ['40000', 'good', inner],
      ['100644', 'both', blob],
      ['40000', 'both', inner],
    ]);
    using workspace = await openWorkspace(`git:${root}@${id}`);
    const forms = ['(empty)', '\\x2e', '\\x2e\\x2e', '..\\x2fetc', 'a\\x2fb'];
    const shown = [...forms.map((form) => `${form} other`), 'good dir', 'both file', 'both dir'].toSorted();
    const listed = await list({}, workspace);
    expect(listed.entries.map(({ name, type }) => `${name} ${type}`).toSorted()).toEqual(shown);
    const walked = await list({ depth: 9 }, workspace);
    expect(walked.entries.map(({ path, type }) => `${path} ${type}`).toSorted()).toEqual(
      [...shown, 'good/inside file', 'both/inside file'].toSorted(),
    );
    for (const path of [...forms, '..', '../etc']) await expect(list({ path }, workspace)).rejects.toThrow();
  });

  it.each([
    ['is missing', (path: string) => rmSync(path)],
    [
      'is garbage',
      (path: string) => {
        chmodSync(path, 0o644);
        writeFileSync(path, 'garbage');
      },
    ],
  ])('of which a directory %s is listed without it, which is told', async (_, harm) => {
    const root = makeRepositoryTree({ 'a/x.ts': '', 'b/c/y.ts': '', 'd/z.ts': '' });
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'all');
    const id = ask(root, 'rev-parse', 'HEAD:b/c');
    harm(join(root, '.git/objects', id.slice(0, 2), id.slice(2)));
    using workspace = await openWorkspace(`git:${root}@HEAD`);
    const { entries, failures } = await list({ depth: 9 }, workspace);
    expect(entries.map(({ path }) => path)).toEqual(['a', 'a/x.ts', 'b', 'b/c', 'd', 'd/z.ts']);
    expect(failures).toMatchObject([{ path: 'b/c', reason: expect.stringContaining('EIO') }]);
    expect((await tree({}, workspace)).text).toContain('b/c/?');
  });

  it('in which something huge is named as a directory does not fill the memory', async () => {
    const root = makeRepositoryTree({});
    const huge = execFileSync('git', ['hash-object', '-w', '--stdin'], { cwd: root, input: Buffer.alloc(200_000_000) });
    const inner = writeTree(root, [['100644', 'file', writeBlob(root)]]);
    const id = writeTree(root, [
      ['40000', 'a', inner],
      ['40000', 'huge', huge.toString().trim()],
    ]);
    using workspace = await openWorkspace(`git:${root}@${id}`);
    const before = process.memoryUsage().arrayBuffers;
    const [{ entries, failures }, map] = await Promise.all([list({ depth: Infinity }, workspace), tree({}, workspace)]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100_000_000);
    expect(entries.map(({ path }) => path)).toEqual(['a', 'a/file', 'huge']);
    expect(failures).toMatchObject([{ path: 'huge', reason: expect.stringContaining('larger than 64 MB') }]);
    expect(map.text).toContain('huge/?');
  });

  it('with a huge directory is read with pauses', async () => {
    const root = makeRepositoryTree({});
    const file = writeBlob(root);
    const names = Array.from({ length: 400_000 }, (_, i) => `file${String(i).padStart(6, '0')}`);
    const id = writeTree(
      root,
      names.map((name) => ['100644', name, file] as const),
    );
    using workspace = await openWorkspace(`git:${root}@${id}`);
    for (const depth of [1, Infinity]) {
      let [before, longest] = [process.cpuUsage(), 0];
      const timer = setInterval(() => {
        longest = Math.max(longest, process.cpuUsage(before).user / 1000);
        before = process.cpuUsage();
      }, 1);
      const { totals } = await list({ depth, limit: 1 }, workspace);
      clearInterval(timer);
      expect(totals.file).toBe(400_000);
      // Milliseconds of work without a turn for anybody else; in one go it takes a second.
      expect(longest).toBeLessThan(400);
    }
  });

  it('that unfolds into more than there is time for gives a part of it, and says so', async () => {
    const root = makeRepositoryTree({});
    let id = writeTree(root, [['100644', 'file', writeBlob(root)]]);
    const names = Array.from({ length: 10 }, (_, i) => `d${i}`);
    for (let depth = 0; depth < 10; depth++) {
      const inner = id;
      id = writeTree(
        root,
        names.map((name) => ['40000', name, inner] as const),
      );
    }
    using workspace = await openWorkspace(`git:${root}@${id}`);
    const before = process.memoryUsage().rss;
    const map = await tree({}, workspace, { timeLimit: 300 });
    expect(map.text).toMatch(/^# .*incomplete/);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 2 ** 20);
    expect((await call('standard', {}, workspace)).text).toContain('(Total: 10 items');
  });
});

describe('a git', () => {
  /** Takes the place of git: `asked` stands for what reads the questions, and gets git's own path. */
  function pretend(asked: string): void {
    const real = execFileSync('which', ['git']).toString().trim();
    const place = emptyDirectory();
    const script = `#!/bin/sh\ncase "$*" in *cat-file*) ${asked.replaceAll('GIT', real)};; *) exec ${real} "$@";; esac\n`;
    writeFileSync(join(place, 'git'), script, { mode: 0o755 });
    vi.stubEnv('PATH', place);
  }

  function makeProject(): string {
    const root = makeRepositoryTree({});
    addTree(root, Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`d${i}/file${i}.ts`, ''])));
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '-m', 'all');
    return root;
  }

  it.each([
    ['that ends at once', '/bin/true'],
    ['that writes something else', '/bin/yes garbage'],
  ])('%s is told when a revision is opened', async (_, asked) => {
    const root = makeProject();
    pretend(asked);
    await expect(openWorkspace(`git:${root}@HEAD`)).rejects.toMatchObject({ name: 'ListingError' });
  });

  it.each([
    // The revision itself is answered, and the directory of the root.
    ['that ends in the middle', '/bin/sed -u 9q | GIT "$@"'],
    ['that says nothing more', '(/bin/sed -u 9q; /bin/sleep 5) | GIT "$@"'],
  ])('%s is not waited for, and the next call has another', async (_, asked) => {
    const root = makeProject();
    pretend(asked);
    using workspace = await openWorkspace(`git:${root}@HEAD`);
    const [map, listed] = await Promise.all([
      tree({}, workspace, { timeLimit: 1500 }),
      call('standard', { path: 'd1' }, workspace, { timeLimit: 1500 }),
    ]);
    for (const { text } of [map, listed]) expect(text).not.toMatch(/\n\s+at /);
    vi.unstubAllEnvs();
    isolateGit();
    expect((await call('standard', { path: 'd2' }, workspace)).text).toContain('file2.ts');
  });
});
