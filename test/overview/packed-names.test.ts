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
    store.add(name, 'file');
    packed[i % 2]?.add(store.count - 1);
    names[i % 2]?.push(name);
  }
  expect(packed.map((one) => one.unpacked())).toEqual(names);
});

/** Adds names to a store and to nobody's directory but one. */
function packed(store: EntryBuffer, ...names: readonly Bytes[]): PackedNames {
  const own = new PackedNames(store);
  for (const name of names) {
    store.add(name, 'file');
    own.add(store.count - 1);
  }
  return own;
}

it('are there once they were added, and not before', () => {
  const store = new EntryBuffer();
  const names = packed(store, 'a' as Bytes, 'bc' as Bytes);
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
  // Names that follow each other are one run, which takes a step for each 1,024.
  expect(many.steps).toBe(Math.ceil(5000 / 1024));
  const apart = new PackedNames(store);
  for (let at = 0; at < 5000; at += 2) apart.add(at);
  const { value, steps } = inSteps(apart.unpackedInSteps());
  expect([value, steps]).toEqual([names.filter((_, i) => i % 2 === 0), 2500]);
  expect(inSteps(packed(store).unpackedInSteps()).value).toEqual([]);
});
