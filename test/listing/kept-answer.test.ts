import { describe, expect, it } from 'vitest';
import { KeptAnswer } from '../../src/listing/kept-answer.ts';
import type { Reading } from '../../src/listing/reading.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { hidesNothing, type Scope } from '../../src/rules/rule.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { DirectoryCache } from '../../src/workspace/cache.ts';
import type { Outside, Stamp } from '../../src/workspace/source.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { placeAt } from '../support/place.ts';

const stamped = (time: number): Stamp => ({ dev: 1n, ino: 2n, mtimeNs: BigInt(time), ctimeNs: BigInt(time) });

interface Given {
  readonly root?: string;
  readonly path?: string;
  readonly rules?: string;
  readonly time?: number;
}

/** A reading of a directory that was changed at a time. */
function readingOf({ root = '/root', path = 'd', rules = 'rules', time = 1 }: Given = {}): Reading {
  const scope: Scope = { judge: hidesNothing, key: () => rules, enter: () => scope };
  const directory = { rootRealPath: root, path, stamp: () => stamped(time) };
  return { directory: directory as unknown as Visit, scope, budget: new Budget() };
}

const cacheOf = () => new DirectoryCache({ now: () => 0, timeOfDay: () => 10_000 });

/** Asks for the first time, and keeps the answer. */
async function answered(cache: DirectoryCache, question: string, answer: string, further?: string) {
  const kept = new KeptAnswer<string>(cache, question);
  expect(await kept.recall(readingOf(), further)).toBeNull();
  expect(kept.before).toBeNull();
  kept.evidence.begin('' as Bytes, 'rules', [0]);
  kept.evidence.prove(stamped(1), stamped(1));
  kept.evidence.end([0]);
  return kept.keep(answer, 100);
}

const recalled = (cache: DirectoryCache, question: string, given?: Given, further?: string) =>
  new KeptAnswer<string>(cache, question).recall(readingOf(given), further);

describe('an answer that was kept', () => {
  it('is given again while nothing has changed', async () => {
    const cache = cacheOf();
    expect(await answered(cache, 'what?', 'this')).toBe(true);
    expect(await recalled(cache, 'what?')).toBe('this');
    expect(await recalled(cache, 'what?', {}, '')).toBe('this');
  });

  it('is no answer to anything else', async () => {
    const cache = cacheOf();
    await answered(cache, 'what?', 'this', 'and');
    await answered(cache, 'who?', 'that', 'and');
    expect(await recalled(cache, 'what?', {}, 'and')).toBe('this');
    expect(await recalled(cache, 'who?', {}, 'and')).toBe('that');
    expect(await recalled(cache, 'why?', {}, 'and')).toBeNull();
    expect(await recalled(cache, 'what?', { root: '/other' }, 'and')).toBeNull();
    expect(await recalled(cache, 'what?', { path: 'e' }, 'and')).toBeNull();
    expect(await recalled(cache, 'what?', { rules: 'others' }, 'and')).toBeNull();
    expect(await recalled(cache, 'what?', {}, 'or')).toBeNull();
    expect(await recalled(cache, 'what?')).toBeNull();
  });

  it('is not given where something has changed, but can be looked at', async () => {
    const cache = cacheOf();
    await answered(cache, 'what?', 'this');
    const kept = new KeptAnswer<string>(cache, 'what?');
    expect(await kept.recall(readingOf({ time: 2 }))).toBeNull();
    expect([kept.before?.answer, kept.before?.seen.isAll]).toEqual(['this', false]);
    const same = new KeptAnswer<string>(cache, 'what?');
    await same.recall(readingOf());
    expect([same.before?.answer, same.before?.seen.isAll]).toEqual(['this', true]);
  });

  it('takes the room of all that it depends on', async () => {
    const cache = cacheOf();
    await answered(cache, 'what?', 'this');
    const key = JSON.stringify(['what?', '/root', 'd', 'rules', '']);
    const { evidence } = new KeptAnswer<string>(cache, 'what?');
    evidence.begin('' as Bytes, 'rules', [0]);
    expect(cache.size).toBe(100 + evidence.size + key.length);
  });

  it('has to have room', async () => {
    const cache = cacheOf();
    cache.limit = 99;
    expect(await answered(cache, 'what?', 'this')).toBe(false);
    expect(await recalled(cache, 'what?')).toBeNull();
  });

  it('must not depend on what cannot be asked', async () => {
    const cache = cacheOf();
    const kept = new KeptAnswer<string>(cache, 'what?');
    await kept.recall(readingOf());
    kept.evidence.begin('' as Bytes, 'rules', [0]);
    const outside = { exists: () => true } as unknown as Outside;
    kept.evidence.watched({ ...placeAt('d'), outside }).outside?.exists('/etc' as Bytes);
    kept.evidence.end([0]);
    expect(kept.keep('this', 100)).toBe(false);
    expect([cache.size, await recalled(cache, 'what?')]).toEqual([0, null]);
  });
});
