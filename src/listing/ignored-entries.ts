/** Which entries of a listing git ignores, for those who show them all the same. */
import { ignoreFiles } from '../rules/ignore-files.ts';
import type { InnerPlace, Scope } from '../rules/rule.ts';
import { splitPath } from '../workspace/argument.ts';
import { Budget } from '../workspace/budget.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { visit } from './link-ends.ts';
import type { Entry, Listing } from './query.ts';

/** Steps of pattern matching for all entries together: what comes later counts as not ignored. */
const MOST_STEPS = 50_000_000;

/** `isWhole` when no entry of any directory was left out: then an ignore file that is not listed is not there. */
export async function ignoredEntries(
  { path, entries }: Listing,
  workspace: Workspace,
  isWhole: boolean,
): Promise<ReadonlySet<Entry>> {
  const ignored = new Set<Entry>();
  const listed = visit(path, '' as Bytes, workspace);
  if (listed === null) return ignored;
  const budget = new Budget({ timeLimit: Number.POSITIVE_INFINITY });
  const scopes = new Map<Bytes, Scope>();
  const { outside } = listed;
  const ruleFiles = new Set(
    entries.filter(({ name }) => name.startsWith('.git')).map(({ parent, name }) => below(parent, name)),
  );
  try {
    scopes.set('' as Bytes, await ignoreFiles({ git: true, gemini: false })(listed, budget));
    let steps = 0;
    for (const entry of entries) {
      if (steps > MOST_STEPS) break;
      const scope = await scopeIn(entry.parent);
      const before = budget.steps;
      if (scope.judge(entry.name, entry.type)?.hidden) ignored.add(entry);
      steps += budget.steps - before;
    }
  } finally {
    listed.leave();
  }
  return ignored;

  /** Made from the nearest directory above of which it is known. */
  async function scopeIn(directory: Bytes): Promise<Scope> {
    const { names } = splitPath(directory);
    let known = directory;
    let depth = names.length;
    while (!scopes.has(known)) known = names.slice(0, --depth).join('/') as Bytes;
    let scope = scopes.get(known) as Scope;
    for (; depth < names.length; depth++) {
      const name = names[depth] as Bytes;
      known = below(known, name);
      scope = await scope.enter(name, placeAt(known));
      scopes.set(known, scope);
    }
    return scope;
  }

  function placeAt(directory: Bytes): InnerPlace {
    return {
      path: below(path, directory),
      rootRealPath: workspace.realPath,
      outside,
      mayHave: (name) => !isWhole || ruleFiles.has(below(directory, name)),
      readFile: (name) => inside(directory, (inner) => inner.readFile(name)),
      fileAt: (file, largest) => inside(directory, (inner) => inner.fileAt(file, largest)),
      entryAt: (entry) => inside(directory, (inner) => inner.entryAt(entry)),
    };
  }

  function inside<T>(directory: Bytes, ask: (inner: Visit) => T | null): T | null {
    const inner = visit(path, directory, workspace);
    try {
      return inner === null ? null : ask(inner);
    } finally {
      inner?.leave();
    }
  }
}
