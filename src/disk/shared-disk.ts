/**
 * Shares one source among all workspaces of a root. A program may open a root for every request and never close it; all
 * these workspaces together hold one descriptor.
 */
import type { Source } from '../workspace/source.ts';
import type { PinRoot } from './disk-directory.ts';
import { DiskSource } from './disk-source.ts';

interface Shared {
  /** Weak: if workspaces are never closed, the source is collected with them, and its root is closed. */
  readonly source: WeakRef<DiskSource>;
  users: number;
}

const shared = new Map<string, Shared>();

/** Takes the same arguments as `DiskSource.open`. The root is closed once it was closed as often as it was opened. */
export function openSharedDisk(root: string, pin: PinRoot): Source {
  const fresh = DiskSource.open(root, pin);
  const { realPath, aliases, pathStyle } = fresh;
  const key = [pin.name, realPath, ...aliases].join('\0');
  const known = shared.get(key);
  const source = known?.source.deref() ?? fresh;
  const entry = known !== undefined && source !== fresh ? known : { source: new WeakRef(source), users: 0 };
  if (source !== fresh) fresh.close();
  entry.users++;
  shared.set(key, entry);
  return {
    ...{ realPath, aliases, pathStyle },
    root: () => source.root(),
    close: () => {
      if (--entry.users > 0) return;
      if (shared.get(key) === entry) shared.delete(key);
      source.close();
    },
  };
}
