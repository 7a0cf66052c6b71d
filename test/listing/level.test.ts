import { describe, expect, it, vi } from 'vitest';
import { type MemoryTree, memorySource, openWorkspace, Unloaded } from '../../src/index.ts';
import type { Bookmark } from '../../src/listing/entry.ts';
import { noCounts } from '../../src/listing/entry.ts';
import { LevelReader, linksToDirectories, withTypesOrWithout } from '../../src/listing/level.ts';
import { LevelContents } from '../../src/listing/level-contents.ts';
import type { Order } from '../../src/listing/orders.ts';
import type { Select } from '../../src/listing/select.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { hiddenBy, hidesNothing, type InnerPlace, type Judge, type Scope } from '../../src/rules/rule.ts';
import { Budget, COST } from '../../src/workspace/budget.ts';
import { ListingError } from '../../src/workspace/listing-error.ts';
import {
  CutShort,
  charge,
  DESCEND_ONLY,
  EntryBuffer,
  type EntryType,
  TypesUnknown,
} from '../../src/workspace/reader.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { systemError } from '../support/disk-answers.ts';
import { namesIn } from '../support/entries.ts';
import { at, enterAt } from '../support/paths.ts';
import { placeAt } from '../support/place.ts';

/** As `ls -F` marks them: `dir/`, `link@`, `pipe|`. */
const MARKED: Readonly<Record<string, EntryType>> = { '/': 'dir', '@': 'link', '|': 'other' };

function addShown(entries: EntryBuffer, shown: string): void {
  const type = MARKED[shown.at(-1) as string];
  entries.add(bytesOf(type === undefined ? shown : shown.slice(0, -1)), type ?? 'file');
}

function buffered(shown: string): EntryBuffer {
  const entries = new EntryBuffer();
  for (const one of shown.split(' ')) if (one !== '') addShown(entries, one);
  return entries;
}

/** Names, those that are only descended into in brackets. */
const shownIn = (entries: EntryBuffer) =>
  namesIn(entries)
    .map((name, i) => ((entries.types[i] as number) & DESCEND_ONLY ? `(${name})` : name))
    .join(' ');

/** Others should always have a turn; the call may go on so many times. */
class Hurried extends Budget {
  readonly #mayProceed: number;
  asked = 0;

  constructor(mayProceed = Number.POSITIVE_INFINITY) {
    super();
    this.#mayProceed = mayProceed;
  }

  override get isDue(): boolean {
    return true;
  }

  override async proceed(): Promise<boolean> {
    if (this.asked++ >= this.#mayProceed) this.stopped ??= 'timeout';
    return this.stopped === null;
  }
}

/** What a reader does each time that it is asked: it gives entries, or throws. */
type Part = string | object;

/** A directory whose readers give some entries at a time, and what was done with it. */
function directoryOf(...parts: Part[]) {
  const log: string[] = [];
  const directory = {
    path: at('d'),
    open(withTypes: boolean, atOnce: boolean) {
      log.push(`open${withTypes ? ' with types' : ''}${atOnce ? ' at once' : ''}`);
      const rest = [...parts];
      return {
        read(entries: EntryBuffer, budget: Budget) {
          const part = rest.shift() ?? '';
          if (typeof part !== 'string') throw part;
          for (const one of part.split(' ')) {
            if (one === '') continue;
            addShown(entries, one);
            charge(budget, one.length);
          }
          return rest.length > 0;
        },
        close: () => void log.push('close'),
      };
    },
  };
  return { directory: directory as unknown as Visit, log };
}

const loads = () => new Unloaded(async () => {});
const fails = (error: unknown) => new Unloaded(() => Promise.reject(error));
const cutShort = new CutShort(new ListingError('failed', 'the line is dead'));

/** Hides what begins with an `x`. */
const hidesX: Judge = (entries, i) => (entries.nameAt(i).startsWith('x') ? hiddenBy('git', 'x*' as Bytes) : null);
const scopeOf = (judge: Judge): Scope => ({ judge, key: () => 'key', enter: () => scopeOf(judge) });
const PLAIN = scopeOf(hidesNothing);

function readerFor(budget: Budget, select: Select | null = null, mayBlock = false) {
  const counts = noCounts();
  budget.mayBlock = mayBlock;
  return { reader: new LevelReader(select, counts, budget), counts };
}

const reasonOf = (run: () => unknown) =>
  Promise.resolve()
    .then(run)
    .then(
      () => 'no failure',
      (error: unknown) => error,
    );

describe('a directory that is streamed', () => {
  async function streamed(parts: Part[], { budget = new Budget(), judge = hidesNothing, withTypes = true } = {}) {
    const { directory, log } = directoryOf(...parts);
    const { reader, counts } = readerFor(budget);
    const given: string[] = [];
    const failure = await reasonOf(() =>
      reader.stream(directory, scopeOf(judge), withTypes, (entries) => void given.push(shownIn(entries))),
    );
    return { given, log, counts, failure, cutShort: reader.cutShort };
  }

  it('is given as it is read, and nothing twice', async () => {
    const { given, log, failure, cutShort: reason } = await streamed(['a b/', 'c@', 'd|']);
    expect(given).toEqual(['a b', 'c', 'd']);
    expect(log).toEqual(['open with types', 'close']);
    expect([failure, reason]).toEqual(['no failure', null]);
  });

  it('is opened as is asked for', async () => {
    expect((await streamed(['a'], { withTypes: false })).log).toEqual(['open', 'close']);
    const { directory, log } = directoryOf('a');
    await readerFor(new Budget(), null, true).reader.stream(directory, PLAIN, true, () => undefined);
    expect(log).toEqual(['open with types at once', 'close']);
  });

  it('is judged before it is given', async () => {
    const { given, counts } = await streamed(['a xb c', 'xd', 'e xf'], { judge: hidesX });
    expect(given).toEqual(['a c', '', 'e']);
    expect([...counts.hidden]).toEqual([['git', 3]]);
    const hurried = await streamed(['a xb c', 'xd', 'e xf'], { judge: hidesX, budget: new Hurried() });
    expect(hurried.given).toEqual(['a c', '', 'e']);
  });

  it('is selected from, and none of its directories is opened', async () => {
    const paths: Bytes[] = [];
    const { reader, counts } = readerFor(new Budget(), (entries, i, path) => {
      paths.push(path);
      return entries.nameAt(i) > 'b';
    });
    const given: string[] = [];
    const { directory } = directoryOf('a b/ c/ d');
    await reader.stream(directory, PLAIN, true, (entries) => void given.push(shownIn(entries)));
    expect([given, paths, counts.unselected, counts.unopened]).toEqual([['c d'], ['', '', '', ''], 2, 1]);
  });

  it('waits for those who use it', async () => {
    const { directory } = directoryOf('a', 'b');
    const order: string[] = [];
    await readerFor(new Budget()).reader.stream(directory, PLAIN, true, async (entries) => {
      const name = shownIn(entries);
      order.push(`${name} begins`);
      await new Promise(setImmediate);
      order.push(`${name} ends`);
    });
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('waits for what has to be loaded', async () => {
    expect((await streamed([loads(), 'a', loads(), loads(), 'b'])).given.filter(Boolean)).toEqual(['a', 'b']);
    const { directory } = directoryOf('a');
    const open = vi.spyOn(directory, 'open').mockImplementationOnce(() => {
      throw loads();
    });
    const given: string[] = [];
    await readerFor(new Budget()).reader.stream(directory, PLAIN, true, (entries) => void given.push(shownIn(entries)));
    expect([given, open.mock.calls.length]).toEqual([['a'], 2]);
  });

  it('ends where the source fails after some of it', async () => {
    const { given, log, failure, cutShort: reason } = await streamed(['a', cutShort, 'b']);
    expect(given).toEqual(['a']);
    expect(log).toEqual(['open with types', 'close']);
    expect([failure, reason]).toEqual(['no failure', 'the line is dead']);
  });

  it.each(['timeout', 'aborted'] as const)('ends with what was read where there is no more time: %s', async (kind) => {
    const end = new ListingError(kind, 'nothing was read');
    const budget = new Budget();
    const { given, failure, log } = await streamed(['a', fails(end), 'b'], { budget });
    expect([given, failure, budget.stopped]).toEqual([['a'], 'no failure', kind]);
    expect(log.at(-1)).toBe('close');
    const empty = new Budget();
    expect(await streamed([fails(end), 'b'], { budget: empty })).toMatchObject({ given: [], failure: end });
    expect(empty.stopped).toBeNull();
  });

  it('fails where it cannot be read, and is closed', async () => {
    const error = systemError('EIO', 'read');
    for (const part of [error, fails(error)]) {
      const budget = new Budget();
      const { given, log, failure } = await streamed(['a', part, 'b'], { budget });
      expect([given, log, failure]).toEqual([['a'], ['open with types', 'close'], error]);
      expect(budget.stopped).toBeNull();
    }
  });

  it('ends when the call has to', async () => {
    const budget = new Hurried(1);
    expect((await streamed(['a', 'b', 'c'], { budget })).given).toEqual(['a', 'b']);
    const patient = new Budget();
    const proceed = vi.spyOn(patient, 'proceed');
    expect((await streamed(['a', 'b'], { budget: patient })).given).toEqual(['a', 'b']);
    expect(proceed).not.toHaveBeenCalled();
    const stopped = new Budget();
    stopped.stopped = 'aborted';
    expect((await streamed(['a', 'b'], { budget: stopped })).given).toEqual(['a']);
  });

  it('is at its end even where others should have a turn', async () => {
    const budget = new Hurried(0);
    expect((await streamed(['a'], { budget })).given).toEqual(['a']);
    expect([budget.asked, budget.stopped]).toEqual([0, null]);
  });
});

describe('a directory of a walk is read', () => {
  async function readAll(parts: Part[], budget = new Budget(), mayBlock = false) {
    const { directory, log } = directoryOf(...parts);
    const { reader } = readerFor(budget, null, mayBlock);
    const entries = buffered('z/ y');
    const reading = { wasAtOnce: false };
    const failure = await reasonOf(() => {
      const done = reader.readAll(directory, entries);
      reading.wasAtOnce = !(done instanceof Promise);
      return done;
    });
    return { shown: shownIn(entries), log, failure, reader, ...reading };
  }

  it.each([false, true])('at once where it can be, behind what is there (may block: %s)', async (mayBlock) => {
    const { shown, log, failure, wasAtOnce } = await readAll(['a b', 'c', ''], new Budget(), mayBlock);
    expect([shown, failure, wasAtOnce]).toEqual(['z y a b c', 'no failure', true]);
    expect(log).toEqual([mayBlock ? 'open with types at once' : 'open with types', 'close']);
  });

  it('with turns of others', async () => {
    const budget = new Hurried();
    const { shown, log, wasAtOnce } = await readAll(['a', 'b', 'c'], budget);
    expect([shown, wasAtOnce, budget.asked]).toEqual(['z y a b c', false, 2]);
    expect(log).toEqual(['open with types', 'close']);
  });

  it('until the call has to end', async () => {
    const { shown, log } = await readAll(['a', 'b', 'c'], new Hurried(1));
    expect(shown).toBe('z y a b');
    expect(log).toEqual(['open with types', 'close']);
    const after = await readAll(['a', loads(), 'c'], new Hurried(0));
    expect(after.shown).toBe('z y a');
  });

  it('after what has to be loaded', async () => {
    for (const budget of [new Budget(), new Hurried()]) {
      const { shown, log, failure } = await readAll([loads(), 'a', loads(), 'b', loads(), loads(), 'c'], budget);
      expect([shown, failure]).toEqual(['z y a b c', 'no failure']);
      expect(log).toEqual(['open with types', 'close']);
    }
  });

  it('up to where the source fails, of which the next directory knows nothing', async () => {
    for (const budget of [new Budget(), new Hurried()]) {
      const { shown, log, failure, reader } = await readAll(['a', cutShort, 'b'], budget);
      expect([shown, failure, reader.cutShort]).toEqual(['z y a', 'no failure', 'the line is dead']);
      expect(log).toEqual(['open with types', 'close']);
      await reader.readAll(directoryOf('c').directory, buffered(''));
      expect(reader.cutShort).toBeNull();
    }
  });

  it('or fails, and is closed', async () => {
    const error = systemError('EIO', 'read');
    for (const budget of [new Budget(), new Hurried()]) {
      for (const part of [error, fails(error)]) {
        const { log, failure } = await readAll(['a', part, 'b'], budget);
        expect([log, failure]).toEqual([['open with types', 'close'], error]);
      }
    }
  });

  it('or fails at once, where nothing was waited for', () => {
    const { directory } = directoryOf('a', systemError('EIO', 'read'));
    expect(() => readerFor(new Budget()).reader.readAll(directory, buffered(''))).toThrow('EIO');
  });

  it('up to the end of the time, if something was read of this one', async () => {
    const end = new ListingError('timeout', 'nothing was read');
    const budget = new Budget();
    expect(await readAll(['a', fails(end), 'b'], budget)).toMatchObject({ shown: 'z y a', failure: 'no failure' });
    expect(budget.stopped).toBe('timeout');
    const another = new Budget();
    another.entriesRead = 7;
    expect(await readAll([fails(end), 'b'], another)).toMatchObject({ shown: 'z y', failure: end });
    expect(another.stopped).toBeNull();
  });

  it('once more where types are not told, from the beginning', async () => {
    const { directory, log } = directoryOf('a b', 'c');
    const open = directory.open.bind(directory);
    vi.spyOn(directory, 'open').mockImplementation((withTypes, atOnce) => {
      const real = open(withTypes, atOnce);
      let read = 0;
      return {
        read: (entries, budget) => {
          if (withTypes === true && read++ > 0) throw new TypesUnknown();
          return real.read(entries, budget);
        },
        close: () => real.close(),
      };
    });
    for (const budget of [new Budget(), new Hurried()]) {
      const entries = buffered('z/ y');
      await readerFor(budget).reader.readAll(directory, entries);
      expect(shownIn(entries)).toBe('z y a b c');
      expect(log.splice(0)).toEqual(['open with types', 'close', 'open', 'close']);
    }
  });
});

describe('entries of a walk are sifted', () => {
  const HELD = placeAt('held');
  /** Selects names with an `s`. */
  const selectsS: Select = (entries, i) => entries.nameAt(i).includes('s');

  async function sifted(
    shown: string,
    { descends = true, select = null as Select | null, judge = hidesNothing as Judge, budget = new Budget() } = {},
  ) {
    const { reader, counts } = readerFor(budget, select);
    const entries = buffered(`z/ xy ${shown}`);
    const scope = scopeOf(judge);
    const found = await reader.applyRules(HELD, { path: 'p' as Bytes, descends }, () => scope, entries, 2);
    expect(found).toBe(scope);
    const { unselected, unopened, hidden } = counts;
    return { kept: shownIn(entries), unselected, unopened, hidden: hidden.get('git') ?? 0 };
  }

  const NONE = { unselected: 0, unopened: 0, hidden: 0 };

  it('all are kept where nothing is asked', async () => {
    expect(await sifted('a xb s/')).toEqual({ kept: 'z xy a xb s', ...NONE });
  });

  it('what is hidden goes, and is counted', async () => {
    expect(await sifted('a xb c/ xd/ xe f', { judge: hidesX })).toEqual({ kept: 'z xy a c f', ...NONE, hidden: 3 });
    const shows: Judge = (entries, i) => ({ ...(hidesX(entries, i) ?? hiddenBy('git', '' as Bytes)), hidden: false });
    expect(await sifted('a xb', { judge: shows })).toEqual({ kept: 'z xy a xb', ...NONE });
  });

  it('what is not selected goes, but for directories that are descended into', async () => {
    const given = 'a as b/ bs/ c@ cs@ xs d/';
    expect(await sifted(given, { select: selectsS, judge: hidesX })).toEqual({
      kept: 'z xy as (b) bs cs (d)',
      ...{ unselected: 4, unopened: 0, hidden: 1 },
    });
    expect(await sifted(given, { select: selectsS, judge: hidesX, descends: false })).toEqual({
      kept: 'z xy as bs cs',
      ...{ unselected: 4, unopened: 2, hidden: 1 },
    });
  });

  it('a directory stays one when it is only descended into', async () => {
    const entries = buffered('a b/');
    const { reader } = readerFor(new Budget(), () => false);
    await reader.applyRules(HELD, { path: 'p' as Bytes, descends: true }, () => PLAIN, entries, 0);
    expect([shownIn(entries), entries.isDirectory(0)]).toEqual(['(b)', true]);
  });

  it('the directory itself is at hand for those who select', async () => {
    const told: unknown[] = [];
    await sifted('a', {
      select: (entries, i, directory, held) => {
        told.push(entries.nameAt(i), directory, held);
        return true;
      },
    });
    expect(told).toEqual(['a', 'p', HELD]);
  });

  it('with turns of others', async () => {
    const budget = new Hurried();
    expect(await sifted('a xb c xd', { judge: hidesX, budget })).toEqual({ kept: 'z xy a c', ...NONE, hidden: 2 });
    expect(budget.asked).toBe(3);
  });

  it('the first of them, where the call has to end', async () => {
    const budget = new Hurried(2);
    expect(await sifted('a xb c d xe', { judge: hidesX, budget })).toEqual({ kept: 'z xy a c', ...NONE, hidden: 1 });
  });

  it('by rules that may have to be loaded', async () => {
    const { reader } = readerFor(new Budget());
    const entries = buffered('a xb');
    const answers = [loads(), Promise.resolve(scopeOf(hidesX))];
    const scopeIn = () => {
      const answer = answers.shift();
      if (answer instanceof Promise) return answer;
      throw answer;
    };
    const scope = await reader.applyRules(HELD, { path: 'p' as Bytes, descends: true }, scopeIn, entries, 0);
    expect([shownIn(entries), scope.judge]).toEqual(['a', hidesX]);
  });

  it('at once where nothing has to be waited for', () => {
    const { reader } = readerFor(new Budget());
    const ground = { path: 'p' as Bytes, descends: true };
    for (const scope of [PLAIN, scopeOf(hidesX)])
      expect(reader.applyRules(HELD, ground, () => scope, buffered('a xb c'), 0)).toBe(scope);
  });

  it('by files that may stand among them, and nowhere before', async () => {
    const { reader } = readerFor(new Budget());
    const asking = async (...names: string[]) => {
      const found: boolean[] = [];
      const scopeIn = (place: InnerPlace) => {
        expect(place.path).toBe('held');
        found.push(...names.map((name) => place.mayHave(bytesOf(name))));
        return PLAIN;
      };
      const entries = buffered('above first .gitignore .gitattributes/ last dropped');
      entries.truncate(entries.count - 1, entries.used);
      await reader.applyRules(HELD, { path: 'p' as Bytes, descends: true }, scopeIn, entries, 1);
      return found;
    };
    expect(await asking('.gitignore')).toEqual([true]);
    expect(await asking('.gitignore', 'none')).toEqual([true, false]);
    expect(await asking('first', 'last', '.gitattributes')).toEqual([true, true, true]);
    expect(await asking('above', 'dropped', '.gitignor', '.gitignore2', '.gitignorf', 'gitignore')).toEqual([
      ...[false, false, false, false, false, false],
    ]);
  });
});

describe('where types are not told', () => {
  const unknown = () => {
    throw new TypesUnknown();
  };

  it('a directory is read once more without them', async () => {
    const asked: boolean[] = [];
    const read = (withTypes: boolean) => {
      asked.push(withTypes);
      return withTypes ? unknown() : 'read';
    };
    expect(withTypesOrWithout(read)).toBe('read');
    expect(await withTypesOrWithout(async (withTypes) => read(withTypes))).toBe('read');
    expect(asked).toEqual([true, false, true, false]);
    expect(withTypesOrWithout((withTypes) => withTypes)).toBe(true);
  });

  it('and any other failure is one', async () => {
    const asked: boolean[] = [];
    const read = (withTypes: boolean): never => {
      asked.push(withTypes);
      throw systemError('EIO', 'read');
    };
    expect(() => withTypesOrWithout(read)).toThrow('EIO');
    await expect(withTypesOrWithout(async (withTypes) => read(withTypes))).rejects.toThrow('EIO');
    expect(asked).toEqual([true, true]);
  });
});

describe('links', () => {
  const TREE: MemoryTree = {
    ...{ 'd/a': '', 'd/sub/x': '', 'd/in': { link: 'sub' }, 'd/up': { link: '..' }, 'd/file': { link: 'a' } },
    ...{ 'd/broken': { link: 'none' }, 'd/out': { link: '/elsewhere' } },
  };
  const NAMES = ['file', 'in', 'broken', 'up', 'out'].map(bytesOf);

  async function leading(budget: Budget): Promise<Bytes[]> {
    const directory = enterAt(await openWorkspace(memorySource(TREE)), at('d'));
    return [...(await linksToDirectories(NAMES, directory, budget))];
  }

  it('lead to directories inside of the workspace, or do not', async () => {
    expect(await leading(new Budget())).toEqual(['in', 'up']);
  });

  it('lead nowhere where there is no time to follow them', async () => {
    expect(await leading(new Hurried(1))).toEqual(['in']);
    expect(await leading(new Hurried(0))).toEqual([]);
  });
});

describe('the contents of a directory', () => {
  const ALL = { offset: 0, limit: Number.POSITIVE_INFINITY };
  const ROOM = 1_000_000;
  const TREE: MemoryTree = {
    ...{ 'd/b/': { type: 'dir' }, 'd/D/': { type: 'dir' }, 'd/f/': { type: 'dir' }, 'd/pipe': { type: 'other' } },
    ...{ 'd/a': '', 'd/C': '', 'd/e': '', 'd/g': '', 'd/z': '' },
    ...{ 'd/A-in': { link: 'b' }, 'd/e-in': { link: '..' }, 'd/y-in': { link: 'f' } },
    ...{ 'd/a-file': { link: 'a' }, 'd/d-out': { link: '/x' }, 'd/m-none': { link: 'no' }, 'd/z-file': { link: 'z' } },
  };
  /** Directories and links to them first. */
  const IN_ORDER = [
    ...['A-in', 'b', 'D', 'e-in', 'f', 'y-in'],
    ...['a', 'a-file', 'C', 'd-out', 'e', 'g', 'm-none', 'pipe', 'z', 'z-file'],
  ];
  const FIRST_FILE = IN_ORDER.indexOf('a');
  const markOf = (position: number): Bookmark => ({
    name: bytesOf(IN_ORDER[position] as string),
    leadsToDirectory: position < FIRST_FILE,
  });
  const positions = IN_ORDER.map((_, i) => i);

  async function opened(tree: MemoryTree = TREE) {
    const directory = enterAt(await openWorkspace(memorySource(tree)), at('d'));
    const followed: string[] = [];
    const leadsToDirectory = directory.leadsToDirectory.bind(directory);
    vi.spyOn(directory, 'leadsToDirectory').mockImplementation((name) => {
      followed.push(name);
      return leadsToDirectory(name);
    });
    return { directory, followed };
  }

  type Keep = Parameters<typeof LevelContents.read>[3];
  const WHOLE: Keep = { after: null, end: Number.POSITIVE_INFINITY, bytes: ROOM };

  const contentsOf = (directory: Visit, keep = WHOLE, order: Order = 'folded', budget = new Budget()) =>
    LevelContents.read(directory, PLAIN, order, keep, budget);

  async function pageOf(contents: LevelContents, directory: Visit, offset: number, limit: number) {
    const budget = new Budget();
    const page = { offset, limit };
    const pages = await contents.pages(page, null, directory, budget);
    return (await pages.page(page, budget)).map(({ name }) => name);
  }

  it('are given in order, with their types', async () => {
    const { directory } = await opened();
    const contents = await contentsOf(directory);
    const budget = new Budget();
    const entries = await (await contents.pages(ALL, null, directory, budget)).page(ALL, budget);
    expect(entries.map(({ name }) => name)).toEqual(IN_ORDER);
    expect(entries.map(({ leadsToDirectory }) => leadsToDirectory)).toEqual(positions.map((i) => i < FIRST_FILE));
    expect(entries.map(({ type }) => type).join(' ')).toBe(
      'link dir dir link dir link file link file link file file link other file link',
    );
    expect(contents.counts.totals).toEqual({ file: 5, dir: 3, link: 7, other: 1 });
    expect([contents.count, contents.isWhole, contents.stopped]).toEqual([16, true, null]);
    expect(contents.size).toBeGreaterThan(16);
  });

  it('may be given by the plain order of names, in which numbers count', async () => {
    const { directory } = await opened({ 'd/f10': '', 'd/f9': '', 'd/f9l': { link: 'f10' }, 'd/d/': { type: 'dir' } });
    const contents = await contentsOf(directory, WHOLE, 'natural');
    expect(await pageOf(contents, directory, 0, 9)).toEqual(['d', 'f9', 'f9l', 'f10']);
    expect(await pageOf(contents, directory, 1, 2)).toEqual(['f9', 'f9l']);
  });

  it('are the same by every page', async () => {
    const { directory } = await opened();
    const contents = await contentsOf(directory);
    for (const offset of [...positions, 16, 17, 40]) {
      for (const limit of [0, 1, 2, 3, 5, 8, 16, 17, Number.POSITIVE_INFINITY]) {
        const expected = IN_ORDER.slice(offset, offset + limit);
        expect(await pageOf(contents, directory, offset, limit), `${offset} ${limit}`).toEqual(expected);
      }
    }
  });

  it('are the same by every page of which nothing else is kept', async () => {
    const { directory } = await opened();
    for (const offset of positions) {
      for (const limit of [1, 3, 8]) {
        const contents = await contentsOf(directory, { after: null, end: offset + limit, bytes: 0 });
        const expected = IN_ORDER.slice(offset, offset + limit);
        expect(await pageOf(contents, directory, offset, limit), `${offset} ${limit}`).toEqual(expected);
        expect([contents.isWhole, contents.count]).toEqual([false, 16]);
      }
    }
  });

  it.each<['all' | 'a page', boolean]>([
    ['all', true],
    ['a page', false],
  ])('are the same behind every entry, where %s is kept', async (_, isAll) => {
    const { directory } = await opened();
    const budget = new Budget();
    for (const position of positions) {
      for (const limit of [1, 2, 5, 16]) {
        const after = markOf(position);
        const contents = await contentsOf(directory, { after, end: limit, bytes: isAll ? ROOM : 0 });
        const pages = await contents.pages({ offset: 0, limit }, after, directory, budget);
        const offset = await pages.positionAfter(after, budget);
        const found = (await pages.page({ offset, limit }, budget)).map(({ name }) => name);
        expect(found, `${position} ${limit}`).toEqual(IN_ORDER.slice(position + 1, position + 1 + limit));
      }
    }
  });

  it('have a place behind an entry that is not there', async () => {
    const { directory } = await opened();
    const contents = await contentsOf(directory);
    const budget = new Budget();
    const pages = await contents.pages(ALL, null, directory, budget);
    const after = (name: string, leadsToDirectory: boolean) =>
      pages.positionAfter({ name: bytesOf(name), leadsToDirectory }, budget);
    expect(await after('E', true)).toBe(3);
    expect(await after('E', false)).toBe(10);
    expect(await after('e', false)).toBe(11);
    expect(await after('zz', true)).toBe(6);
    expect(await after('zz', false)).toBe(16);
    expect(await after('0', true)).toBe(0);
    for (const position of positions) expect(await pages.positionAfter(markOf(position), budget)).toBe(position + 1);
  });

  it('are followed where links can be on the page, and nowhere else', async () => {
    const { directory, followed } = await opened();
    const contents = await contentsOf(directory);
    const followedFor = async (offset: number, limit: number) => {
      await pageOf(contents, directory, offset, limit);
      return followed.splice(0).join(' ');
    };
    const EVERY = 'a-file A-in d-out e-in m-none y-in z-file';
    expect(await followedFor(0, 1)).toBe('a-file A-in');
    expect(await followedFor(0, 2)).toBe('a-file A-in');
    expect(await followedFor(1, 2)).toBe('a-file A-in d-out e-in');
    expect(await followedFor(0, 3)).toBe('a-file A-in d-out e-in');
    expect(await followedFor(0, 4)).toBe(EVERY);
    expect(await followedFor(10, 1)).toBe(EVERY);
    expect(await followedFor(11, 1)).toBe('d-out e-in m-none y-in z-file');
    expect(await followedFor(15, 1)).toBe('z-file');
    expect(await followedFor(30, 1)).toBe(EVERY);
  });

  it('have links that come before a page wherever they lead', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `d/m${10 + i}`);
    const { directory, followed } = await opened({
      ...{
        'd/dir/': { type: 'dir' },
        'd/a-in': { link: 'dir' },
        'd/b-file': { link: 'm10' },
        'd/n-in': { link: 'dir' },
      },
      ...Object.fromEntries(names.map((name) => [name, ''])),
    });
    const contents = await contentsOf(directory);
    const files = names.map((name) => name.slice(2));
    const all = ['a-in', 'dir', 'n-in', 'b-file', ...files];
    for (let offset = 0; offset < 24; offset++)
      expect(await pageOf(contents, directory, offset, 2), `${offset}`).toEqual(all.slice(offset, offset + 2));
    followed.length = 0;
    expect(await pageOf(contents, directory, 12, 2)).toEqual(['m18', 'm19']);
    expect(followed).toEqual(['n-in']);
  });

  it('behind an entry do not depend on an offset', async () => {
    const { directory, followed } = await opened();
    const budget = new Budget();
    const contents = await contentsOf(directory);
    for (const [position, limit, expected] of [
      [2, 3, 'a-file A-in d-out e-in m-none y-in z-file'],
      [0, 1, 'a-file A-in'],
    ] as const) {
      const after = markOf(position);
      const pages = await contents.pages({ offset: 15, limit }, after, directory, budget);
      const offset = await pages.positionAfter(after, budget);
      const found = (await pages.page({ offset, limit }, budget)).map(({ name }) => name);
      expect(found).toEqual(IN_ORDER.slice(position + 1, position + 1 + limit));
      expect(followed.splice(0).join(' ')).toBe(expected);
    }
  });

  it('without links are not asked for any', async () => {
    const { directory, followed } = await opened({ 'd/b': '', 'd/a/': { type: 'dir' }, 'd/c': '' });
    const contents = await contentsOf(directory);
    expect(await pageOf(contents, directory, 1, 1)).toEqual(['b']);
    expect(await pageOf(contents, directory, 0, 9)).toEqual(['a', 'b', 'c']);
    expect(followed).toEqual([]);
  });

  it('with links alone', async () => {
    const { directory } = await opened({ 'd/c': { link: 'x' }, 'd/a': { link: '..' }, 'd/B': { link: '.' } });
    const contents = await contentsOf(directory);
    expect(await pageOf(contents, directory, 0, 9)).toEqual(['a', 'B', 'c']);
    expect(await pageOf(contents, directory, 1, 1)).toEqual(['B']);
    expect(await pageOf(contents, directory, 2, 1)).toEqual(['c']);
    expect(await pageOf(contents, directory, 3, 1)).toEqual([]);
  });

  it('put links among the others with turns of others, and charge for it', async () => {
    const worked = async (tree: MemoryTree, budget: Budget) => {
      const { directory } = await opened(tree);
      const pages = await (await contentsOf(directory)).pages(ALL, null, directory, budget);
      const turns = vi.spyOn(budget, 'yieldIfDue');
      const before = budget.work;
      await pages.page(ALL, budget);
      return { work: budget.work - before, turns: turns.mock.calls.length };
    };
    const links = (count: number): MemoryTree =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`d/l${i}`, { link: 'none' }]));
    const files: MemoryTree = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`d/f${i}`, '']));
    const { work: forFiles } = await worked(files, new Budget());
    const { work: forBoth, turns } = await worked({ ...files, ...links(10) }, new Budget());
    // To find the place of each among six takes three steps by halves.
    expect(forBoth - forFiles).toBeGreaterThanOrEqual(3 * 10 * COST.piece);
    expect((await worked(links(10), new Budget())).work).toBeGreaterThanOrEqual(10 * COST.piece);
    const hurried = await worked({ ...files, ...links(10) }, new Hurried());
    expect(hurried.turns - turns).toBeGreaterThanOrEqual(10);
  });

  it('are all kept as long as there is room for them', async () => {
    const { directory } = await opened();
    const { size } = await contentsOf(directory);
    const within = async (bytes: number) => {
      const contents = await contentsOf(directory, { after: null, end: 2, bytes });
      expect(await pageOf(contents, directory, 0, 2)).toEqual(['A-in', 'b']);
      return contents.isWhole;
    };
    expect([await within(size), await within(size - 1), await within(0)]).toEqual([true, false, false]);
  });

  it('are dropped behind the page, and make room', async () => {
    const numbers = Array.from({ length: 2500 }, (_, i) => 10_000 + ((i * 1237) % 2500));
    const tree = (link: boolean): MemoryTree => ({
      ...{ 'd/dir/': { type: 'dir' } },
      ...Object.fromEntries(numbers.map((n) => [`d/${n}`, link ? { link: 'none' } : ''])),
    });
    const { directory } = await opened(tree(false));
    const page: Keep = { after: null, end: 3, bytes: 0 };
    const contents = await contentsOf(directory, page, 'folded', new Hurried());
    const whole = await contentsOf(directory);
    expect(contents.size).toBeLessThan(whole.size / 2);
    expect(await pageOf(contents, directory, 0, 3)).toEqual(['dir', '10000', '10001']);
    expect(await pageOf(whole, directory, 2499, 3)).toEqual(['12498', '12499']);
    const { directory: links } = await opened(tree(true));
    const linked = await contentsOf(links, page, 'folded', new Hurried());
    expect(await pageOf(linked, links, 0, 3)).toEqual(['dir', '10000', '10001']);
  });

  it('are counted without what is hidden', async () => {
    const { directory } = directoryOf('a xb c/', 'xd');
    const contents = await LevelContents.read(directory, scopeOf(hidesX), 'folded', WHOLE, new Budget());
    expect([contents.count, ...contents.counts.hidden]).toEqual([2, ['git', 2]]);
  });

  it('end where the source fails, and that is told', async () => {
    const budget = new Budget();
    const contents = await contentsOf(directoryOf('a', 'b', cutShort).directory, WHOLE, 'folded', budget);
    expect([contents.count, contents.stopped]).toEqual([2, 'interrupted']);
    expect(budget.notes).toEqual(['the directory could not be read to its end: the line is dead']);
    const whole = new Budget();
    await contentsOf(directoryOf('a').directory, WHOLE, 'folded', whole);
    expect(whole.notes).toEqual([]);
  });

  it('end where the call does, unless nothing was read', async () => {
    const some = await contentsOf(directoryOf('a', 'b').directory, WHOLE, 'folded', new Hurried(0));
    expect([some.count, some.stopped]).toEqual([1, 'timeout']);
    const hidden = directoryOf('xa', 'b').directory;
    const none = await LevelContents.read(hidden, scopeOf(hidesX), 'folded', WHOLE, new Hurried(0));
    expect([none.count, none.stopped]).toEqual([0, 'timeout']);
    const both = directoryOf('a xb', 'c').directory;
    const half = await LevelContents.read(both, scopeOf(hidesX), 'folded', WHOLE, new Hurried(1));
    expect([half.count, half.stopped]).toEqual([1, 'timeout']);
    const failure = await reasonOf(() => contentsOf(directoryOf('', 'b').directory, WHOLE, 'folded', new Hurried(0)));
    expect(failure).toMatchObject({ kind: 'timeout', message: 'nothing was read', path: 'd' });
    const empty = await contentsOf(directoryOf('').directory);
    expect([empty.count, empty.stopped]).toEqual([0, null]);
  });

  it('are read once more where types are not told, and counted once', async () => {
    const { directory, log } = directoryOf('a', new TypesUnknown());
    const failure = await reasonOf(() => contentsOf(directory));
    expect(failure).toBeInstanceOf(TypesUnknown);
    expect(log).toEqual(['open with types', 'close', 'open', 'close']);
    const { directory: second } = directoryOf('a', 'b');
    vi.spyOn(second, 'open').mockImplementationOnce(() => directoryOf('a', new TypesUnknown()).directory.open());
    const contents = await contentsOf(second);
    expect(contents.count).toBe(2);
  });
});
