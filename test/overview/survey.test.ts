/** What a survey makes of what a walk tells, and what it is worth. */
import { describe, expect, it } from 'vitest';
import type { Level } from '../../src/listing/walk-plan.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { MIN_WORTH } from '../../src/names/kind.ts';
import type { Folder } from '../../src/overview/folder.ts';
import { NamesOfOne, Survey } from '../../src/overview/survey.ts';
import { EntryBuffer } from '../../src/workspace/reader.ts';
import { done, filesNamed, inSteps, type Sketch } from '../support/folders.ts';
import { at } from '../support/paths.ts';

const KINDS = { '': 'file', '@': 'link', '?': 'dir' } as const;

function levelOf(sketch: Sketch, path = ''): Level {
  const entries = new EntryBuffer();
  for (const [name, content] of Object.entries(sketch)) {
    entries.add(bytesOf(name), typeof content === 'object' ? 'dir' : KINDS[content]);
  }
  return { directory: null, path: bytesOf(path), entries };
}

/** Tells a survey of a tree as a walk would: what is in a directory comes right after its name. */
function tell(survey: Survey, sketch: Sketch, path = ''): Survey {
  const level = levelOf(sketch, path);
  let from = 0;
  for (const [i, [name, content]] of Object.entries(sketch).entries()) {
    if (typeof content !== 'object') continue;
    survey.take(level, from, i + 1);
    from = i + 1;
    tell(survey, content, path === '' ? name : `${path}/${name}`);
  }
  if (from < level.entries.count) survey.take(level, from, level.entries.count);
  return survey;
}

function surveyOf(sketch: Sketch, mostNames?: number): Survey {
  const survey = tell(new Survey(mostNames), sketch);
  done(survey.finish([]));
  return survey;
}

function folderAt({ root }: Survey, path: string): Folder {
  const folder = done(root.find(at(path)));
  if (folder === null) throw new Error(`${path} is not there`);
  return folder;
}

/** Of each directory its path, its names, and the numbers of files and directories below it. */
function told({ root }: Survey): [string, readonly string[] | null, number, number][] {
  const of = (folder: Folder): [string, readonly string[] | null, number, number][] => [
    [folder.path, folder.names, folder.filesBelow, folder.foldersBelow],
    ...folder.folders.flatMap(of),
  ];
  return of(root);
}

const weights = (all: Readonly<Record<string, number>>) =>
  new Map(Object.entries(all).map(([path, weight]) => [bytesOf(path), weight]));

describe('a survey', () => {
  it('has what it was told, wherever directories stand among files', () => {
    const survey = surveyOf({ a: '', d: { x: '', e: { y: '' }, z: '' }, f: {}, g: '', h: { i: { j: { k: '' } } } });
    expect(told(survey)).toEqual([
      ['', ['a', 'g'], 6, 6],
      ['d', ['x', 'z'], 3, 1],
      ['d/e', ['y'], 1, 0],
      ['f', [], 0, 0],
      ['h', [], 1, 2],
      ['h/i', [], 1, 1],
      ['h/i/j', ['k'], 1, 0],
    ]);
    expect(folderAt(survey, 'd').files).toBe(2);
    expect(folderAt(survey, 'd/e').parent).toBe(folderAt(survey, 'd'));
  });

  it('knows which of the entries are links', () => {
    const { root } = surveyOf({ a: '', b: '@', c: { d: '@', e: '' } });
    expect([...root.links]).toEqual(['b']);
    expect([...(root.folders[0]?.links ?? [])]).toEqual(['d']);
  });

  it('weighs files by their names, and by those of the directories above them', () => {
    const survey = surveyOf({ 'a.ts': '', 'b.png': '', assets: { 'c.ts': '', 'd.png': '', dist: { 'e.ts': '' } } });
    const [assets, dist] = [folderAt(survey, 'assets'), folderAt(survey, 'assets/dist')];
    expect([dist.worth, dist.mass, dist.massBelow]).toEqual([1 / 64, 1 / 64, 1 / 64]);
    expect([assets.worth, assets.mass, assets.massBelow]).toEqual([1 / 4, 5 / 16, 21 / 64]);
    expect([survey.root.worth, survey.root.mass, survey.root.massBelow]).toEqual([1, 5 / 4, 101 / 64]);
  });

  it('finds a directory worth something, though nothing is in it', () => {
    const survey = surveyOf({ a: { b: {} }, dist: {} });
    const masses = ['a/b', 'a', 'dist'].map((path) => folderAt(survey, path).massBelow);
    expect([...masses, survey.root.massBelow]).toEqual([1 / 16, 1 / 16, 1 / 256, 17 / 256]);
  });

  it('finds everything worth something, however deep it is', () => {
    const deep = (levels: number): Sketch => (levels === 0 ? { f: '' } : { vendor: deep(levels - 1) });
    const { root } = surveyOf(deep(6));
    expect(done(root.find(at('vendor/vendor/vendor/vendor')))?.worth).toBe(MIN_WORTH);
    expect(done(root.find(at('vendor/vendor/vendor/vendor/vendor/vendor')))?.worth).toBe(MIN_WORTH);
    expect(root.massBelow).toBe(MIN_WORTH);
  });

  it('has the directories on the way to what is selected, though nobody told them', () => {
    const survey = new Survey();
    for (const path of ['a/b', 'a/c', 'ac', 'ac/d/e', 'f']) survey.take(levelOf({ x: '' }, path), 0, 1);
    done(survey.finish([]));
    expect(told(survey).map(([path, , files]) => [path, files])).toEqual([
      ...[
        ['', 5],
        ['a', 2],
        ['a/b', 1],
        ['a/c', 1],
        ['ac', 2],
        ['ac/d', 1],
        ['ac/d/e', 1],
        ['f', 1],
      ],
    ]);
  });

  it('has directories side by side whose names or paths only begin alike', () => {
    const survey = new Survey();
    for (const path of ['a', 'ab', 'b', 'x/y']) survey.take(levelOf({ f: '' }, path), 0, 1);
    done(survey.finish([]));
    expect(told(survey).map(([path, , files]) => [path, files])).toEqual([
      ...[
        ['', 4],
        ['a', 1],
        ['ab', 1],
        ['b', 1],
        ['x', 1],
        ['x/y', 1],
      ],
    ]);
  });

  it('goes on with a directory after what is in it', () => {
    const [level, inner] = [levelOf({ x: '', y: '', z: '' }, 'a'), levelOf({ v: '', w: '' }, 'a/b')];
    const survey = new Survey();
    survey.take(level, 0, 1);
    survey.take(inner, 0, 2);
    survey.take(level, 1, 2);
    survey.take(level, 2, 3);
    done(survey.finish([]));
    expect(told(survey)).toEqual([
      ['', [], 5, 2],
      ['a', ['x', 'y', 'z'], 5, 1],
      ['a/b', ['v', 'w'], 2, 0],
    ]);
  });
});

describe('names', () => {
  it('are kept until there are many, and then files are counted', () => {
    const survey = surveyOf({ a: { x: '' }, b: { x: '' }, c: { x: '' }, d: { x: '', y: '' } }, 2);
    expect(told(survey)).toEqual([
      ['', [], 5, 4],
      ['a', ['x'], 1, 0],
      ['b', ['x'], 1, 0],
      ['c', null, 1, 0],
      ['d', null, 2, 0],
    ]);
    expect(folderAt(survey, 'd').mass).toBe(2);
  });

  it('of one directory are all kept, or none', () => {
    expect(told(surveyOf({ a: { x: '', b: { y: '' }, z: '' } }, 1))).toEqual([
      ['', [], 3, 2],
      ['a', ['x', 'z'], 3, 1],
      ['a/b', null, 1, 0],
    ]);
  });

  it('of the listed directory are kept in any case', () => {
    expect(told(surveyOf({ a: { x: '', y: '' }, b: '', c: '' }, 1))[0]).toEqual(['', ['b', 'c'], 4, 1]);
    expect(told(surveyOf({ b: '', c: '' }, 0))[0]).toEqual(['', ['b', 'c'], 2, 0]);
  });

  it('that are counted still tell which are links', () => {
    expect([...folderAt(surveyOf({ a: { x: '@' } }, 0), 'a').links]).toEqual(['x']);
  });
});

describe('what cannot be read', () => {
  const unreadable = (...paths: string[]) => paths.map((path) => ({ path: bytesOf(path), reason: 'denied' }));

  it('is marked, told or not', () => {
    const survey = tell(new Survey(), { a: {}, b: { c: {}, d: '' } });
    done(survey.finish(unreadable('a', 'b/c', 'e/f')));
    const marked = (folder: Folder): string[] => [
      ...(folder.isUnreadable ? [folder.path] : []),
      ...folder.folders.flatMap(marked),
    ];
    expect(marked(survey.root)).toEqual(['a', 'b/c', 'e/f']);
    expect([survey.root.filesBelow, survey.root.foldersBelow]).toEqual([1, 5]);
  });

  it('may be the listed directory itself', () => {
    const survey = new Survey();
    done(survey.finish(unreadable('')));
    expect([survey.root.isUnreadable, survey.root.folders]).toEqual([true, []]);
  });

  it('is looked for in steps', () => {
    const stepsFor = (count: number) => {
      const survey = new Survey();
      return inSteps(survey.finish(unreadable(...Array.from({ length: count }, () => 'a')))).steps;
    };
    expect([0, 255, 256, 511, 512].map(stepsFor)).toEqual([0, 0, 1, 1, 2]);
  });
});

it('adding up takes steps, too', () => {
  const stepsFor = (count: number) =>
    inSteps(tell(new Survey(), Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i}`, {}]))).finish([]))
      .steps;
  // One for the listed directory itself, and every directory is met twice.
  expect([254, 255, 510, 511].map(stepsFor)).toEqual([0, 2, 2, 4]);
});

describe('recent changes', () => {
  const sketch = { a: { x: '', y: '', b: { z: '' } }, c: { w: '' } } as const;

  it('add to the worth of what has changed, and of all above it', () => {
    const survey = surveyOf(sketch);
    done(survey.weigh(weights({ 'a/x': 0.5, 'a/b/z': 0.25, 'a/y': 0.25 }), 2));
    const [a, b, c] = ['a', 'a/b', 'c'].map((path) => folderAt(survey, path)) as [Folder, Folder, Folder];
    // Everything is worth 4 by its name.
    expect([...(a.activity ?? [])]).toEqual([
      ['x', 4],
      ['y', 2],
    ]);
    expect([...(b.activity ?? [])]).toEqual([['z', 2]]);
    expect(c.activity).toBeNull();
    expect([a.mostActivity, b.mostActivity, c.mostActivity]).toEqual([4, 2, 0]);
    expect([survey.root, a, b, c].map(({ massBelow }) => massBelow)).toEqual([12, 11, 3, 1]);
  });

  it('are those of the listed directory, too', () => {
    const survey = surveyOf({ f: '', g: '' });
    done(survey.weigh(weights({ f: 1 }), 2));
    expect([...(survey.root.activity ?? []), survey.root.massBelow]).toEqual([['f', 4], 6]);
  });

  it('count for nothing where the file is no longer there', () => {
    const survey = surveyOf(sketch);
    done(survey.weigh(weights({ 'a/gone': 1, 'gone/x': 1, gone: 1, 'c/w': 1 }), 1));
    expect([survey.root.massBelow, folderAt(survey, 'a').massBelow]).toEqual([8, 3]);
  });

  it('count where files were only counted', () => {
    const survey = surveyOf(sketch, 0);
    done(survey.weigh(weights({ 'c/any': 1 }), 1));
    expect([survey.root.massBelow, folderAt(survey, 'c').massBelow]).toEqual([8, 5]);
  });

  it('are rounded, so that the order in which they are added does not matter', () => {
    const survey = surveyOf({ f: '' });
    done(survey.weigh(weights({ f: 1 / 3 }), 1));
    expect(survey.root.activity?.get(at('f'))).toBe(341 / 1024);
  });

  it('are looked up in steps', () => {
    const stepsFor = (count: number) => {
      const all = filesNamed(count, String);
      return inSteps(surveyOf({ a: all, b: all }).weigh(weights({ 'a/1': 1, 'b/1': 1 }), 1)).steps;
    };
    // Two of each directory more than it has files.
    expect([126, 127, 254, 255].map(stepsFor)).toEqual([0, 1, 1, 2]);
    expect(inSteps(surveyOf(filesNamed(9, String)).weigh(weights({ 1: 1 }), 1)).steps).toBe(0);
  });
});

describe('a directory that is read again', () => {
  it('has its names, and changes the numbers above it', () => {
    const survey = surveyOf({ a: { b: { x: '', y: '' } }, c: '' }, 0);
    const b = folderAt(survey, 'a/b');
    const level = levelOf({ other: '@', p: '', r: '@', q: {}, s: '' });
    const sink = new NamesOfOne(b);
    sink.take(level, 1, 3);
    sink.take(level, 3, 5);
    expect([b.names, b.files]).toEqual([null, 2]);
    sink.finish();
    expect([b.names, b.files, [...b.links]]).toEqual([['p', 'r', 's'], 3, ['r']]);
    expect([survey.root, folderAt(survey, 'a'), b].map(({ filesBelow }) => filesBelow)).toEqual([4, 3, 3]);
  });

  it('is empty where nothing is told', () => {
    const survey = surveyOf({ a: { x: '', y: '' } }, 0);
    new NamesOfOne(folderAt(survey, 'a')).finish();
    expect([folderAt(survey, 'a').names, folderAt(survey, 'a').files, survey.root.filesBelow]).toEqual([[], 0, 0]);
  });
});
