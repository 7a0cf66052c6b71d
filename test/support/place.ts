/** A directory without any file that holds rules. */
import { bytesOf } from '../../src/workspace/bytes.ts';
import type { Place } from '../../src/workspace/place.ts';

export function placeAt(path: string): Place {
  const files = path.split('/').map(() => null);
  return {
    path: bytesOf(path),
    rootPath: bytesOf('/nowhere'),
    readFile: () => null,
    rootFile: () => null,
    fromRoot: () => files,
  };
}
