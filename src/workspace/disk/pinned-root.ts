/** How this system holds directories. */
import { statSync } from 'node:fs';
import type { PinRoot } from './disk-directory.ts';
import { pinByDescriptor } from './pinned-by-descriptor.ts';
import { pinByPath } from './pinned-by-path.ts';

/** A Linux may be without `/proc`, too. */
export function pinRootOn(platform: string): PinRoot {
  try {
    return platform === 'linux' && statSync('/proc/self/fd').isDirectory() ? pinByDescriptor : pinByPath;
  } catch {
    return pinByPath;
  }
}
