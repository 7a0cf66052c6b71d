import { readOwners } from '../../disk/owners.ts';
import { formed } from '../../listing/entry.ts';
import { type CallOptions, PLAIN } from '../../listing/query.ts';
import { streamEntries } from '../../listing/stream.ts';
import { inJson } from '../../names/quote.ts';
import { checkOptions } from '../../protocol/usage-error.ts';
import { Budget } from '../../workspace/budget.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { watched } from './callbacks.ts';
import type { DescribedEntry, DirectoryListing, ListedEntry, ListOptions } from './list.ts';
import { absoluteAt, checkedTarget, filterFor, ListedForm, namingPath, SCAN_OPTIONS } from './list.ts';
import { checkCallOptions } from './misuse.ts';
import { type Place, workspaceAt } from './open-workspace.ts';

/** The options of `scan`. It reads everything below the directory unless `depth` limits it. */
export type ScanOptions = Omit<ListOptions, 'order' | 'reverse' | 'offset' | 'limit'>;

/** The summary that the iterator returns when it is done. */
export interface ScanSummary extends Required<Pick<DirectoryListing, 'totals' | 'hidden' | 'failures' | 'notes'>> {}

/**
 * Yields the entries of a directory and everything below it as they are found, each directory before its contents.
 * Leaving the loop stops the reading. Unlike other calls, it has no default time limit. It throws a ListingError if it
 * times out, is aborted or cannot read the directory. Subdirectories that cannot be read are skipped, and listed in the
 * summary that the iterator returns.
 *
 * @example for await (const { path } of scan({ pattern: ['*.ts', '!*.test.ts'], gitIgnore: true }, '/abs/project')) use(path)
 */
export function scan(
  query: ScanOptions & { readonly metadata: true },
  workspace: Place,
  options?: CallOptions,
): AsyncGenerator<DescribedEntry, ScanSummary, void>;
export function scan(
  query: ScanOptions,
  workspace: Place,
  options?: CallOptions,
): AsyncGenerator<ListedEntry, ScanSummary, void>;
export function scan(query: ScanOptions, place: Place, options: CallOptions = {}) {
  checkOptions('scan', query, SCAN_OPTIONS);
  checkCallOptions('scan', options);
  const target = checkedTarget({ ...query, depth: query.depth ?? Number.POSITIVE_INFINITY });
  return scanning(query, target, workspaceAt('scan', place), place, options);
}

async function* scanning(
  { metadata = false, absolute = false, filter: ownFilter }: ScanOptions,
  target: ReturnType<typeof checkedTarget>,
  workspace: Workspace,
  place: Place,
  options: CallOptions,
): AsyncGenerator<ListedEntry, ScanSummary, void> {
  const thrown: unknown[] = [];
  const { filter, ...limits } = watched({ ...options, filter: ownFilter }, thrown);
  const select = { ...target.select, filter: filterFor(filter) };
  const query = { ...PLAIN, ...target, select, page: { offset: 0, limit: Number.POSITIVE_INFINITY } };
  const owners = metadata ? readOwners() : null;
  const { timeLimit = Number.POSITIVE_INFINITY } = limits;
  const stream = streamEntries(query, workspace, { ...limits, timeLimit });
  try {
    for (;;) {
      const { value, done } = await namingPath(target.path, () => stream.next());
      if (done) {
        const failures = value.unreadable.map(({ path, reason }) => ({ path: inJson(path), reason }));
        return { totals: value.totals, hidden: Object.fromEntries(value.hidden), failures, notes: value.notes };
      }
      const form = new ListedForm(owners, absolute ? absoluteAt(value.path, workspace) : null);
      yield* await formed(value.entries, form, new Budget({}));
    }
  } catch (error) {
    throw thrown.length > 0 ? thrown[0] : error;
  } finally {
    await stream.return(undefined as never);
    if (workspace !== place) workspace.close();
  }
}
