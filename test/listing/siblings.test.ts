import { describe, expect, it } from 'vitest';
import { memorySource, openWorkspace } from '../../src/index.ts';
import { directoriesIn, followsLinks, markLinks, putInOrder, type SiblingOrder } from '../../src/listing/siblings.ts';
import { bytesOf } from '../../src/names/bytes.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { EntryBuffer, LEADS_TO_DIRECTORY } from '../../src/workspace/reader.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { listed, namesIn } from '../support/entries.ts';
import { at, enterAt } from '../support/paths.ts';

/** As `ls -F` marks them: `dir/`, `link@`, `pipe|`; `link/@` was followed to a directory. */
function entriesOf(...shown: string[]): EntryBuffer {
  const entries = new EntryBuffer();
  for (const one of shown) {
    const [, name = '', mark] = /^(.*?)(\/@|[/@|]|)$/.exec(one) ?? [];
    const type = mark === '/' ? 'dir' : mark === '|' ? 'other' : mark === '' ? 'file' : 'link';
    entries.add(bytesOf(name), type);
    if (mark === '/@')
      entries.types[entries.count - 1] = (entries.types[entries.count - 1] as number) | LEADS_TO_DIRECTORY;
  }
  return entries;
}

function shown(entries: EntryBuffer): string[] {
  const marks = { file: '', dir: '/', link: '@', other: '|' };
  return listed(entries).map(([name, type], i) => {
    const isFollowed = type === 'link' && entries.leadsToDirectory(i);
    return `${Buffer.from(name, 'latin1')}${isFollowed ? '/@' : marks[type]}`;
  });
}

/** In order from the third on: what stands before belongs to the directories above. */
async function ordered(order: SiblingOrder, reverse: boolean, ...names: string[]): Promise<string[]> {
  const entries = entriesOf('z/', 'y', ...names);
  await putInOrder(entries, 2, order, reverse, new Budget());
  const [first, second, ...rest] = shown(entries);
  expect([first, second]).toEqual(['z/', 'y']);
  return rest;
}

describe('entries of a directory are put in order', () => {
  const NAMES = ['v10', 'b/', 'v9@', 'A/', 'v2|', 'C/@', 'a', 'd10/', 'd9/'];

  it.each<[SiblingOrder, string[]]>([
    ['directories-first', ['A/', 'b/', 'C/@', 'd10/', 'd9/', 'a', 'v10', 'v2|', 'v9@']],
    ['natural', ['A/', 'b/', 'C/@', 'd9/', 'd10/', 'a', 'v2|', 'v9@', 'v10']],
    ['by-name', ['A/', 'a', 'b/', 'C/@', 'd10/', 'd9/', 'v10', 'v2|', 'v9@']],
  ])('%s, and the other way round', async (order, expected) => {
    expect(await ordered(order, false, ...NAMES)).toEqual(expected);
    expect(await ordered(order, true, ...NAMES)).toEqual(expected.toReversed());
    expect(await ordered(order, true, ...NAMES, 'm')).toHaveLength(NAMES.length + 1);
  });

  it('which may be that of the disk, either way', async () => {
    expect(await ordered('any', false, ...NAMES)).toEqual(NAMES);
    expect(await ordered('any', true, ...NAMES)).toEqual(NAMES);
  });

  it.each<SiblingOrder>(['directories-first', 'natural'])('that are not ASCII: %s', async (order) => {
    const names = ['ö', 'Ö/', 'é/', 'a', 'É', 'b/'];
    const expected = ['b/', 'é/', 'Ö/', 'a', 'É', 'ö'];
    expect(await ordered(order, false, ...names)).toEqual(expected);
    expect(await ordered(order, true, ...names)).toEqual(expected.toReversed());
  });

  it.each([
    ['none', [], []],
    ['one', ['a'], ['a']],
    ['directories alone', ['b/', 'a/'], ['a/', 'b/']],
    ['no directories', ['b', 'a'], ['a', 'b']],
  ])('where there are few of them: %s', async (_, names, expected) => {
    expect(await ordered('directories-first', false, ...names)).toEqual(expected);
    expect(await ordered('directories-first', true, ...names)).toEqual(expected.toReversed());
  });

  it.each<SiblingOrder>(['directories-first', 'any'])(
    'up to 1,024 of them where the call has to end: %s',
    async (order) => {
      const names = Array.from({ length: 1030 }, (_, i) => `${1000 + i}`);
      const after = async (budget: Budget, count: number) => {
        const entries = entriesOf('z/', ...names.slice(0, count));
        await putInOrder(entries, 1, order, false, budget);
        return namesIn(entries);
      };
      const stopped = new Budget();
      stopped.stopped = 'timeout';
      expect(await after(new Budget(), 1030)).toEqual(['z', ...names]);
      expect(await after(stopped, 1030)).toEqual(['z', ...names.slice(0, 1024)]);
      expect(await after(stopped, 3)).toEqual(['z', ...names.slice(0, 3)]);
    },
  );
});

/** The number of links that are followed. */
async function links(entries: ReturnType<typeof entriesOf>, from: number): Promise<number> {
  let followed = 0;
  const leadsToDirectory = function* () {
    followed++;
    yield undefined;
    return false;
  };
  const marking = markLinks(entries, from, { leadsToDirectory } as unknown as Visit, new Budget());
  await marking;
  expect(marking === null).toBe(followed === 0);
  return followed;
}

it('what was dropped of a buffer is not looked at any more', async () => {
  const entries = entriesOf('b', 'a', 'c@', 'd/');
  entries.truncate(2, entries.used);
  expect(await links(entries, 0)).toBe(0);
  const other = entriesOf('b', 'a', 'd/');
  other.truncate(2, other.used);
  await putInOrder(other, 0, 'directories-first', false, new Budget());
  expect(shown(other)).toEqual(['a', 'b']);
});

it('links stand among directories in the orders that tell directories from the rest', () => {
  const orders: SiblingOrder[] = ['directories-first', 'natural', 'by-name', 'any'];
  expect(orders.filter(followsLinks)).toEqual(['directories-first', 'natural']);
});

it('links are found from a position on', async () => {
  const entries = entriesOf('a@', 'b', 'c/', 'd/@', 'e|');
  const found = await Promise.all([0, 1, 3, 4, 5].map((from) => links(entries, from)));
  expect(found).toEqual([2, 1, 1, 0, 0]);
  expect(await links(entriesOf(), 0)).toBe(0);
});

it('links that lead to a directory are marked, and nothing else', async () => {
  const source = memorySource({
    ...{ 'd/a': '', 'd/sub/x': '', 'd/in': { link: 'sub' }, 'd/up': { link: '..' }, 'd/file': { link: 'a' } },
    ...{ 'd/broken': { link: 'none' }, 'd/out': { link: '/elsewhere' }, 'd/twice': { link: 'in' } },
  });
  const workspace = await openWorkspace(source);
  const directory = enterAt(workspace, at('d'));
  // A name may come twice, and what stands before belongs to the directories above.
  const entries = entriesOf('in@', 'a', 'sub/', 'file@', 'in@', 'broken@', 'up@', 'out@', 'twice@', 'in', 'a|');
  await markLinks(entries, 1, directory, new Budget());
  expect(shown(entries)).toEqual([
    ...['in@', 'a', 'sub/', 'file@', 'in/@', 'broken@', 'up/@', 'out@', 'twice/@', 'in', 'a|'],
  ]);
  expect(namesIn(entries).filter((_, i) => entries.leadsToDirectory(i))).toEqual(['sub', 'in', 'up', 'twice']);
  directory.leave();
});

it('directories are named from a position up to another', () => {
  const entries = entriesOf('a/', 'b/', 'c', 'd/@', 'e@', 'f/', 'g/');
  expect(directoriesIn(entries, 1, 6)).toEqual(['b', 'f']);
  expect(directoriesIn(entries, 2, 5)).toEqual([]);
  expect(directoriesIn(entries, 0, 7)).toEqual(['a', 'b', 'f', 'g']);
});
