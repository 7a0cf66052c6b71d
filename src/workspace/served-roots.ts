/** Records the roots that this process has opened. Anyone who can write to one of them may put a program there. */
import { dirname } from 'node:path';
import type { Bytes } from '../names/bytes.ts';
import { folded } from './stored-name.ts';

/** Folded: a disk that ignores case may find them by another spelling. */
const served = new Set<string>();

/** Records a root. It counts from now on, even after its workspace is closed. */
export function noteServedRoot(realPath: Bytes): void {
  served.add(folded(realPath));
}

export function isInServedRoot(realPath: Bytes): boolean {
  for (let here = folded(realPath); ; here = dirname(here)) {
    if (served.has(here)) return true;
    if (dirname(here) === here) return false;
  }
}
