import { describe, expect, it } from 'vitest';
import { Evidence, StillSeen, type Tally } from '../../src/listing/evidence.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import type { HeldPlace } from '../../src/workspace/place.ts';
import { type Identity, type Metadata, type Outside, SkippedFile, type Stamp } from '../../src/workspace/source.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { at } from '../support/paths.ts';
import { placeAt } from '../support/place.ts';

const stamped = (ino: number, time = 1): Stamp => ({
  ...{ dev: 1n, ino: BigInt(ino) },
  ...{ mtimeNs: BigInt(time), ctimeNs: BigInt(time) },
});
const identityOf = (ino: number): Identity => ({ dev: 1n, ino: BigInt(ino) });

/** What a later call finds: stamps by the path from the start, and what stands in files and at paths below the root. */
interface Found {
  readonly stamps: Record<string, Stamp | null>;
  readonly files?: Record<string, Bytes | SkippedFile | null>;
  readonly entries?: Record<string, Metadata | null>;
}

function startOf({ stamps, files = {}, entries = {} }: Found) {
  const asked: string[] = [];
  const start = {
    stamp: () => {
      asked.push('the start');
      return stamps[''] ?? null;
    },
    stampAt: (path: Bytes) => {
      asked.push(path);
      return stamps[path] ?? null;
    },
    fileAt: (path: Bytes, largest?: number) => {
      asked.push(`file ${path} ${largest ?? 'of any size'}`);
      return files[path] ?? null;
    },
    entryAt: (path: Bytes) => {
      asked.push(`entry ${path}`);
      return entries[path] ?? null;
    },
  };
  return { start: start as unknown as Visit, asked };
}

const stillSeen = (evidence: Evidence, found: Found) => atOnce(StillSeen.of(evidence, startOf(found).start));
const askedFor = (evidence: Evidence, found: Found) => {
  const { start, asked } = startOf(found);
  atOnce(StillSeen.of(evidence, start));
  return asked;
};

/**
 * A walk through directories, each with those in it right behind it, two spaces further in. Each is stamped by its
 * position among all, gives one entry before what is in it and one afterwards, and is read by the rules `r`.
 */
function walked(shown: string, { rules = 'r', given = 0 } = {}): Evidence {
  const evidence = new Evidence();
  const open: string[] = [];
  let count = given;
  const end = () => {
    evidence.end([++count, 10 * count]);
    open.pop();
  };
  for (const [i, line] of shown.split('\n').entries()) {
    const depth = line.search(/\S/) / 2;
    while (open.length > depth) end();
    const path = [...open.slice(1), ...(depth === 0 ? [] : [line.trim()])].join('/');
    open.push(line.trim());
    evidence.begin(bytesOf(path), rules, [count, 10 * count]);
    count++;
    evidence.prove(stamped(i), identityOf(i));
  }
  while (open.length > 0) end();
  return evidence;
}

const TREE = `start
  a
    b
    c
  d`;
const PATHS = ['', 'a', 'a/b', 'a/c', 'd'];
const unchanged = (): Record<string, Stamp | null> =>
  Object.fromEntries(PATHS.map((path, i): [string, Stamp] => [path, stamped(i)]));

/** Those of the paths that would be seen again as they were. */
const sameIn = (seen: StillSeen) =>
  PATHS.filter((path) => seen.at(bytesOf(path), 'r') !== null).map((path) => path || '.');

describe('what a walk has seen', () => {
  it('is noted directory by directory, with what was counted in each', () => {
    const evidence = walked(TREE, { given: 5 });
    expect(evidence.directories.map(({ path, size, found }) => [path, size, ...found])).toEqual([
      ['', 5, 10, 100],
      ['a', 3, 6, 60],
      ['a/b', 1, 2, 20],
      ['a/c', 1, 2, 20],
      ['d', 1, 2, 20],
    ]);
    expect(evidence.givenBefore).toEqual([5, 6, 7, 9, 12]);
    expect(evidence.isComplete).toBe(true);
  });

  it('is not known before it is proved, and can be taken back', () => {
    const evidence = new Evidence();
    evidence.begin('' as Bytes, 'r', [0]);
    expect(evidence.directories[0]).toMatchObject({ stamp: null, identity: null, size: 0, found: [0], rules: 'r' });
    evidence.prove(stamped(1), identityOf(1));
    evidence.begin('a' as Bytes, 'r', [0]);
    evidence.prove(stamped(2), identityOf(2));
    evidence.end([0]);
    // That of the directory that it is in now.
    evidence.unprove();
    expect(evidence.directories.map(({ stamp, identity }) => [stamp, identity])).toEqual([
      [null, identityOf(1)],
      [stamped(2), identityOf(2)],
    ]);
  });

  it('takes room for each directory, its path, and what was found in files', () => {
    const evidence = new Evidence();
    expect(evidence.size).toBe(0);
    evidence.begin('' as Bytes, 'r', [0]);
    const one = evidence.size;
    expect(one).toBeGreaterThan(100);
    evidence.begin('12345' as Bytes, 'r', [0]);
    expect(evidence.size).toBe(2 * one + 5);
    const place = evidence.watched({ ...placeAt('12345'), readFile: () => '*.log' as Bytes });
    place.readFile('.gitignore' as Bytes);
    const withFile = evidence.size - 2 * one - 5;
    expect(withFile).toBeGreaterThan('*.log'.length + 100);
    evidence.end([0]);
    evidence.end([0]);
    const copy = new Evidence();
    copy.append(evidence, 0, 0);
    expect(copy.size).toBe(evidence.size);
    const part = new Evidence();
    part.append(evidence, 1, 0);
    expect(part.size).toBe(one + 5 + withFile);
  });

  it('may be taken from an earlier walk, at another position', () => {
    const earlier = walked(TREE);
    const evidence = new Evidence();
    evidence.begin('' as Bytes, 'r', [100]);
    evidence.append(earlier, 1, 101);
    evidence.append(earlier, 4, 110);
    evidence.end([120]);
    expect(evidence.directories.map(({ path, size }) => [path, size])).toEqual([
      ['', 5],
      ['a', 3],
      ['a/b', 1],
      ['a/c', 1],
      ['d', 1],
    ]);
    expect(evidence.givenBefore).toEqual([100, 101, 102, 104, 110]);
    expect(evidence.directories[0]?.found).toEqual([20]);
  });
});

describe('what would be seen again', () => {
  it('is everything where nothing has changed', () => {
    const evidence = walked(TREE);
    const seen = stillSeen(evidence, { stamps: unchanged() });
    expect([seen.isAll, seen.evidence]).toEqual([true, evidence]);
    expect(sameIn(seen)).toEqual(['.', 'a', 'a/b', 'a/c', 'd']);
    expect(PATHS.map((path) => seen.at(bytesOf(path), 'r'))).toEqual([0, 1, 2, 3, 4]);
    expect(seen.foundAt(1)).toEqual([6, 60] satisfies Tally);
    expect(askedFor(evidence, { stamps: unchanged() })).toEqual(['the start', 'a', 'a/b', 'a/c', 'd']);
  });

  it('is nothing of what was not seen, or by other rules', () => {
    const seen = stillSeen(walked(TREE), { stamps: unchanged() });
    expect([seen.at('e' as Bytes, 'r'), seen.at('a' as Bytes, 'other')]).toEqual([null, null]);
  });

  it.each<[string, string[]]>([
    ['', ['a', 'a/b', 'a/c', 'd']],
    ['a', ['a/b', 'a/c', 'd']],
    ['a/b', ['a/c', 'd']],
    ['a/c', ['a/b', 'd']],
    ['d', ['a', 'a/b', 'a/c']],
  ])('is not what an entry came to or went from: %j', (path, expected) => {
    const stamps = unchanged();
    stamps[path] = stamped(PATHS.indexOf(path), 2);
    const seen = stillSeen(walked(TREE), { stamps });
    expect([seen.isAll, sameIn(seen)]).toEqual([false, expected]);
  });

  it.each<[string, string[], string[]]>([
    ['', [], ['the start']],
    ['a', ['d'], ['the start', 'a', 'd']],
    ['a/b', ['a/c', 'd'], ['the start', 'a', 'a/b', 'a/c', 'd']],
    ['d', ['a', 'a/b', 'a/c'], ['the start', 'a', 'a/b', 'a/c', 'd']],
  ])('is nothing of what stands in a place that is another directory now, or none: %j', (path, expected, asked) => {
    for (const other of [stamped(99), null]) {
      const stamps = { ...unchanged(), [path]: other };
      const seen = stillSeen(walked(TREE), { stamps });
      expect([seen.isAll, sameIn(seen)]).toEqual([false, expected]);
      // The way there may lead through a link.
      expect(askedFor(walked(TREE), { stamps })).toEqual(asked);
    }
  });

  it('is nothing of what could not be proved', () => {
    const evidence = new Evidence();
    evidence.begin('' as Bytes, 'r', [0]);
    evidence.prove(null, null);
    evidence.begin('a' as Bytes, 'r', [0]);
    evidence.prove(stamped(1), identityOf(1));
    evidence.end([0]);
    evidence.end([0]);
    expect(sameIn(stillSeen(evidence, { stamps: unchanged() }))).toEqual([]);
    const known = new Evidence();
    known.begin('' as Bytes, 'r', [0]);
    known.prove(stamped(0), identityOf(0));
    known.unprove();
    known.begin('a' as Bytes, 'r', [0]);
    known.prove(stamped(1), identityOf(1));
    known.end([0]);
    known.end([0]);
    expect(sameIn(stillSeen(known, { stamps: unchanged() }))).toEqual(['a']);
  });

  it('is everything where nothing was seen', () => {
    expect(stillSeen(new Evidence(), { stamps: {} }).isAll).toBe(true);
  });

  it('is found out with pauses', () => {
    const evidence = new Evidence();
    for (let i = 0; i < 130; i++) {
      evidence.begin(bytesOf(i === 0 ? '' : `${i}`), 'r', [0]);
      evidence.end([0]);
    }
    const steps = StillSeen.of(evidence, startOf({ stamps: {} }).start);
    const pauses: boolean[] = [];
    for (let step = steps.next(); !pauses.at(-1) && pauses.length < 9; step = steps.next())
      pauses.push(step.done === true);
    expect(pauses).toEqual([false, false, true]);
  });
});

describe('what rules have looked at', () => {
  const METADATA = { type: 'file', size: 3, modified: 1, mode: 0o644 } as Metadata;
  const FILES: Record<string, Bytes | SkippedFile> = {
    ...{ 'd/.gitignore': '*.log' as Bytes, 'other/rules': 'x' as Bytes, 'd/large': new SkippedFile('is too large') },
  };
  const place: HeldPlace = {
    ...placeAt('d'),
    readFile: (name) => FILES[`d/${name}`] ?? null,
    fileAt: (path) => FILES[path] ?? null,
    entryAt: (path) => (path === 'd/entry' ? METADATA : null),
  };

  function watching(look: (place: HeldPlace) => void): Evidence {
    const evidence = new Evidence();
    evidence.begin('' as Bytes, 'r', [0]);
    evidence.prove(stamped(0), identityOf(0));
    look(evidence.watched(place));
    evidence.end([0]);
    return evidence;
  }

  const stamps = { '': stamped(0) };
  const isSame = (evidence: Evidence, found: Partial<Found>) => stillSeen(evidence, { stamps, ...found }).isAll;

  it('is told to them as it is', () => {
    const told: unknown[] = [];
    watching((watched) => {
      told.push(watched.path, watched.rootRealPath, watched.outside);
      told.push(watched.readFile('.gitignore' as Bytes), watched.readFile('none' as Bytes));
      told.push(watched.fileAt(at('other/rules'), 7), watched.entryAt(at('d/entry')));
    });
    expect(told).toEqual(['d', '/nowhere', null, '*.log', null, 'x', METADATA]);
  });

  it('is asked again in the same way', () => {
    const evidence = watching((watched) => {
      watched.readFile('.gitignore' as Bytes);
      watched.fileAt(at('other/rules'), 7);
      watched.entryAt(at('d/entry'));
    });
    const found = { stamps, files: FILES, entries: { 'd/entry': METADATA } };
    expect(askedFor(evidence, found)).toEqual([
      ...['the start', 'file d/.gitignore of any size', 'file other/rules 7', 'entry d/entry'],
    ]);
    expect(isSame(evidence, found)).toBe(true);
  });

  it('has to be the same: the content of a file', () => {
    const evidence = watching((watched) => watched.readFile('.gitignore' as Bytes));
    const now = (content: Bytes | SkippedFile | null) => isSame(evidence, { files: { 'd/.gitignore': content } });
    expect(now('*.log' as Bytes)).toBe(true);
    expect([now('*.tmp' as Bytes), now('' as Bytes), now(null), now(new SkippedFile('*.log'))]).toEqual([
      ...[false, false, false, false],
    ]);
  });

  it('has to be the same: that there is no file', () => {
    const evidence = watching((watched) => watched.readFile('none' as Bytes));
    const now = (content: Bytes | null) => isSame(evidence, { files: { 'd/none': content } });
    expect([now(null), now('' as Bytes), now('null' as Bytes)]).toEqual([true, false, false]);
  });

  it('has to be the same: that a file cannot be used, and why', () => {
    const evidence = watching((watched) => watched.readFile('large' as Bytes));
    const now = (content: Bytes | SkippedFile | null) => isSame(evidence, { files: { 'd/large': content } });
    expect(now(new SkippedFile('is too large'))).toBe(true);
    expect([now(new SkippedFile('is a pipe')), now('is too large' as Bytes), now(null)]).toEqual([false, false, false]);
  });

  it('has to be the same: an entry', () => {
    const evidence = watching((watched) => watched.entryAt(at('d/entry')));
    const now = (entry: Metadata | null) => isSame(evidence, { entries: { 'd/entry': entry } });
    expect([now({ ...METADATA }), now({ ...METADATA, size: 4 }), now(null)]).toEqual([true, false, false]);
  });

  it('all of it', () => {
    const evidence = watching((watched) => {
      watched.readFile('none' as Bytes);
      watched.readFile('.gitignore' as Bytes);
    });
    expect(isSame(evidence, { files: FILES })).toBe(true);
    expect(isSame(evidence, { files: {} })).toBe(false);
    expect(isSame(evidence, { files: { ...FILES, 'd/none': '' as Bytes } })).toBe(false);
  });

  it('outside of the root cannot be proved', () => {
    const outside: Outside = {
      exists: () => true,
      realPath: (path) => path,
      readFile: (path, largest) => `${path} ${largest}` as Bytes,
      metadata: () => METADATA,
    };
    const asking = (ask: (outside: Outside) => unknown) => {
      const evidence = new Evidence();
      evidence.begin('' as Bytes, 'r', [0]);
      const watched = evidence.watched({ ...place, outside });
      expect(evidence.isComplete).toBe(true);
      return [ask(watched.outside as Outside), evidence.isComplete];
    };
    const path = bytesOf('/etc/x');
    expect(asking((given) => given.exists(path))).toEqual([true, false]);
    expect(asking((given) => given.realPath(path))).toEqual(['/etc/x', false]);
    expect(asking((given) => given.readFile(path, 5))).toEqual(['/etc/x 5', false]);
    expect(asking((given) => given.metadata(path))).toEqual([METADATA, false]);
    expect(asking(() => 'nothing')).toEqual(['nothing', true]);
  });
});
