/** The clock is set back, or far forward, in the middle of everything. */

import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { LevelContents } from '../../src/listing/level-contents.ts';
import { asGiven } from '../../src/names/paths.ts';
import { truncateObservation } from '../../src/protocol/truncate.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { DirectoryCache } from '../../src/workspace/cache.ts';
import { now } from '../../src/workspace/clock.ts';
import type { Stamp } from '../../src/workspace/source.ts';
import { makeTree } from '../support/tree.ts';
import { ask, comparable, WAYS } from './asking.ts';

const YEAR = 365 * 24 * 60 * 60 * 1000;

/** Each look at the clock sees it a year further on, or back. */
function restlessClock(): void {
  const real = Date.now;
  let looks = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + (looks++ % 2 === 0 ? YEAR : -YEAR));
  onTestFinished(() => clock.mockRestore());
}

function setClock(time: number): void {
  vi.useFakeTimers({ now: time, toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
}

describe('a call', () => {
  it.each(WAYS)('answers as ever while the clock jumps: $name', async (way) => {
    const root = makeTree({ 'd/e/f': 'x', g: 'y', l: { link: 'd' } });
    const workspace = await openWorkspace(root);
    const expected = comparable(await ask(way, workspace));
    restlessClock();
    const { text, isError, answer } = await ask(way, workspace, '', { timeLimit: 10_000 });
    workspace.close();
    expect(comparable({ text, isError, answer })).toEqual(expected);
    if (way.dialect !== 'standard') return;
    const { time_ms: time } = (answer as { stats: { time_ms: number } }).stats;
    expect([Number.isInteger(time), time >= 1, time < 60_000]).toEqual([true, true, true]);
  });
});

describe('the cache', () => {
  it.each([
    ['back', -YEAR],
    ['forward', YEAR],
  ])('shows what has changed since the clock was set %s', async (_, jump) => {
    const root = makeTree({ a: '' });
    const workspace = await openWorkspace(root);
    const [way] = WAYS;
    if (way === undefined) throw new Error('there is a way');
    const textNow = async () => (await ask(way, workspace, '', { cache: true })).text;
    await sleep(150);
    await textNow();
    setClock(Date.now() + jump);
    for (const name of ['b', 'c', 'd']) {
      writeFileSync(join(root, name), '');
      expect(await textNow()).toMatch(new RegExp(`^${name}$`, 'm'));
      expect(await textNow()).toMatch(new RegExp(`^${name}$`, 'm'));
      // So that the next change has another time: a clock that is set moves the disk's times along, this one does not.
      await sleep(20);
    }
    workspace.close();
  });

  it('forgets what nobody asks for, though the clock was set back', async () => {
    const workspace = await openWorkspace(makeTree({ a: '' }));
    await sleep(150);
    const directory = workspace.enter(asGiven('.'));
    const scope = { judge: () => null, key: () => '', enter: () => scope };
    const stamp = directory.stamp() as Stamp;
    const keep = { after: null, end: 10, bytes: 1_000_000 };
    const contents = await LevelContents.read(directory, scope, 'folded', keep, new Budget({}));
    vi.useFakeTimers({ toFake: ['Date', 'hrtime', 'setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const cache = new DirectoryCache({ now, timeOfDay: () => Date.now() });
    cache.keep('key', contents, contents.size, stamp, stamp);
    expect(cache.find('key', () => directory.stamp())).toBe(contents);
    vi.setSystemTime(Date.now() - YEAR);
    vi.advanceTimersByTime(11 * 60_000);
    expect(cache.find('key', () => directory.stamp())).toBe(null);
    directory.leave();
    workspace.close();
  });
});

describe('the truncator', () => {
  const LARGE = 'line\n'.repeat(10);
  const save = async (root: string) => {
    const answer = await truncateObservation(LARGE, { tool: 'T', root, maxLines: 2 });
    if (typeof answer === 'string') throw new Error('it was too large');
    return (answer.data.truncation as { full_output_path?: string }).full_output_path;
  };
  const saved = (root: string) => readdirSync(join(root, 'tool-output')).sort();

  it('overwrites nothing when the clock shows the same second again', async () => {
    const root = makeTree({});
    const names: unknown[] = [];
    const minute = new Date(Date.now() - 60_000).setSeconds(0, 0);
    for (const second of [10, 11, 10, 9, 10]) {
      setClock(minute + second * 1000);
      names.push(String(await save(root)).replace(/^.*_\d{4}(?=\d\d_)/, ''));
    }
    expect(names).toEqual(['10_T.json', '11_T.json', '10_T_2.json', '09_T.json', '10_T_3.json']);
    expect(saved(root)).toHaveLength(5);
  });

  it.each([
    ['1970', 0, ['old', 'recent']],
    ['now', Date.now(), ['recent']],
    ['2300', new Date(2300, 0).getTime(), []],
    ['as late as a clock can be', 8.64e15, []],
  ])('keeps what it just wrote, and removes by age: %s', async (_, time, left) => {
    const root = makeTree({});
    const before = Date.now();
    const savedBefore = async (days: number) => {
      const time = before - days * 24 * 60 * 60 * 1000;
      setClock(time);
      const name = String(await save(root));
      // A clock that is set moves the disk's times along, this one does not.
      utimesSync(join(root, name), time / 1000, time / 1000);
      return name;
    };
    // The newer one first: a save of a day ago would remove the older one at once.
    const recent = await savedBefore(1);
    const names: Record<string, string> = { recent, old: await savedBefore(30) };
    setClock(time);
    const name = String(await save(root));
    const kept = left.map((age) => names[age] as string);
    expect(saved(root)).toEqual([name, ...kept].map((path) => path.slice('tool-output/'.length)).sort());
  });
});
