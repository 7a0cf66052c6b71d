/** Follows the links of a listing, for views that show where they lead. */
import { type Bytes, below } from '../names/bytes.ts';
import type { RootPath } from '../names/paths.ts';
import { Budget, COST } from '../workspace/budget.ts';
import type { LinkEnd } from '../workspace/resolve.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Entry, Listing } from './query.ts';

/** The most work for all links together. Links beyond it are left out. */
const MAX_WORK = 200_000 * COST.lookup;

export async function endsOfLinks(listing: Listing, workspace: Workspace): Promise<ReadonlyMap<Entry, LinkEnd>> {
  const { path, entries } = listing;
  const ends = new Map<Entry, LinkEnd>();
  const budget = Budget.unlimited();
  let parent: Bytes | null = null;
  let directory: Visit | null = null;
  for (const entry of entries) {
    if (entry.type !== 'link') continue;
    if (entry.leadsToDirectory) ends.set(entry, 'directory');
    if (entry.leadsToDirectory || budget.work > MAX_WORK) continue;
    if (entry.parent !== parent) {
      directory?.leave();
      parent = entry.parent;
      directory = await enterOrNull(path, parent, workspace, budget);
    }
    ends.set(entry, directory === null ? 'unknown' : await budget.finish(directory.linkEnd(entry.name)));
  }
  directory?.leave();
  return ends;
}

/** Enters the directory `inner` below the one at `path`; null if that is no longer possible. */
export function enterOrNull(path: RootPath, inner: Bytes, workspace: Workspace, budget: Budget): Promise<Visit | null> {
  return budget.run(workspace.enteringAt(inner === '' ? path : below(path, inner), budget)).catch(() => null);
}
