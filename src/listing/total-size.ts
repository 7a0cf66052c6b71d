/** Adds up the sizes of all files below directories. */
import { type Bytes, below, parentOf } from '../names/bytes.ts';
import type { Budget } from '../workspace/budget.ts';
import { fromSystem } from '../workspace/listing-error.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Entry, Listing, Unreadable } from './query.ts';
import { withReading } from './reading.ts';
import { walk } from './walk.ts';
import { type Level, type WalkSink, WHOLE_WALK } from './walk-plan.ts';

/** Returns the bytes of all files below each listed directory, including files that rules hide. */
export async function totalSizes(
  { path, entries }: Pick<Listing, 'path' | 'entries'>,
  workspace: Workspace,
  budget: Budget,
): Promise<{ sizes: ReadonlyMap<Entry, number>; unreadable: readonly Unreadable[] }> {
  const directories = entries.filter(({ type }) => type === 'dir');
  const sizes = new Map<Entry, number>(directories.map((entry) => [entry, 0]));
  const byPath = new Map(directories.map((entry) => [below(entry.parent, entry.name), entry]));
  const unreadable: Unreadable[] = [];
  // A directory that is listed below another is walked together with that one.
  const tops = directories.filter(({ parent }) => !above(parent).some((outer) => byPath.has(outer)));
  const plan = { ...WHOLE_WALK, siblings: 'any' } as const;
  for (const { parent, name } of tops) {
    const top = below(parent, name);
    try {
      const found = await withReading({ place: below(path, top), rules: [] }, workspace, budget, (reading) =>
        walk(reading, plan, sizeSink(top, byPath, sizes)),
      );
      for (const failed of found.unreadable) unreadable.push({ ...failed, path: below(top, failed.path) });
    } catch (error) {
      const { kind, message } = fromSystem(error, null);
      if (kind !== 'missing') unreadable.push({ path: top, reason: message });
    }
  }
  return { sizes, unreadable };
}

/** Returns a path and all paths above it: `a/b`, `a`. */
function above(path: Bytes): Bytes[] {
  const found: Bytes[] = [];
  for (let rest = path; rest !== ''; rest = parentOf(rest)) found.push(rest);
  return found;
}

function sizeSink(top: Bytes, byPath: ReadonlyMap<Bytes, Entry>, sizes: Map<Entry, number>): WalkSink {
  return {
    describes: true,
    take({ directory, path, entries }: Level, from, to) {
      let sum = 0;
      for (let i = from; i < to; i++) {
        if (entries.typeAt(i) !== 'file') continue;
        const metadata = directory?.metadata(entries.nameAt(i));
        // The size is NaN if the source does not know it.
        if (metadata && metadata !== 'refused') sum += metadata.size || 0;
      }
      if (sum === 0) return;
      for (const outer of above(path === '' ? top : below(top, path))) {
        const entry = byPath.get(outer);
        if (entry !== undefined) sizes.set(entry, (sizes.get(entry) as number) + sum);
      }
    },
  };
}
