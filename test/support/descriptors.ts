/** What this process holds open, where the system tells. */
import { existsSync, readdirSync } from 'node:fs';
import type { PinRoot } from '../../src/disk/disk-directory.ts';
import { pinByDescriptor } from '../../src/disk/pinned-by-descriptor.ts';
import { pinByPath } from '../../src/disk/pinned-by-path.ts';
import { oddCalls, pinByOddCall } from './odd-calls.ts';

const LIST = '/proc/self/fd';

export const hasDescriptors = process.platform === 'linux' && existsSync(LIST);

/** How many there are; the one that reads the list is always among them. 0 where nobody tells. */
export function descriptors(): number {
  return hasDescriptors ? readdirSync(LIST).length : 0;
}

/** The ways to hold a directory that this system has. */
export const PINS: readonly [string, PinRoot][] = [
  ['by path', pinByPath],
  ...(hasDescriptors ? [['by descriptor', pinByDescriptor] satisfies [string, PinRoot]] : []),
  ...(oddCalls !== null ? [['by system calls', pinByOddCall] satisfies [string, PinRoot]] : []),
];
