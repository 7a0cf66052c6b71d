import { expect, it } from 'vitest';
import { NameStore, PackedNames } from '../../src/overview/packed-names.ts';
import type { Bytes } from '../../src/workspace/bytes.ts';
import { entriesOf } from '../support/entries.ts';

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
