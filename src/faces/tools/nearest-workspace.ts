/** Which of several workspaces a call is about. */
import { Budget } from '../../workspace/budget.ts';
import { fromSystem } from '../../workspace/listing-error.ts';
import { asGiven } from '../../workspace/paths.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The distance of a workspace that a path is not inside of. */
export const OUTSIDE = 3;

/** The first with the least distance; the only one is not asked. */
export async function nearestTo<T>(
  [first, ...others]: readonly [T, ...T[]],
  distanceOf: (one: T) => Promise<number>,
): Promise<T> {
  if (others.length === 0) return first;
  let best = { one: first, distance: await distanceOf(first) };
  for (const one of others) {
    if (best.distance === 0) break;
    const distance = await distanceOf(one);
    if (distance < best.distance) best = { one, distance };
  }
  return best.one;
}

/** 0: it has the directory; 1: something else stands there; 2: nothing does; or it is outside. */
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
