/** Finds the entries of a listing that git ignores, for views that show them anyway. */
import { type Bytes, below, lastNameOf, parentOf } from '../names/bytes.ts';
import { ignoreFiles } from '../rules/ignore-files.ts';
import { innerPlaceOf, type Scope, verdictOn } from '../rules/rule.ts';
import { Budget, retrying } from '../workspace/budget.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { enterOrNull } from './link-ends.ts';
import type { Entry, Listing } from './query.ts';

/** The most work for all entries together. Entries beyond it count as not ignored. */
const MAX_WORK = 50_000_000;

/** `isWhole`: no entry of any directory was left out, so an ignore file that is not listed does not exist. */
export async function ignoredEntries(
  { path, entries }: Listing,
  workspace: Workspace,
  isWhole: boolean,
): Promise<ReadonlySet<Entry>> {
  const ignored = new Set<Entry>();
  if (entries.length === 0) return ignored;
  const budget = Budget.unlimited();
  const listed = await enterOrNull(path, '' as Bytes, workspace, budget);
  if (listed === null) return ignored;
  const scopes = new Map<Bytes, Scope>();
  const ruleFiles = new Set(
    entries.filter(({ name }) => name.startsWith('.git')).map(({ parent, name }) => below(parent, name)),
  );
  try {
    scopes.set('' as Bytes, await ignoreFiles({ git: true, gemini: false })(listed, budget));
    for (const entry of entries) {
      if (budget.work > MAX_WORK) break;
      const { judge } = await scopeIn(entry.parent);
      const verdict = await retrying(() => verdictOn(entry.name, entry.type, judge), budget);
      if (verdict?.hidden) ignored.add(entry);
    }
  } finally {
    listed.leave();
  }
  return ignored;

  /** Derives the scope from that of the nearest directory above that is known. */
  async function scopeIn(directory: Bytes): Promise<Scope> {
    const known = scopes.get(directory);
    if (known !== undefined) return known;
    const above = await scopeIn(parentOf(directory));
    const inner = await enterOrNull(path, directory, workspace, budget);
    const mayHave = (file: Bytes) => !isWhole || ruleFiles.has(below(directory, file));
    try {
      const place = inner && innerPlaceOf(inner, mayHave);
      const scope = await retrying(() => above.enter(lastNameOf(directory), place), budget);
      scopes.set(directory, scope);
      return scope;
    } finally {
      inner?.leave();
    }
  }
}
