import { expect, it } from 'vitest';
import type { Bytes } from '../../src/names/bytes.ts';
import { NameStore, PackedNames } from '../../src/overview/packed-names.ts';
import { entriesOf } from '../support/entries.ts';
import { inSteps } from '../support/folders.ts';

it('are the names of each directory, however many there are and in whatever turns they come', () => {
  const store = new NameStore();
  const packed = [new PackedNames(store), new PackedNames(store), new PackedNames(store)];
  const names: Bytes[][] = [[], [], []];
  for (let i = 0; i < 3000; i++) {
    const name = `${'n\xe9'.repeat(i % 9)}${i}` as Bytes;
    const start = store.used;
    store.add(entriesOf([name]), 0);
    packed[i % 2]?.add(start, store.used);
    names[i % 2]?.push(name);
  }
  expect(packed.map((one) => one.unpacked())).toEqual(names);
});

/** Adds names to a store and to nobody's directory but one. */
function packed(store: NameStore, ...names: readonly Bytes[]): PackedNames {
  const own = new PackedNames(store);
  const entries = entriesOf(names);
  for (const at of names.keys()) {
    const start = store.used;
    store.add(entries, at);
    own.add(start, store.used);
  }
  return own;
}

it('stand between zeros, and none is there before one was added', () => {
  const store = new NameStore();
  const names = packed(store, 'a' as Bytes, 'bc' as Bytes);
  expect(names.text).toBe('\0a\0bc\0');
  expect(names.unpacked()).toEqual(['a', 'bc']);
  names.add(store.used, store.used);
  expect(names.text).toBe('\0a\0bc\0');
  const none = packed(store);
  expect([none.text, none.unpacked()]).toEqual(['\0', []]);
});

it('may be as long as the room that is left, and longer', () => {
  for (const more of [-1, 0, 1, 100_000]) {
    const store = new NameStore();
    const first = packed(store, 'first' as Bytes);
    const long = 'x'.repeat(store.size - store.used + more) as Bytes;
    const second = packed(store, long, 'last' as Bytes);
    expect(first.unpacked()).toEqual(['first']);
    expect(second.unpacked()).toEqual([long, 'last']);
    expect(store.size).toBeGreaterThanOrEqual(store.used);
  }
});

it('take no more than about twice their bytes, even if all come from one large directory', () => {
  const store = new NameStore();
  const least = store.size;
  const entries = entriesOf(Array.from({ length: 9000 }, (_, i) => `name-${i}` as Bytes));
  let most = 0;
  for (let at = 0; at < entries.count; at++) {
    store.add(entries, at);
    if (store.size > least) most = Math.max(most, store.size / store.used);
  }
  expect(store.used).toBeGreaterThan(4 * least);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(2.1);
});

it('can be unpacked in steps, with the same result', () => {
  const store = new NameStore();
  const names = Array.from({ length: 5000 }, (_, i) => `${'n\xe9'.repeat(i % 9)}${i}` as Bytes);
  const all = packed(store, ...names);
  const many = inSteps(all.unpackedInSteps());
  expect(many.value).toEqual(names);
  // One run a name, and each takes a step.
  expect(many.steps).toBe(5000);
  const run = new PackedNames(store);
  run.add(0, store.used);
  const { value, steps } = inSteps(run.unpackedInSteps());
  expect([value, steps]).toEqual([names, Math.ceil(store.used / 2 ** 14)]);
  expect(inSteps(packed(store).unpackedInSteps()).value).toEqual([]);
});
