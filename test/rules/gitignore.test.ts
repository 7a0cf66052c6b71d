import { describe, expect, it } from 'vitest';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { IgnoreChain } from '../../src/rules/gitignore.ts';
import type { IgnoreFile } from '../../src/rules/gitignore-file.ts';
import { corpus, type GitignoreCase } from '../support/corpus.ts';
import { parseIgnoreFile } from '../support/ignore-file.ts';

const read = (content: string | undefined, source: string, ignoreCase = false): IgnoreFile | null =>
  content === undefined ? null : parseIgnoreFile(bytesOf(content), bytesOf(source), { ignoreCase });

const known = (files: readonly (IgnoreFile | null)[]) => files.filter((file) => file !== null);

describe('ignores what git ignores', () => {
  const cases = corpus<GitignoreCase>('gitignore');

  it('has 500 cases', () => {
    expect(cases).toHaveLength(500);
  });

  it.each(cases)('$id', async ({ files, gitignores, ignorecase, ...expected }) => {
    const effort = { steps: 0 };
    const all = [...expected.expect_ignored, ...expected.expect_visible].toSorted();
    const isDirectory = (path: string) => files[path] === null || all.some((other) => other.startsWith(`${path}/`));
    const atRoot = ['<core.excludesFile>', '.git/info/exclude', '.gitignore'];
    const root = IgnoreChain.root(known(atRoot.map((source) => read(gitignores[source], source, ignorecase))));
    const chainOf = async (directory: string): Promise<IgnoreChain> => {
      if (directory === '') return root;
      const [parent, name] = parted(directory);
      const source = `${directory}/.gitignore`;
      return (await chainOf(parent)).enter(bytesOf(name), () => read(gitignores[source], source, ignorecase), effort);
    };
    const ignored: string[] = [];
    for (const path of all) {
      const [parent, name] = parted(path);
      const decision = (await chainOf(parent)).decide(bytesOf(name), isDirectory(path), effort);
      if (decision?.hidden) ignored.push(path);
    }
    expect(ignored).toEqual(expected.expect_ignored.toSorted());
  });

  function parted(path: string): [parent: string, name: string] {
    const slash = path.lastIndexOf('/');
    return [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1)];
  }
});

describe('a chain', () => {
  const effort = { steps: 0 };
  const decide = (chain: IgnoreChain, name: string, isDirectory = false) =>
    chain.decide(bytesOf(name), isDirectory, effort);
  /** All that is read here is there at once. */
  const enter = (chain: IgnoreChain, name: string, file: IgnoreFile | null = null) =>
    chain.enter(bytesOf(name), () => file, effort) as IgnoreChain;

  it('says which rule of which file decided', () => {
    const root = IgnoreChain.root(known([read('# logs\n\n!*.log/  \n', '.gitignore')]));
    expect(decide(root, 'a.log', true)).toMatchObject({
      by: 'git',
      hidden: false,
      source: '.gitignore',
      line: 3,
      pattern: '!*.log/',
    });
    expect(decide(root, 'a.log')).toBeNull();
  });

  it('asks the nearest file first, then the farther ones, and those of the root from the strongest to the weakest', () => {
    const lowest = [read('a\nb\nc\nd', 'excludes'), read('!b\n!c\n!d', 'info'), read('c\n!d', 'root')];
    const below = enter(IgnoreChain.root(known(lowest)), 'sub', read('d', 'sub'));
    expect(['a', 'b', 'c', 'd', 'e'].map((name) => decide(below, name)?.source)).toEqual([
      'excludes',
      'info',
      'root',
      'sub',
      undefined,
    ]);
  });

  it('keeps what is in an ignored directory ignored, by the rule of that directory', () => {
    const root = IgnoreChain.root(known([read('/out\n!keep', '.gitignore')]));
    const out = enter(root, 'out', read('!*', 'out/.gitignore'));
    const deep = enter(enter(out, 'a'), 'b', read('!*', 'out/a/b/.gitignore'));
    expect(out.ignoredBy).toMatchObject({ hidden: true, line: 1 });
    expect(deep).toBe(out);
    for (const chain of [out, deep]) expect(decide(chain, 'keep')).toMatchObject({ hidden: true, line: 1 });
  });

  it('waits for an ignore file only where that is not there at once', async () => {
    const root = IgnoreChain.root(known([read('a', '.gitignore')]));
    const file = read('b', 'sub/.gitignore');
    const later = root.enter(bytesOf('sub'), async () => file, effort);
    expect(later).toBeInstanceOf(Promise);
    const chain = await later;
    expect(['a', 'b', 'c'].map((name) => decide(chain, name)?.source)).toEqual([
      '.gitignore',
      'sub/.gitignore',
      undefined,
    ]);
    expect(enter(root, 'sub', file)).toBeInstanceOf(IgnoreChain);
  });

  it('does not ask for the ignore file of a directory that is ignored', () => {
    const root = IgnoreChain.root(known([read('out', '.gitignore')]));
    const out = root.enter(bytesOf('out'), () => expect.fail('it is asked for'), effort);
    expect(out).toBeInstanceOf(IgnoreChain);
  });

  it('does not hand down that a directory was brought back', () => {
    const root = IgnoreChain.root(known([read('*.log\n!sub', '.gitignore')]));
    const sub = enter(root, 'sub');
    expect(sub.ignoredBy).toBeNull();
    expect(decide(sub, 'x')).toBeNull();
    expect(decide(sub, 'x.log')).toMatchObject({ line: 1 });
  });

  it('is not changed by what is entered from it', () => {
    const root = IgnoreChain.root(known([read('/a/x\nb/**/y', '.gitignore')]));
    const before = ['x', 'y', 'z'].map((name) => decide(root, name));
    const a = enter(root, 'a', read('z', 'a/.gitignore'));
    enter(root, 'b', read('x\ny', 'b/.gitignore'));
    expect(['x', 'y', 'z'].map((name) => decide(root, name))).toEqual(before);
    expect(['x', 'y', 'z'].map((name) => decide(a, name)?.source)).toEqual(['.gitignore', undefined, 'a/.gitignore']);
  });

  it('folds the case of directories on the way, too', () => {
    const root = IgnoreChain.root(known([read('Docs/Build\nlib/*/X?', '.gitignore', true)]));
    expect(decide(enter(root, 'DOCS'), 'bUILD')).toMatchObject({ line: 1 });
    expect(decide(enter(enter(root, 'LIB'), 'a'), 'xy')).toMatchObject({ line: 2 });
  });

  it.each([
    ['no file at all', [], 0],
    ['files without a rule', ['# a\n\n', '', ' \n\0a\n\r\n'], 0],
    ['one with a rule among them', ['# a\n', 'a\n'], 1],
    ['each that has one', ['a', '*.b', '/c', '?'], 8],
  ])('asks only where there is a rule: %s', (_, contents, steps) => {
    const root = IgnoreChain.root(known(contents.map((content) => read(content, '.gitignore'))));
    const own = { steps: 0 };
    expect(root.decide(bytesOf('xy'), false, own)).toBeNull();
    expect(own.steps).toBe(steps);
  });

  it('takes names as bytes', () => {
    const root = IgnoreChain.root([parseIgnoreFile('\xff?\n' as Bytes, bytesOf('.gitignore'), { ignoreCase: false })]);
    expect(root.decide('\xff\xfe' as Bytes, false, effort)).toMatchObject({ pattern: '\xff?' });
  });
});
