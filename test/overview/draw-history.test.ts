/** What git's history and maps that were drawn before do to a map, and how long it waits for them. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type MemorySource, memorySource, openWorkspace } from '../../src/index.ts';
import { drawMap } from '../../src/overview/draw.ts';
import { Planner } from '../../src/overview/plan.ts';
import type { MapOptions, MapQuery, ProjectMap } from '../../src/overview/project-map.ts';
import { movedClock } from '../support/clock.ts';
import { provable } from '../support/provable.ts';
import { heard, logOf, type ToldGit, withHistory } from '../support/told-git.ts';

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'theta', 'iota', 'kappa', 'lambda'];
const PATHS = WORDS.flatMap((a) => WORDS.map((b) => `${a}/${b}-of-${a}.ts`));
/** 100 files and 10 directories. */
const LARGE = Object.fromEntries(PATHS.map((path) => [path, '']));
const SMALL = { 'README.md': '', 'src/index.ts': '', 'src/lib/a.ts': '', 'docs/b/c.md': '' };
const CHANGED = 'lambda/gamma-of-lambda.ts';

let asked: ToldGit[] = [];

/** Another one for each test: what is known of a commit is known for good. */
let commits = 0;
const newCommit = () => (++commits).toString(16).padStart(40, 'e');

beforeEach(() => {
  asked = [];
  // Time stands still, but for the timers.
  const clock = movedClock(() => 0);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    clock.mockRestore();
  });
});

type Query = Partial<MapQuery>;

interface Drawing {
  readonly map: Promise<ProjectMap>;
  /** Whether the map is drawn by now. */
  isDone(): Promise<boolean>;
}

function beginIn(source: MemorySource, commit: string | null, query: Query, options: MapOptions): Drawing {
  const { source: repository } = provable(commit === null ? source : withHistory(source, { commit, asked }));
  const map = openWorkspace(repository).then((workspace) =>
    drawMap({ path: '.', rules: [], budget: null, ...query }, workspace, options),
  );
  let isDone = false;
  map.then(
    () => (isDone = true),
    () => (isDone = true),
  );
  const turns = async () => {
    for (let i = 0; i < 5; i++) await heard();
    return isDone;
  };
  return { map, isDone: turns };
}

/** A map that is being drawn of a repository of its own. */
function begin(tree: Record<string, string>, query: Query = {}, options: MapOptions = {}): Drawing {
  return beginIn(memorySource(tree, { root: '/root' }), newCommit(), query, { cache: false, ...options });
}

/** Whether a map was chosen since the last question. */
function watchChoosing(): () => boolean {
  const planning = vi.spyOn(Planner.prototype, 'at');
  onTestFinished(() => planning.mockRestore());
  return () => {
    const isChosen = planning.mock.calls.length > 0;
    planning.mockClear();
    return isChosen;
  };
}

const pathsIn = ({ data }: ProjectMap) => data.entries.map(({ path }) => path);

describe('where not everything fits', () => {
  it('what was worked on lately is shown', async () => {
    const told = async (...log: string[][]) => {
      const drawing = begin(LARGE, { budget: 60 });
      expect(await drawing.isDone()).toBe(false);
      await asked.at(-1)?.finish(logOf(...log));
      return pathsIn(await drawing.map);
    };
    expect(await told()).not.toContain(CHANGED);
    expect(await told([CHANGED], [CHANGED])).toContain(CHANGED);
    expect(asked.map(({ ends }) => ends)).toEqual([1, 1]);
    // Nobody waits for anything any more.
    expect(vi.getTimerCount()).toBe(0);
  });

  it('a part shows what the map of the root does not name', async () => {
    const hot = PATHS.map((path) => `part/hot/${path}`);
    const cold = WORDS.map((name) => `part/cold/${name}.ts`);
    const drawing = begin(Object.fromEntries([...hot, ...cold].map((path) => [path, ''])), {
      path: 'part',
      budget: 120,
    });
    await drawing.isDone();
    // Nearly everything happens in one directory, which the map of the root names.
    const log = Array.from({ length: 100 }, (_, i) =>
      i % 25 === 10 ? ['part/cold/gamma.ts'] : hot.slice((i % 10) * 10, (i % 10) * 10 + 10),
    );
    await asked[0]?.finish(logOf(...log));
    expect(pathsIn(await drawing.map)).toContain('part/cold/gamma.ts');
  });

  it('git is waited for as long as the call has time', async () => {
    // Of 100 ms 30 are kept back.
    const drawing = begin(LARGE, { budget: 60 }, { timeLimit: 100 });
    await drawing.isDone();
    await asked[0]?.say(logOf([CHANGED], [CHANGED], []));
    await vi.advanceTimersByTimeAsync(69);
    expect(await drawing.isDone()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await drawing.isDone()).toBe(true);
    expect([asked[0]?.ends, vi.getTimerCount()]).toEqual([1, 0]);
    // What it told by then does not count, and the header says so.
    const map = await drawing.map;
    expect([pathsIn(map).includes(CHANGED), map.lacksHistory, map.stopped]).toEqual([false, true, null]);
    expect(map.text.split('\n')[0]).toBe(`# .: 100 files, ${map.shown} shown, without git's history`);
  });

  it('a git that fails is no history', async () => {
    const drawing = begin(LARGE, { budget: 60 });
    await drawing.isDone();
    await asked[0]?.finish(logOf([CHANGED], [CHANGED]), 128);
    expect(await drawing.map).toMatchObject({ lacksHistory: true });
  });

  it('git is not waited for when nobody waits any more', async () => {
    const stop = new AbortController();
    const drawing = begin(LARGE, { budget: 60 }, { signal: stop.signal });
    expect(await drawing.isDone()).toBe(false);
    stop.abort();
    expect(asked[0]?.ends).toBe(1);
    expect(await drawing.isDone()).toBe(true);
    expect((await drawing.map).stopped).toBe('aborted');
  });

  it('git is not asked in a workspace that starts no program', async () => {
    const workspace = await openWorkspace(withHistory(memorySource(LARGE, { root: '/root' }), { asked }), {
      git: false,
    });
    await drawMap({ path: '.', rules: [], budget: 60 }, workspace, { cache: false });
    expect(asked).toEqual([]);
  });
});

describe('where everything fits', () => {
  it('nobody waits for git, also where it just fits', async () => {
    const drawing = begin(SMALL);
    expect(await drawing.isDone()).toBe(true);
    expect(asked[0]?.ends).toBe(1);
    const { tokens, isWhole } = await drawing.map;
    expect(isWhole).toBe(true);
    expect(await begin(SMALL, { budget: tokens }).isDone()).toBe(true);
    expect(await begin(SMALL, { budget: tokens - 1 }).isDone()).toBe(false);
  });

  it('but not surely, git is waited for: a name takes a token at least', async () => {
    const countTokens = () => 1;
    expect(await begin(LARGE, { budget: 111 }, { countTokens }).isDone()).toBe(true);
    expect(await begin(LARGE, { budget: 110 }, { countTokens }).isDone()).toBe(false);
  });
});

describe('a map is given again', () => {
  it.each([
    ['whole', SMALL, null],
    ['a part', LARGE, 60],
  ])('as long as it holds: %s', async (_, tree, budget) => {
    const source = memorySource(tree, { root: '/root' });
    const ask = (options: MapOptions = {}, query: Query = {}) =>
      beginIn(source, null, { budget, ...query }, options).map;
    const wasChosen = watchChoosing();
    const first = await ask();
    expect([first.isWhole, first.isFromCache, wasChosen()]).toEqual([budget === null, false, true]);
    expect([await ask(), wasChosen()]).toEqual([first, true]);
    expect(await ask()).toEqual({ ...first, isFromCache: true });
    expect(wasChosen()).toBe(false);
    expect((await ask({ cache: false })).isFromCache).toBe(false);
    expect(wasChosen()).toBe(true);
    expect((await ask({}, { path: '*/' })).fold).not.toBeNull();
    source.set('new.ts', '');
    expect(await ask()).toMatchObject({ isFromCache: false, files: first.files + 1 });
  });

  it('with its history, if git has told all of it, and only for the same commit', async () => {
    const [source, commit] = [memorySource(LARGE, { root: '/root' }), newCommit()];
    const ask = (one: string) => beginIn(source, one, { budget: 60 }, {});
    const first = ask(commit);
    await first.isDone();
    await asked[0]?.finish(logOf([CHANGED], [CHANGED]));
    expect(await first.map).toMatchObject({ isFromCache: false });
    // It is kept when it is asked for a second time.
    expect(await ask(commit).map).toEqual(await first.map);
    const wasChosen = watchChoosing();
    const again = ask(commit);
    expect(await again.isDone()).toBe(true);
    expect(await again.map).toEqual({ ...(await first.map), isFromCache: true });
    expect([asked.length, wasChosen()]).toEqual([1, false]);
    const other = ask(newCommit());
    expect(await other.isDone()).toBe(false);
    await asked[1]?.finish();
    expect(pathsIn(await other.map)).not.toContain(CHANGED);
  });

  it('not where git was not heard to its end', async () => {
    const [source, commit] = [memorySource(LARGE, { root: '/root' }), newCommit()];
    const first = beginIn(source, commit, { budget: 60 }, { timeLimit: 100 });
    await first.isDone();
    await vi.advanceTimersByTimeAsync(70);
    expect((await first.map).lacksHistory).toBe(true);
    const again = beginIn(source, commit, { budget: 60 }, {});
    expect(await again.isDone()).toBe(false);
    await asked[1]?.finish(logOf([CHANGED], [CHANGED]));
    expect(await again.map).toMatchObject({ lacksHistory: false });
    expect(pathsIn(await again.map)).toContain(CHANGED);
  });
});
