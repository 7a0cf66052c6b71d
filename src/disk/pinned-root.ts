/** Chooses how directories are held on this system. */
import type { Bytes } from '../names/bytes.ts';
import { type DiskDirectory, hasProc, type PinRoot } from './disk-directory.ts';
import { pinByCall } from './pinned-by-call.ts';
import { pinByDescriptor, pinUntilCallsPay } from './pinned-by-descriptor.ts';
import { pinByPath } from './pinned-by-path.ts';
import { loadedSystemCalls, systemCalls } from './system-calls.ts';

/** Pins a root in the best way available. */
export function pinRoot(realPath: Bytes): DiskDirectory | null {
  // Without `/proc`, the calls give stronger guarantees than any other way, so they are always worth loading.
  const calls = hasProc() ? loadedSystemCalls() : systemCalls();
  if (calls !== null) return pinByCall(realPath, calls);
  return hasProc() ? pinUntilCallsPay(realPath) : pinByPath(realPath);
}

/** Pins a root in the best way without direct system calls. */
export const pinWithoutCalls: PinRoot = (realPath) => (hasProc() ? pinByDescriptor(realPath) : pinByPath(realPath));
