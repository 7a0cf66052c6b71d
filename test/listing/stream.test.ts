/** Entries while a walk finds them, for one who takes them at a pace of his own. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { memorySource, type Source } from '../../src/index.ts';
import { listDirectory } from '../../src/listing/list.ts';
import { PLAIN, type Query } from '../../src/listing/query.ts';
import { streamEntries } from '../../src/listing/stream.ts';
import { type Bytes, below } from '../../src/names/bytes.ts';
import { codedError } from '../../src/workspace/listing-error.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { movedClock } from '../support/clock.ts';
import { type Interference, odd } from '../support/odd-source.ts';

/** Directories with files, in a directory. */
function treeOf(directories: number, files: number): Record<string, string> {
  const paths = Array.from({ length: directories * files }, (_, i) => {
    return `top/d${String(Math.floor(i / files)).padStart(3, '0')}/f${String(i % files).padStart(3, '0')}`;
  });
  return Object.fromEntries(paths.map((path) => [path, '']));
}

const QUERY: Query = {
  ...PLAIN,
  path: 'top',
  rules: [],
  depth: Number.POSITIVE_INFINITY,
  page: { offset: 0, limit: Number.POSITIVE_INFINITY },
};

type Stream = ReturnType<typeof streamEntries>;
type Ended = Stream extends AsyncGenerator<unknown, infer End> ? End : never;

function streamOf(source: Source, query: Partial<Query> = {}, signal?: AbortSignal): Stream {
  return streamEntries({ ...QUERY, ...query }, Workspace.open(source), { signal });
}

/** What is handed over at a time, and what is known at the end. */
async function taken(stream: Stream): Promise<{ handfuls: Bytes[][]; end: Ended }> {
  const handfuls: Bytes[][] = [];
  for (;;) {
    const { value, done } = await stream.next();
    if (done) return { handfuls, end: value };
    expect(value.path).toBe('top');
    handfuls.push(value.entries.map(({ parent, name }) => below(parent, name)));
  }
}

/** What is handed over at once. */
const entriesIn = ({ value }: Awaited<ReturnType<Stream['next']>>) => ('entries' in value ? value.entries : []);

/** Entries that a walk has looked at, one after the other. */
function counting() {
  const seen: Bytes[] = [];
  const filter = (_: Bytes, path: Bytes) => seen.push(path) > 0;
  return { seen, select: { ...PLAIN.select, filter } };
}

/** Others have a turn never, or wherever they may. */
async function clockThat(stands: boolean): Promise<void> {
  let time = 0;
  const clock = movedClock(() => {
    if (!stands) time += 10;
    return time;
  });
  onTestFinished(() => clock.mockRestore());
  // What began before is over.
  await turns();
}

const turns = async () => {
  for (let i = 0; i < 20; i++) await new Promise(setImmediate);
};

describe('a stream', () => {
  it('gives what a listing gives, some at a time', async () => {
    await clockThat(true);
    const source = memorySource(treeOf(10, 60));
    const { handfuls, end } = await taken(streamOf(source));
    const listing = await listDirectory(QUERY, Workspace.open(source), { cache: false });
    expect(handfuls.flat()).toEqual(listing.entries.map(({ parent, name }) => below(parent, name)));
    // Four directories are not enough, and with the fifth there are more.
    expect(handfuls.map((handful) => handful.length)).toEqual([5 * 61, 5 * 61]);
    expect(end).toMatchObject({ totals: { dir: 10, file: 600 }, stopped: null, unreadable: [], notes: [] });
  });

  it('gives as many as make it worth while, and no fewer', async () => {
    await clockThat(true);
    const lengths = async (files: number) =>
      (await taken(streamOf(memorySource(treeOf(3, files))))).handfuls.map(({ length }) => length);
    expect(await lengths(255)).toEqual([256, 256, 256]);
    expect(await lengths(253)).toEqual([254 + 254, 254]);
  });

  it('gives the little that there is when others have had a turn', async () => {
    const handfulsOf = async () => (await taken(streamOf(memorySource(treeOf(40, 4))))).handfuls;
    await clockThat(true);
    const [all, ...none] = await handfulsOf();
    expect([all?.length, none.length]).toEqual([40 * 5, 0]);
    await clockThat(false);
    const handfuls = await handfulsOf();
    expect(handfuls.flat()).toEqual(all);
    expect(handfuls.length).toBeGreaterThan(1);
    expect(handfuls.length).toBeLessThan(10);
  });

  it('of nothing ends at once', async () => {
    const { handfuls, end } = await taken(streamOf(memorySource({ 'top/': {} })));
    expect(handfuls).toEqual([]);
    expect(end.totals).toEqual({ file: 0, dir: 0, link: 0, other: 0 });
  });

  it('tells at its end what could not be read, and what was left out', async () => {
    const source = memorySource({ 'top/a/b': '', 'top/closed/': { access: 'none' }, '.geminiignore/': {} });
    const { end } = await taken(
      streamOf(source, { rules: [{ kind: 'ignore-files', git: false, gemini: true }], depth: 2 }),
    );
    expect(end.unreadable).toEqual([{ path: 'closed', reason: 'permission denied' }]);
    expect(end.notes).toEqual([expect.stringContaining('.geminiignore')]);
  });
});

describe('the one who takes', () => {
  it('is waited for', async () => {
    await clockThat(true);
    const { seen, select } = counting();
    const stream = streamOf(memorySource(treeOf(50, 60)), { select });
    const first = await stream.next();
    await turns();
    // All directories, the files of the five that were handed over, and those of five more.
    expect(seen).toHaveLength(50 + 10 * 60);
    await turns();
    expect(seen).toHaveLength(50 + 10 * 60);
    const { handfuls } = await taken(stream);
    expect(entriesIn(first).length + handfuls.flat().length).toBe(50 * 61);
    expect(seen).toHaveLength(50 * 61);
  });

  it('may go away, and then nothing more is read and nothing stays open', async () => {
    await clockThat(true);
    const { seen, select } = counting();
    let held = 0;
    const source = odd(memorySource(treeOf(50, 60)), (question) => {
      if (question === 'lookup') held++;
      if (question === 'close') held--;
    });
    const stream = streamOf(source, { select });
    const workspaceHeld = held;
    await stream.next();
    expect(held).toBeGreaterThan(workspaceHeld);
    await stream.return(undefined as never);
    expect(held).toBe(workspaceHeld);
    const before = seen.length;
    expect(before).toBeLessThanOrEqual(50 + 10 * 60);
    await turns();
    expect(seen).toHaveLength(before);
  });

  it('is not told of a failure after he went away', async () => {
    await clockThat(true);
    let isBroken = false;
    const interfere: Interference = (question) => {
      if (isBroken && question === 'close') throw codedError('EIO', 'closing failed');
    };
    const stream = streamOf(odd(memorySource(treeOf(50, 60)), interfere));
    await stream.next();
    isBroken = true;
    expect(await stream.return(undefined as never)).toEqual({ value: undefined, done: true });
  });
});

describe('a stream that fails', () => {
  it('says why, after what was found', async () => {
    await clockThat(true);
    const interfere: Interference = (question, path) => {
      if (question === 'lookup' && path === 'top/d003') throw codedError('EMFILE', 'no more');
    };
    const stream = streamOf(odd(memorySource(treeOf(10, 60)), interfere));
    const first = await stream.next();
    expect(entriesIn(first)).toHaveLength(3 * 61 + 1);
    await expect(stream.next()).rejects.toMatchObject({ kind: 'failed', code: 'EMFILE', path: 'top' });
  });

  it('before it begins says so at once', async () => {
    await expect(streamOf(memorySource({}), { path: 'none' }).next()).rejects.toMatchObject({ kind: 'missing' });
  });

  it('is one that was stopped', async () => {
    await clockThat(false);
    const controller = new AbortController();
    const stream = streamOf(memorySource(treeOf(60, 20)), {}, controller.signal);
    const first = await stream.next();
    expect(first.done).toBe(false);
    controller.abort();
    await expect(taken(stream)).rejects.toMatchObject({
      kind: 'aborted',
      message: 'not everything was read',
      path: 'top',
    });
  });
});
