/** Paths for tests, from literals. */

import { bytesOf } from '../../src/names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../src/names/paths.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { atOnce } from '../../src/workspace/steps.ts';
import type { Visit } from '../../src/workspace/visit.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';

/** A place below the root. */
export function at(path: string): RootPath {
  return bytesOf(path) as RootPath;
}

/** Pins the directory at a place below the root; the caller leaves it. */
export function enterAt(workspace: Workspace, path: RootPath): Visit {
  return atOnce(workspace.enteringAt(path, Budget.unlimited()));
}

export function enterRoot(workspace: Workspace): Visit {
  return enterAt(workspace, AT_ROOT);
}
