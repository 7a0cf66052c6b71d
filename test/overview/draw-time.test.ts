/** Maps whose time is over while they are read or chosen. Time goes on when the test says so. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { memorySource, openWorkspace, type Source } from '../../src/index.ts';
import { drawMap } from '../../src/overview/draw.ts';
import { Planner } from '../../src/overview/plan.ts';
import type { MapOptions, MapQuery, ProjectMap } from '../../src/overview/project-map.ts';
import { movedClock } from '../support/clock.ts';
import { odd } from '../support/odd-source.ts';

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'theta', 'iota', 'kappa', 'lambda'];
const PATHS = WORDS.flatMap((a) => WORDS.map((b) => `${a}/${b}-of-${a}.ts`));
const LARGE = Object.fromEntries(PATHS.map((path) => [path, '']));
/** Directories by their names, and nothing else. */
const CLOSED = WORDS.toSorted().map((word) => `${word}/+10`);

let time = 0;

beforeEach(() => {
  time = 0;
  const clock = movedClock(() => time);
  onTestFinished(() => clock.mockRestore());
});

/** Each look at the clock takes a millisecond, so that others often have a turn. */
function ticking(): void {
  const clock = movedClock(() => ++time);
  onTestFinished(() => clock.mockRestore());
}

async function drawn(source: Source, query: Partial<MapQuery>, options: MapOptions): Promise<ProjectMap> {
  const workspace = await openWorkspace(source, { git: false });
  return drawMap({ path: '.', rules: [], budget: 160, ...query }, workspace, { cache: false, ...options });
}

/** Of so many milliseconds 200 are kept back. */
const TIME_LIMIT = 1_000;
const OVER = 900;

/** Time is over when the last directory was read, and goes on by so many milliseconds with each map that is tried. */
async function readTooLong(perMap: number, limit = TIME_LIMIT) {
  let maps = 0;
  const source = odd(memorySource(LARGE), (question, path) => {
    if (question === 'close' && path === 'zeta') time = OVER;
  });
  const countTokens = (text: string) => {
    time += perMap;
    maps++;
    return text.length;
  };
  return { map: await drawn(source, {}, { timeLimit: limit, countTokens }), tried: () => maps };
}

describe('where reading took all the time', () => {
  it('a map is chosen all the same, for a moment', async () => {
    const { map: patient, tried: needed } = await readTooLong(0, 1e9);
    expect([patient.stopped, needed() > 5]).toEqual([null, true]);
    const { map, tried } = await readTooLong(0);
    expect([map.text, map.stopped, tried()]).toEqual([patient.text, null, needed()]);
  });

  it.each([
    [29, 2],
    [30, 1],
  ])('and chosen no more after that: with %i ms for each, of %i', async (perMap, most) => {
    const { map, tried } = await readTooLong(perMap);
    expect(map.stopped).toBe('timeout');
    // And one that says why there is no better one.
    expect(tried()).toBe(most + 1);
  });
});

describe('where a map is cancelled in the middle of choosing', () => {
  /** The texts that were counted, and the map. */
  async function cancelled(budget: number, perText = 1) {
    const stop = new AbortController();
    const planning = vi.spyOn(Planner.prototype, 'at');
    onTestFinished(() => planning.mockRestore());
    planning.mockClear();
    ticking();
    const texts: string[] = [];
    const countTokens = (text: string) => {
      texts.push(text);
      return text.length * perText;
    };
    const onProgress = () => planning.mock.calls.length > 0 && stop.abort();
    const options = { timeLimit: 1e9, signal: stop.signal, countTokens, onProgress };
    return { map: await drawn(memorySource(LARGE), { budget }, options), texts };
  }

  it('no map was tried, and directories are shown by their names, as far as there is room', async () => {
    const header = '# .: 100 files, 0 shown, incomplete: cancelled';
    const least = `${header}\n${CLOSED.join(' ')}`;
    const { map, texts } = await cancelled(least.length);
    expect([map.text, map.stopped]).toEqual([least, 'aborted']);
    expect(texts).toEqual([least]);
    const { map: smaller, texts: tried } = await cancelled(least.length - 1);
    expect(smaller.text).toBe(`${header}\n*/+100`);
    expect(tried).toEqual([least, smaller.text]);
  });

  it('names are not even written where there are more of them than tokens', async () => {
    const count = (tokens: number) => cancelled(tokens, 0.1);
    expect((await count(11)).texts[0]).toContain('alpha/+');
    expect((await count(10)).texts[0]).not.toContain('alpha/+');
  });
});
