import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import { Folder } from '../../src/overview/folder.ts';
import { done, filesNamed, folderOf, inSteps, type Sketch } from '../support/folders.ts';

const at = (folder: Folder, path: string) => done(folder.find(bytesOf(path))) as Folder;

/** So many empty directories. */
const directories = (count: number): Sketch =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, {}]));

describe('a folder', () => {
  it('has a path below the listed one, which has none', () => {
    const root = folderOf({ a: { b: { c: {} } } });
    expect(root.path).toBe('');
    expect(['a', 'a/b', 'a/b/c'].map((path) => at(root, path).path)).toEqual(['a', 'a/b', 'a/b/c']);
  });

  it('is empty when it holds nothing and could be read', () => {
    const root = folderOf({ empty: {}, file: { f: '' }, folder: { d: {} }, locked: '?' });
    const isEmpty = root.folders.map((folder) => [folder.name, folder.isEmpty]);
    expect(Object.fromEntries(isEmpty)).toEqual({ empty: true, file: false, folder: false, locked: false });
  });

  it('holds only a folder when there is one, and no file', () => {
    const root = folderOf({ one: { d: {} }, both: { d: {}, f: '' }, two: { d: {}, e: {} }, none: {}, file: { f: '' } });
    expect(root.folders.map(({ onlyFolder }) => onlyFolder?.name ?? null)).toEqual(['d', null, null, null, null]);
    expect(root.onlyFolder).toBeNull();
  });

  it('knows its links, and shares them with no other', () => {
    const [one, two] = [folderOf({}), folderOf({})];
    one.addLink(bytesOf('l'));
    one.addLink(bytesOf('m'));
    expect([...one.links]).toEqual(['l', 'm']);
    expect([...two.links]).toEqual([]);
  });
});

describe('a folder among others', () => {
  it.each([3, 16, 17, 40])('is found by its name: %i', (count) => {
    const root = folderOf(directories(count));
    for (const folder of root.folders) expect(done(root.folderNamed(folder.name))).toBe(folder);
    expect(done(root.folderNamed(bytesOf('none')))).toBeNull();
    // Also one that is added after another was looked for.
    const added = root.add(new Folder(bytesOf('late'), root, 1));
    expect(done(root.folderNamed(bytesOf('late')))).toBe(added);
    expect(root.folders.at(-1)).toBe(added);
  });

  it('is found without looking at each, where there are many', () => {
    const root = folderOf(directories(17));
    done(root.folderNamed(bytesOf('d0')));
    root.folders.find = () => {
      throw new Error('it looked at each');
    };
    root.folders.map = root.folders.find as never;
    expect(done(root.folderNamed(bytesOf('d16')))?.name).toBe('d16');
  });

  it('is found in steps, where there are very many', () => {
    const root = folderOf(directories(3000));
    const first = inSteps(root.folderNamed(bytesOf('d2999')));
    expect([first.value?.name, first.steps]).toEqual(['d2999', 2]);
    expect(inSteps(root.folderNamed(bytesOf('d0'))).steps).toBe(0);
  });

  it('is found by its path, if it was met', () => {
    const root = folderOf({ a: { b: { c: {} }, ...filesNamed(2, String) } });
    expect(at(root, '')).toBe(root);
    expect(at(root, 'a/b/c').parent).toBe(at(root, 'a/b'));
    for (const path of ['b', 'a/c', 'a/b/c/d', 'x/y', 'a/0']) expect(done(root.find(bytesOf(path)))).toBeNull();
  });
});
