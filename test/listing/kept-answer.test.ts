import { describe, expect, it } from 'vitest';
import { Evidence } from '../../src/listing/evidence.ts';
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
  readonly canProve?: boolean;
}

/** A reading of a directory that was changed at a time. */
function readingOf({ root = '/root', path = 'd', rules = 'rules', time = 1, canProve = true }: Given = {}): Reading {
  const scope: Scope = { judge: hidesNothing, key: () => rules, enter: () => scope };
  const directory = { rootRealPath: root, path, canProve, stamp: () => stamped(time) };
  return { directory: directory as unknown as Visit, scope, budget: new Budget() };
}

const cacheOf = () => new DirectoryCache({ now: () => 0, timeOfDay: () => 10_000 });

/** Asks twice, and keeps the second answer. */
async function answered(cache: DirectoryCache, question: string, answer: string, further?: string) {
  const first = new KeptAnswer<string>(cache, question);
  expect([await first.recall(readingOf(), further), first.evidence, first.keep(answer, 100)]).toEqual([
    ...[null, null, false],
  ]);
  const kept = new KeptAnswer<string>(cache, question);
  expect(await kept.recall(readingOf(), further)).toBeNull();
  const { directory } = readingOf();
  kept.evidence?.begin(directory, '' as Bytes);
  kept.evidence?.prove(directory);
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

  it('is gathered no more once it was too large to keep', async () => {
    const cache = cacheOf();
    await recalled(cache, 'what?');
    const large = new KeptAnswer<string>(cache, 'what?');
    await large.recall(readingOf());
    expect([large.evidence, large.keep('this', Number.POSITIVE_INFINITY)]).toEqual([expect.any(Evidence), false]);
    for (let call = 0; call < 3; call++) {
      const later = new KeptAnswer<string>(cache, 'what?');
      expect([await later.recall(readingOf()), later.evidence]).toEqual([null, null]);
    }
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

  it('is not given where something has changed, and then is asked for anew', async () => {
    const cache = cacheOf();
    await answered(cache, 'what?', 'this');
    const first = new KeptAnswer<string>(cache, 'what?');
    expect([await first.recall(readingOf({ time: 2 })), first.evidence]).toEqual([null, null]);
    const second = new KeptAnswer<string>(cache, 'what?');
    expect([await second.recall(readingOf({ time: 2 })), second.evidence]).toEqual([null, expect.any(Evidence)]);
  });

  it('is kept only where changes can be told', async () => {
    const cache = cacheOf();
    for (let i = 0; i < 3; i++) {
      const kept = new KeptAnswer<string>(cache, 'what?');
      expect([await kept.recall(readingOf({ canProve: false })), kept.evidence]).toEqual([null, null]);
    }
    // As soon as they can, the question is known.
    const kept = new KeptAnswer<string>(cache, 'what?');
    await kept.recall(readingOf());
    expect(kept.evidence).not.toBeNull();
  });

  it('has the evidence of one call, however often that call asks', async () => {
    const cache = cacheOf();
    const first = new KeptAnswer<string>(cache, 'what?');
    for (const further of ['a', 'b', 'a', 'b']) await first.recall(readingOf(), further);
    expect(first.evidence).toBeNull();
    const second = new KeptAnswer<string>(cache, 'what?');
    await second.recall(readingOf(), 'a');
    const { evidence } = second;
    expect(evidence).not.toBeNull();
    for (const further of ['b', 'a']) await second.recall(readingOf(), further);
    expect(second.evidence).toBe(evidence);
  });

  it('takes the room of all that it depends on', async () => {
    const cache = cacheOf();
    await answered(cache, 'what?', 'this');
    const key = JSON.stringify(['what?', '/root', 'd', 'rules', '']);
    const evidence = new Evidence(cache);
    evidence.begin(readingOf().directory, '' as Bytes);
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
    await recalled(cache, 'what?');
    const kept = new KeptAnswer<string>(cache, 'what?');
    await kept.recall(readingOf());
    kept.evidence?.begin(readingOf().directory, '' as Bytes);
    const outside = { exists: () => true } as unknown as Outside;
    kept.evidence?.watched({ ...placeAt('d'), outside }).outside?.exists('/etc' as Bytes);
    expect([kept.evidence?.isComplete, kept.keep('this', 100), cache.size]).toEqual([false, false, 0]);
    // Evidence is not gathered in vain each time.
    const next = new KeptAnswer<string>(cache, 'what?');
    expect([await next.recall(readingOf()), next.evidence]).toEqual([null, null]);
  });
});
