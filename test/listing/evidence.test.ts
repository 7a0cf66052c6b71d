import { describe, expect, it } from 'vitest';
import { Evidence } from '../../src/listing/evidence.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { DirectoryCache } from '../../src/workspace/cache.ts';
import { EntryBuffer, LEADS_TO_DIRECTORY } from '../../src/workspace/reader.ts';
import { type HeldPlace, type Metadata, type Outside, SkippedFile, type Stamp } from '../../src/workspace/source.ts';
import { atOnce, loaded } from '../../src/workspace/steps.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { at } from '../support/paths.ts';
import { placeAt, type StampedPlace } from '../support/place.ts';

const stamped = (ino: number, time = 1): Stamp => ({
  ...{ dev: 1n, ino: BigInt(ino) },
  ...{ mtimeNs: BigInt(time), ctimeNs: BigInt(time) },
});

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

const cacheOf = (timeOfDay = 10_000) => new DirectoryCache({ now: () => 0, timeOfDay: () => timeOfDay });
const holds = (evidence: Evidence, found: Found) => atOnce(evidence.holds(startOf(found).start));
const askedFor = (evidence: Evidence, found: Found) => {
  const { start, asked } = startOf(found);
  atOnce(evidence.holds(start));
  return asked;
};

/** A directory that has one stamp before it is read, and one afterwards. */
function directoryOf(before: Stamp | null, after = before): Visit {
  const stamps = [before, after];
  return { stamp: () => stamps.shift() ?? null } as unknown as Visit;
}

const PATHS = ['', 'a', 'a/b', 'a/c', 'd'];

/** The evidence of a walk through directories, each stamped by its position. */
function walked(paths: readonly string[] = PATHS): Evidence {
  const evidence = new Evidence(cacheOf());
  for (const [i, path] of paths.entries()) {
    const directory = directoryOf(stamped(i));
    evidence.begin(directory, bytesOf(path));
    evidence.prove(directory);
  }
  return evidence;
}

const unchanged = (): Record<string, Stamp | null> =>
  Object.fromEntries(PATHS.map((path, i): [string, Stamp] => [path, stamped(i)]));

describe('what a walk has seen', () => {
  it('takes room for each directory, its path, and what was found in files', () => {
    const evidence = new Evidence(cacheOf());
    expect(evidence.size).toBe(0);
    evidence.begin(directoryOf(stamped(1)), '' as Bytes);
    const one = evidence.size;
    expect(one).toBeGreaterThan(100);
    evidence.begin(directoryOf(stamped(2)), '12345' as Bytes);
    expect(evidence.size).toBe(2 * one + 5);
    const place = evidence.watched({ ...placeAt('12345'), readFile: () => '*.log' as Bytes });
    place.readFile('.gitignore' as Bytes);
    const two = evidence.size;
    evidence.watched({ ...placeAt('12345'), stampAt: () => stamped(3) }).readFile('.gitignore' as Bytes);
    const three = evidence.size;
    expect(three - two).toBeGreaterThan('.gitignore'.length + 100);
    expect(two - 2 * one - 5).toBeGreaterThan('*.log'.length + 100);
    const links = new EntryBuffer();
    for (let i = 0; i < 20; i++) links.add(bytesOf(`${i}`), 'link');
    evidence.noteLinks(links, 0);
    expect(evidence.size - three).toBeGreaterThan(20 * 100);
  });

  it.each<[string, Stamp | null, Stamp | null]>([
    ['changes cannot be told', null, null],
    ['it changed a moment ago', stamped(1, 9_999_999_999), stamped(1, 9_999_999_999)],
    ['it changed while it was read', stamped(1), stamped(1, 2)],
    ['it was replaced while it was read', stamped(1), stamped(2)],
  ])('is no evidence if %s', (_, before, after) => {
    const evidence = walked();
    const directory = directoryOf(before, after);
    evidence.begin(directory, 'e' as Bytes);
    evidence.prove(directory);
    expect(evidence.isComplete).toBe(false);
    // What follows is of no use either, and does no harm.
    evidence.watched(placeAt('e')).readFile('.gitignore' as Bytes);
    evidence.noteLinks(new EntryBuffer(), 0);
    evidence.begin(directoryOf(stamped(7)), 'f' as Bytes);
    evidence.prove(directoryOf(stamped(8)));
    expect(evidence.isComplete).toBe(false);
  });
});

describe('another walk', () => {
  it('would see the same where nothing has changed', () => {
    const evidence = walked();
    expect([evidence.isComplete, holds(evidence, { stamps: unchanged() })]).toEqual([true, true]);
    expect(askedFor(evidence, { stamps: unchanged() })).toEqual(['the start', 'a', 'a/b', 'a/c', 'd']);
    expect(holds(new Evidence(cacheOf()), { stamps: {} })).toBe(true);
  });

  it.each(PATHS)('would not where something has changed, and nothing is asked behind that: %j', (path) => {
    const at = PATHS.indexOf(path);
    for (const now of [stamped(at, 2), stamped(99), null]) {
      const stamps = { ...unchanged(), [path]: now };
      expect(holds(walked(), { stamps })).toBe(false);
      expect(askedFor(walked(), { stamps })).toHaveLength(at + 1);
    }
  });

  it('is compared with pauses', () => {
    const paths = Array.from({ length: 130 }, (_, i) => (i === 0 ? '' : `${i}`));
    const stamps = Object.fromEntries(paths.map((path, i): [string, Stamp] => [path, stamped(i)]));
    const steps = walked(paths).holds(startOf({ stamps }).start);
    const pauses: boolean[] = [];
    for (let step = steps.next(); !pauses.at(-1) && pauses.length < 9; step = steps.next())
      pauses.push(step.done === true);
    expect(pauses).toEqual([false, false, true]);
  });

  it('has to find links as they were', () => {
    const entries = new EntryBuffer();
    for (const [name, type] of [
      ['f', 'file'],
      ['l', 'link'],
      ['m', 'link'],
    ] as const)
      entries.add(bytesOf(name), type);
    entries.types[2] = (entries.types[2] as number) | LEADS_TO_DIRECTORY;
    for (const path of ['', 'a']) {
      const evidence = walked(['', 'a'].slice(0, path === '' ? 1 : 2));
      evidence.noteLinks(entries, 0);
      const after = (leads: Record<string, boolean> | null) => {
        let left = 0;
        const { start } = startOf({ stamps: unchanged() });
        const directory = {
          leadsToDirectory: (name: string) => loaded(() => leads?.[name]),
          leave: () => left++,
        };
        const descendTo = (to: string) => {
          expect(to).toBe('root/a');
          return leads === null ? null : directory;
        };
        Object.assign(start, { path: 'root', descendTo }, path === '' ? directory : {});
        const isSame = atOnce(evidence.holds(start));
        expect(left).toBe(path === '' || leads === null ? 0 : 1);
        return isSame;
      };
      expect([after({ l: false, m: true }), after({ l: true, m: true }), after({ l: false, m: false })]).toEqual([
        ...[true, false, false],
      ]);
      if (path === 'a') expect(after(null)).toBe(false);
    }
  });
});

describe('what rules have looked at', () => {
  const METADATA = { type: 'file', size: 3, modified: 1, mode: 0o644 } as Metadata;
  const FILES: Record<string, Bytes | SkippedFile> = {
    ...{ 'd/.gitignore': '*.log' as Bytes, 'other/rules': 'x' as Bytes, 'd/large': new SkippedFile('is too large') },
  };
  const place: StampedPlace = {
    ...placeAt('d'),
    readFile: (name) => FILES[`d/${name}`] ?? null,
    fileAt: (path) => FILES[path] ?? null,
    entryAt: (path) => (path === 'd/entry' ? METADATA : null),
  };

  function watching(look: (place: HeldPlace) => void): Evidence {
    const evidence = walked(['']);
    look(evidence.watched(place));
    return evidence;
  }

  const stamps = { '': stamped(0) };
  const isSame = (evidence: Evidence, found: Partial<Found>) => holds(evidence, { stamps, ...found });

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

  it('has to be as old: a file whose times can be told, which is not read again', () => {
    const evidence = walked(['', 'd']);
    const asked: string[] = [];
    const watched = evidence.watched({
      ...place,
      stampAt: (name) => {
        asked.push(`stamp ${name}`);
        return stamped(5);
      },
      readFile: (name) => {
        asked.push(`read ${name}`);
        return place.readFile(name);
      },
    });
    expect(watched.readFile('.gitignore' as Bytes)).toBe('*.log');
    expect(asked).toEqual(['stamp .gitignore', 'read .gitignore']);
    const now = (stamp: Stamp | null): Found => ({ stamps: { ...unchanged(), d: stamped(1), 'd/.gitignore': stamp } });
    expect(askedFor(evidence, now(stamped(5)))).toEqual(['the start', 'd', 'd/.gitignore']);
    expect([holds(evidence, now(stamped(5))), holds(evidence, now(stamped(5, 2))), holds(evidence, now(null))]).toEqual(
      [...[true, false, false]],
    );
  });

  it('has to be the same: the content of a file that changed a moment ago', () => {
    const evidence = walked(['']);
    const watched = evidence.watched({ ...place, stampAt: () => stamped(5, 9_999_999_999) });
    watched.readFile('.gitignore' as Bytes);
    expect(isSame(evidence, { files: FILES })).toBe(true);
    expect(isSame(evidence, { files: { 'd/.gitignore': '*.txt' as Bytes } })).toBe(false);
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

  it('has to be older than a moment, if it is a file: it may change again, and its times stay as they are', () => {
    const now = (type: Metadata['type']) => {
      const entry = { ...METADATA, type, modified: Date.now() };
      const evidence = walked(['']);
      evidence.watched({ ...place, entryAt: () => entry }).entryAt(at('d/entry'));
      return isSame(evidence, { entries: { 'd/entry': entry } });
    };
    expect([now('file'), now('dir')]).toEqual([false, true]);
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
      const evidence = walked(['']);
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
