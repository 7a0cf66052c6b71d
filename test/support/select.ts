/** A selection by name and path, for walks of tests. */
import type { Select } from '../../src/listing/select.ts';
import { type Bytes, below } from '../../src/names/bytes.ts';

export function selectingByName(selects: (name: Bytes, path: Bytes) => boolean): Select {
  return (entries, at, directory) => {
    const name = entries.nameAt(at);
    return selects(name, below(directory, name));
  };
}
