/** Where the links of a listing lead, for those who show it. */

import { splitPath } from '../workspace/argument.ts';
import { COST } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import type { RootPath } from '../workspace/paths.ts';
import type { LinkEnd } from '../workspace/resolve.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Entry, Listing } from './query.ts';

/** Names that are looked at for all links together. Those that come later are left out. */
const MOST_STEPS = 200_000;

export function endsOfLinks({ path, entries }: Listing, workspace: Workspace): ReadonlyMap<Entry, LinkEnd> {
  const ends = new Map<Entry, LinkEnd>();
  let steps = 0;
  let parent: Bytes | null = null;
  let directory: Visit | null = null;
  for (const entry of entries) {
    if (entry.leadsToDirectory && entry.type === 'link') ends.set(entry, 'directory');
    if (entry.leadsToDirectory || entry.type !== 'link' || steps > MOST_STEPS) continue;
    if (entry.parent !== parent) {
      directory?.leave();
      parent = entry.parent;
      directory = visit(path, parent, workspace);
      steps += splitPath(parent).names.length;
    }
    const before = directory?.budget.steps ?? 0;
    ends.set(entry, directory?.endOfLink(entry.name) ?? 'unknown');
    steps += ((directory?.budget.steps ?? 0) - before) / COST.lookup;
  }
  directory?.leave();
  return ends;
}

/** The directory `inner` of the one at `path`, which is relative to the root; null when it cannot be entered any more. */
export function visit(path: RootPath, inner: Bytes, workspace: Workspace): Visit | null {
  try {
    return workspace.enterAt(inner === '' ? path : below(path, inner));
  } catch {
    return null;
  }
}
