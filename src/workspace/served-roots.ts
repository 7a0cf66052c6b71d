/** The roots that this process has opened so far. Whoever can write into one of them may put a program there. */
import { dirname } from 'node:path';
import type { Bytes } from './bytes.ts';

const served = new Set<Bytes>();

/** `realPath` counts from now on, also after its workspace was closed. */
export function noteServedRoot(realPath: Bytes): void {
  served.add(realPath);
}

/** Whether a real path is one of the roots, or lies in one. */
export function isInServedRoot(realPath: Bytes): boolean {
  for (let here = realPath; ; here = dirname(here) as Bytes) {
    if (served.has(here)) return true;
    if (dirname(here) === here) return false;
  }
}
