/** Explains why an entry is hidden or shown: finds the rule that decides, as a listing would. */
import type { Bytes } from '../names/bytes.ts';
import { AT_ROOT, asGiven, namesOn } from '../names/paths.ts';
import { innerPlaceOf, type Rule, type Scope, scopeOf, type Verdict, verdictOn } from '../rules/rule.ts';
import { type Budget, retrying } from '../workspace/budget.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** The verdict on what a path names, whether or not it exists, or on a directory above it; null if there is none. */
export async function explainPath(
  rules: readonly Rule[],
  argument: string,
  workspace: Workspace,
  budget: Budget,
): Promise<Verdict | null> {
  const { path, type } = await budget.run(workspace.locating(asGiven(argument)));
  const names = namesOn(path);
  const last = names.at(-1);
  if (last === undefined) return null;
  // The root is held to the end, because what was loaded for the call is kept that long.
  const root = await budget.run(workspace.enteringAt(AT_ROOT, budget));
  let here: Visit | null = root;
  try {
    let scope: Scope = await scopeOf(rules, root, budget);
    for (const name of names.slice(0, -1)) {
      const above: Scope = scope;
      const verdict = await retrying(() => verdictOn(name, 'dir', above.judge), budget);
      // Ignore files themselves cover what lies below a hidden directory; a name or a pattern of a call does not.
      if (verdict?.hidden && verdict.by !== 'git' && verdict.by !== 'gemini') return verdict;
      const outer: Visit | null = here;
      const inner: Visit | null = await retrying(() => entered(outer, name), budget);
      if (outer !== root) outer?.leave();
      here = inner;
      const place = inner === null ? null : innerPlaceOf(inner, () => true);
      scope = await retrying(() => above.enter(name, place), budget);
      await budget.checkpoint();
    }
    const lastType = type ?? (argument.endsWith('/') ? 'dir' : 'file');
    const verdict = await retrying(() => verdictOn(last, lastType, scope.judge), budget);
    // A revision tracks all that it has, and nothing else.
    const isMissing = type === null && root.repository !== null && verdict?.isTracked === true;
    return isMissing ? { ...verdict, hidden: true, isTracked: undefined } : verdict;
  } finally {
    if (here !== root) here?.leave();
    root.leave();
  }
}

/** Returns null if there is no such directory, or entering it is denied. */
function entered(directory: Visit | null, name: Bytes): Visit | null {
  try {
    return directory?.descend(name) ?? null;
  } catch (error) {
    if (fromSystem(error, null).kind === 'denied') return null;
    throw error;
  }
}
