/** A directory without any file that holds rules. */

import { bytesOf } from '../../src/names/bytes.ts';
import type { HeldPlace, PlaceInRoot } from '../../src/workspace/source.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import { at } from './paths.ts';

export type StampedPlace = HeldPlace & Pick<Visit, 'stampAt'>;

export function placeAt(path: string): PlaceInRoot & StampedPlace {
  const names = path === '' ? [] : path.split('/');
  const above = names.map((_, depth) => names.slice(0, depth).join('/'));
  const place: PlaceInRoot & StampedPlace = {
    path: at(path),
    rootRealPath: bytesOf('/nowhere'),
    outside: null,
    repository: null,
    readFile: () => null,
    fileAt: () => null,
    entryAt: () => null,
    stampAt: () => null,
    eachFromRoot: async (visit) => {
      for (const directory of above) await visit({ ...place, path: at(directory) });
      await visit(place);
    },
  };
  return place;
}
