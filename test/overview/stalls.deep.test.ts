/** Trees that are made to keep a map busy: nobody else waits for it, it ends with its time, and it grows with its names. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWorkspace, tree } from '../../src/index.ts';
import { type Bytes, bytesOf } from '../../src/names/bytes.ts';
import { dataOf } from '../../src/overview/entries.ts';
import { Planner } from '../../src/overview/plan.ts';
import { PriceSearch } from '../../src/overview/price.ts';
import { type Row, rowsOf, textOfRow } from '../../src/overview/rows.ts';
import type { Steps } from '../../src/overview/steps.ts';
import { Survey } from '../../src/overview/survey.ts';
import { countTokens, tokensIn } from '../../src/overview/token-count.ts';
import { movedClock } from '../support/clock.ts';
import { entriesOf } from '../support/entries.ts';
import { done } from '../support/folders.ts';
import { emptyDirectory } from '../support/tree.ts';

/** Milliseconds of work in one step. Of the processor, so that a busy machine does not count; the usual is one or two. */
const LONGEST_STEP = 100;

interface Course<T> {
  readonly value: T;
  /** How many steps there were. Each is about the same work, so that they tell how the whole grows. */
  readonly steps: number;
  readonly longest: number;
}

function course<T>(steps: Generator<unknown, T, void>): Course<T> {
  let longest = 0;
  for (let count = 1; ; count++) {
    const [since, clock] = [process.cpuUsage(), performance.now()];
    const { done, value } = steps.next();
    const { user, system } = process.cpuUsage(since);
    // The collector of garbage has threads of its own, which nobody waits for.
    longest = Math.max(longest, Math.min((user + system) / 1000, performance.now() - clock));
    if (done) return { value, steps: count, longest };
  }
}

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);
const code = (i: number) => i.toString(36).padStart(5, '0');

/** Letters without sense, the same ones each time. */
function letters(count: number): string {
  let state = count;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return String.fromCharCode(97 + ((state >>> 8) % 26));
  };
  return numbers(count).map(next).join('');
}

const SENSELESS = letters(1000);

const NAMES: Readonly<Record<string, (count: number) => string[]>> = {
  'names that share 250 bytes': (count) => numbers(count).map((i) => 'x'.repeat(250) + code(i)),
  'names of which a few leave at each byte': (count) => numbers(count).map((i) => `${'a'.repeat(i % 240)}b${code(i)}`),
  'names that begin with each other': () => numbers(255).map((i) => 'a'.repeat(i + 1)),
  'names of marks of three bytes': (count) => numbers(count).map((i) => '\u20d0'.repeat(83) + code(i)),
  'names that are quoted': (count) => numbers(count).map((i) => `\n${'\u0316\u0317'.repeat(60)}${code(i)}`),
  'names without sense': (count) => numbers(count).map((i) => SENSELESS.slice(i % 700, (i % 700) + 245) + code(i)),
  'short names': (count) => numbers(count).map((i) => `name-${i}`),
};

function surveyOf(names: readonly string[], type: 'dir' | 'file'): Survey {
  const survey = new Survey();
  const all = names.map(bytesOf);
  survey.take({ directory: null, path: '' as Bytes, entries: entriesOf(all, type) }, 0, all.length);
  return survey;
}

/** Everything that is done for a map once the tree is read. */
function* mapOf(survey: Survey, budget: number): Generator<unknown, { tokens: number; entries: number }, void> {
  yield* survey.finish([]);
  const planner = new Planner(survey.root, null, true);
  const search = new PriceSearch(budget / survey.root.massBelow);
  let [best, rows]: [number, Row[]] = [0, []];
  while (!search.isOver) {
    const { cost, line } = yield* planner.at(search.price, 8 * budget);
    let size = cost / budget;
    if (line !== null) {
      const written = yield* rowsOf(yield* line());
      const tokens = yield* countTokens(written.map(textOfRow).join('\n'));
      size = tokens / budget;
      if (size <= 1 && tokens > best) [best, rows] = [tokens, written];
    }
    search.report(size);
    yield;
  }
  const { entries, folds } = yield* dataOf(rows, '' as Bytes);
  return { tokens: best, entries: entries.length + folds.length };
}

describe.each(Object.entries(NAMES))('%s', (_, namesOf) => {
  it.each([
    ['file', 100],
    ['file', 20_000],
    ['dir', 1000],
  ] as const)('keep nobody waiting as entries of type %s, at %i tokens', (type, budget) => {
    tokensIn('the table of tokens is unpacked by now');
    const few = course(mapOf(surveyOf(namesOf(250), type), budget));
    const many = course(mapOf(surveyOf(namesOf(2_000), type), budget));
    expect(many.value.tokens).toBeLessThanOrEqual(budget);
    // Where a name costs more than the budget, there is a fold for everything instead.
    if (budget > 100) expect(many.value.entries).toBeGreaterThan(0);
    expect(many.longest).toBeLessThan(LONGEST_STEP);
    // Eight times as many names: more than that for what a budget had no room for, but far from the square.
    expect(many.steps).toBeLessThan(48 * few.steps);
  });
});

describe('directories that cannot be read', () => {
  const finished = (count: number) => {
    const survey = surveyOf(numbers(count).map(String), 'dir');
    const compared = vi.spyOn(Array.prototype, 'find');
    const { longest } = course(survey.finish(numbers(count).map((i) => ({ path: bytesOf(String(i)), reason: '' }))));
    const calls = compared.mock.calls.length;
    compared.mockRestore();
    return { survey, longest, calls };
  };

  it('are found among many without looking at each of the others', () => {
    const { survey, longest, calls } = finished(40_000);
    expect(survey.root.folders.every(({ isUnreadable }) => isUnreadable)).toBe(true);
    expect(survey.root.folders).toHaveLength(40_000);
    expect(calls).toBe(0);
    // The first time, its code is not fast yet; and what other threads of the process do at that moment counts, too.
    expect(Math.min(longest, finished(40_000).longest, finished(40_000).longest)).toBeLessThan(LONGEST_STEP);
  });

  it('are added where nothing was told of them, and found again', () => {
    const survey = surveyOf(numbers(100).map(String), 'dir');
    course(survey.finish(['7', 'new/inner', 'new/other'].map((path) => ({ path: bytesOf(path), reason: '' }))));
    expect(survey.root.folders).toHaveLength(101);
    expect(done(survey.root.find(bytesOf('new/other')))?.isUnreadable).toBe(true);
    expect(done(survey.root.find(bytesOf('new')))?.folders).toHaveLength(2);
    expect(done(survey.root.find(bytesOf('8')))?.isUnreadable).toBe(false);
  });
});

it('a long text is counted in steps, to the same number', () => {
  const text = `${letters(30_000)} ${'= '.repeat(10_000)}${numbers(5_000).join(' ')}`;
  const { value, steps } = course(countTokens(text) as Steps<number>);
  expect(value).toBe(tokensIn(text));
  expect(steps).toBeGreaterThan(10);
});

describe('a map that runs out of time', () => {
  /** Some names are long, so that choosing takes longer than reading. */
  function manyNames(): string {
    const root = emptyDirectory();
    for (const i of numbers(1500)) writeFileSync(join(root, `${SENSELESS.slice(i % 700, (i % 700) + 200)}${i}`), '');
    for (const i of numbers(300)) {
      mkdirSync(join(root, `directory-${i}`));
      writeFileSync(join(root, `directory-${i}`, `file-${i}`), '');
    }
    return root;
  }

  /** A clock that goes on by a millisecond at each look: the same on every machine. */
  function countLooks(): () => number {
    let looks = 0;
    const clock = movedClock(() => ++looks);
    onTestFinished(() => clock.mockRestore());
    return () => looks;
  }

  it.each([100, 8000])('of %i tokens is smaller, and keeps every other promise', async (budget) => {
    const workspace = await openWorkspace(manyNames());
    onTestFinished(() => workspace.close());
    const looks = countLooks();
    const counter = (text: string) => 1.3 * tokensIn(text);
    const whole = await tree({ budget }, workspace, { timeLimit: 1e9, cache: false });
    const needed = looks();
    const incomplete = new Set<number>();
    for (const share of [0, 0.1, 0.25, 0.4, 0.6, 0.85]) {
      for (const countTokens of [undefined, counter]) {
        const start = looks();
        const map = await tree({ budget }, workspace, { timeLimit: needed * share, countTokens, cache: false });
        if (map.status === 'error') continue;
        const { text, data, stats } = map;
        expect((countTokens ?? tokensIn)(text)).toBeLessThanOrEqual(budget);
        const files = data.entries.filter(({ type }) => type !== 'dir').length;
        const closed = [...data.entries, ...data.folds].reduce((sum, { files = 0 }) => sum + files, 0);
        expect(files + closed).toBe(stats.files);
        if (countTokens !== undefined) continue;
        // It looks at the clock before each pause, so that few looks are left once the time is over.
        expect(looks() - start).toBeLessThan(needed * share + needed / 4 + 400);
        if (/^# .*, incomplete: out of time\n/.test(text)) incomplete.add(share);
        // Or nothing but the last tokens was left to be spent.
        else expect(stats.tokens).toBeGreaterThan(0.9 * tokensIn(whole.text));
      }
    }
    // A small map is chosen in the time that there is in any case.
    if (budget > 100) expect(incomplete.size).toBeGreaterThan(2);
  });

  it('names the directories that were read, also where there was no time to choose among their contents', async () => {
    const root = emptyDirectory();
    for (const i of numbers(12)) {
      mkdirSync(join(root, `part-${i}`));
      for (const j of numbers(300)) writeFileSync(join(root, `part-${i}`, SENSELESS.slice(i + j, i + j + 200)), '');
    }
    const workspace = await openWorkspace(root);
    onTestFinished(() => workspace.close());
    const looks = countLooks();
    await tree({ budget: 5000 }, workspace, { timeLimit: 1e9, cache: false });
    const needed = looks();
    let withoutContents = 0;
    for (let share = 0.05; share < 1; share += 0.05) {
      const { text } = await tree({ budget: 5000 }, workspace, { timeLimit: needed * share, cache: false });
      if (/^# .* 0 shown, /.test(text)) withoutContents++;
      expect(text).toContain('part-0/');
    }
    expect(withoutContents).toBeGreaterThan(0);
  });

  it('is cut short by a signal as well', async () => {
    const workspace = await openWorkspace(manyNames());
    onTestFinished(() => workspace.close());
    const looks = countLooks();
    const options = { timeLimit: 1e9, cache: false };
    await tree({ budget: 8000 }, workspace, options);
    const needed = looks();
    const signal = new AbortController();
    const stop = () => looks() > 1.5 * needed && signal.abort();
    const map = await tree({ budget: 8000 }, workspace, { ...options, signal: signal.signal, onProgress: stop });
    expect(map.text).toMatch(/^# .*, incomplete: cancelled\n/);
    expect(map.status).toBe('partial');
  });
});
