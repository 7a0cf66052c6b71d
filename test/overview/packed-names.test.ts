import { expect, it } from 'vitest';
import type { Bytes } from '../../src/names/bytes.ts';
import { PackedNames } from '../../src/overview/packed-names.ts';
import { EntryBuffer } from '../../src/workspace/reader.ts';
import { inSteps } from '../support/folders.ts';

it('are the names of each directory, however many there are and in whatever turns they come', () => {
  const store = new EntryBuffer();
  const packed = [new PackedNames(store), new PackedNames(store), new PackedNames(store)];
  const names: Bytes[][] = [[], [], []];
  for (let i = 0; i < 3000; i++) {
    const name = `${'n\xe9'.repeat(i % 9)}${i}` as Bytes;
    const start = store.count;
    store.add(name, 'file');
    packed[i % 2]?.add(start, store.count);
    names[i % 2]?.push(name);
  }
  expect(packed.map((one) => one.unpacked())).toEqual(names);
});

/** Adds names to a store and to nobody's directory but one. */
function packed(store: EntryBuffer, ...names: readonly Bytes[]): PackedNames {
  const own = new PackedNames(store);
  for (const name of names) {
    const start = store.count;
    store.add(name, 'file');
    own.add(start, store.count);
  }
  return own;
}

it('are there once they were added, and not before', () => {
  const store = new EntryBuffer();
  const names = packed(store, 'a' as Bytes, 'bc' as Bytes);
  expect(names.unpacked()).toEqual(['a', 'bc']);
  names.add(store.count, store.count);
  expect(names.unpacked()).toEqual(['a', 'bc']);
  const none = packed(store);
  expect(none.unpacked()).toEqual([]);
});

it('can be unpacked in steps, with the same result', () => {
  const store = new EntryBuffer();
  const names = Array.from({ length: 5000 }, (_, i) => `${'n\xe9'.repeat(i % 9)}${i}` as Bytes);
  const all = packed(store, ...names);
  const many = inSteps(all.unpackedInSteps());
  expect(many.value).toEqual(names);
  // One run a name, and each takes a step.
  expect(many.steps).toBe(5000);
  const run = new PackedNames(store);
  run.add(0, store.count);
  const { value, steps } = inSteps(run.unpackedInSteps());
  expect([value, steps]).toEqual([names, Math.ceil(5000 / 1024)]);
  expect(inSteps(packed(store).unpackedInSteps()).value).toEqual([]);
});
