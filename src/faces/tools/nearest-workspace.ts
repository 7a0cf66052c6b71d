/** Which of several workspaces a call is about. */
import { Budget } from '../../workspace/budget.ts';
import { fromSystem } from '../../workspace/listing-error.ts';
import { asGiven } from '../../workspace/paths.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** The first one that has the path; of those that do not, the one that comes nearest to it. */
export async function nearestWorkspace(
  [first, ...others]: readonly [Workspace, ...Workspace[]],
  path: string,
): Promise<Workspace> {
  if (others.length === 0) return first;
  let best = { workspace: first, distance: await distanceTo(path, first) };
  for (const workspace of others) {
    if (best.distance === 0) break;
    const distance = await distanceTo(path, workspace);
    if (distance < best.distance) best = { workspace, distance };
  }
  return best.workspace;
}

/** 0: it has the directory; 1: something else stands there; 2: nothing does; 3: the path is not inside. */
async function distanceTo(path: string, workspace: Workspace): Promise<number> {
  const budget = new Budget();
  try {
    (await budget.run(workspace.entering(asGiven(path), budget))).leave();
    return 0;
  } catch (error) {
    const { kind } = fromSystem(error, null);
    return kind === 'outside' ? 3 : kind === 'missing' ? 2 : 1;
  }
}
