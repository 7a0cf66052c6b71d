/** Paths for tests, from literals. */
import { bytesOf } from '../../src/workspace/bytes.ts';
import type { RootPath } from '../../src/workspace/paths.ts';

/** A place below the root. */
export function at(path: string): RootPath {
  return bytesOf(path) as RootPath;
}
