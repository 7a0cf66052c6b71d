/** A directory without any file that holds rules. */

import { bytesOf } from '../../src/workspace/bytes.ts';
import type { HeldPlace, Place } from '../../src/workspace/place.ts';
import { at } from './paths.ts';

export function placeAt(path: string): Place & HeldPlace {
  const names = path === '' ? [] : path.split('/');
  const above = names.map((_, depth) => names.slice(0, depth).join('/'));
  const place: Place & HeldPlace = {
    path: at(path),
    rootPath: bytesOf('/nowhere'),
    readFile: () => null,
    fileAt: () => null,
    entryAt: () => null,
    fromHeldRoot: (absolute) => absolute,
    eachFromRoot: async (visit) => {
      for (const directory of above) await visit({ ...place, path: at(directory) });
      await visit(place);
    },
  };
  return place;
}
