/** How this system holds directories. */
import type { Bytes } from '../bytes.ts';
import { type DiskDirectory, hasProc, type PinRoot } from './disk-directory.ts';
import { pinByCall } from './pinned-by-call.ts';
import { pinByDescriptor, pinUntilCallsPay } from './pinned-by-descriptor.ts';
import { pinByPath } from './pinned-by-path.ts';
import { loadedSystemCalls, systemCalls } from './system-calls.ts';

/** The best way there is. */
export function pinRoot(realPath: Bytes): DiskDirectory | null {
  // Without `/proc` their promises are better than those of any other way, so that they always pay.
  const calls = hasProc() ? loadedSystemCalls() : systemCalls();
  if (calls !== null) return pinByCall(realPath, calls);
  return hasProc() ? pinUntilCallsPay(realPath) : pinByPath(realPath);
}

/** The best way without the system's own calls. */
export const pinWithoutCalls: PinRoot = (realPath) => (hasProc() ? pinByDescriptor(realPath) : pinByPath(realPath));
