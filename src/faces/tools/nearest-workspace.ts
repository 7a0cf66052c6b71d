/** Chooses which of several workspaces a call is about. */

import { asGiven } from '../../names/paths.ts';
import { Budget } from '../../workspace/budget.ts';
import { fromSystem } from '../../workspace/listing-error.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The distance of a workspace that does not contain the path. */
export const OUTSIDE = 3;

/** Returns the first item with the least distance. With only one item, its distance is not computed. */
export async function nearestTo<T>([first, ...others]: readonly [T, ...T[]], distanceOf: (one: T) => Promise<number>) {
  if (others.length === 0) return first;
  let best = { one: first, distance: await distanceOf(first) };
  for (const one of others) {
    if (best.distance === 0) break;
    const distance = await distanceOf(one);
    if (distance < best.distance) best = { one, distance };
  }
  return best.one;
}

/** Returns 0 if the directory exists, 1 if something else is there, 2 if nothing is there, or `OUTSIDE`. */
export async function distanceTo(path: string, workspace: Workspace): Promise<number> {
  const budget = new Budget();
  try {
    (await budget.run(workspace.entering(asGiven(path), budget))).leave();
    return 0;
  } catch (error) {
    const { kind } = fromSystem(error, null);
    return kind === 'outside' ? OUTSIDE : kind === 'missing' ? 2 : 1;
  }
}
