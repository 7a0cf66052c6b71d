/** Finds the files that a query means, best first: the story of a call. */
import { historyOf, type PendingLog, type SharedHistory } from '../git/shared-log.ts';
import { KeptAnswer } from '../listing/kept-answer.ts';
import { type Reading, withReading } from '../listing/reading.ts';
import { walk } from '../listing/walk.ts';
import { type WalkResult, WHOLE_WALK } from '../listing/walk-plan.ts';
import { Budget, type CallOptions } from '../workspace/budget.ts';
import { directoryCache } from '../workspace/cache.ts';
import { within } from '../workspace/clock.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { FileHistory } from './file-history.ts';
import { FileTable } from './file-table.ts';
import type { FindQuery, FoundFiles } from './project-files.ts';
import { questionOf } from './query.ts';
import { search } from './search.ts';

/** What was read below a directory, and serves any query there. */
interface Searched extends Pick<WalkResult, 'unreadable' | 'stopped'> {
  readonly table: FileTable;
  readonly notes: readonly string[];
  readonly worktrees: number;
  /** What the commits of `key` say about the files. */
  history: { readonly key: string; readonly of: FileHistory } | null;
}

export async function findFiles(query: FindQuery, workspace: Workspace, options: CallOptions): Promise<FoundFiles> {
  const budget = new Budget(options);
  budget.throwIfOver();
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, ...(options.signal === undefined ? [] : [options.signal])]);
  let hidesAny = false;
  const find = (asked: FindQuery) =>
    withReading(asked, workspace, budget, async (reading): Promise<FoundFiles> => {
      const { directory } = reading;
      const history = workspace.mayStartGit ? await historyOf(directory, budget) : null;
      const kept = (options.cache ?? true) ? new KeptAnswer<Searched>(directoryCache, 'find', true) : null;
      const known = (await kept?.recall(reading)) ?? null;
      const pending = history === null || known?.history?.key === history.key ? null : await history.begin(signal);
      const searched = known ?? (await readAll(reading, kept));
      const commits = await historyFor(searched, history, pending, budget);
      if (known === null && searched.stopped === null && searched.unreadable.length === 0) {
        kept?.keep(searched, searched.table.size + (commits?.size ?? 0));
      }
      hidesAny = searched.table.hidden.count > 0;
      const found = await search(questionOf(query.query), query.limit, searched.table, commits, budget);
      const { unreadable, stopped, notes, worktrees } = searched;
      const state = history === null ? 'none' : commits === null ? 'unread' : 'read';
      const rest = { path: directory.path, query, unreadable, stopped, notes, worktrees, history: state } as const;
      return { ...found, ...rest, inside: 0, isFromCache: known !== null };
    });
  try {
    const found = await find(query);
    const rules = query.rules.filter(({ kind }) => kind !== 'ignore-files');
    if (!hidesAny || rules.length === query.rules.length || !isNowhere(found)) return found;
    const all = await find({ ...query, rules: [...rules, { kind: 'git-directory' }] });
    return { ...found, inside: all.isGlob || all.words.every(({ isKnown }) => isKnown) ? all.whole : 0 };
  } finally {
    done.abort();
  }
}

/** True if nothing has a word of the query as it was sent, or the glob. Then it may be inside what git ignores. */
function isNowhere({ query, words, isGlob, hidden }: FoundFiles): boolean {
  if (isGlob || hidden.length > 0) return false;
  return questionOf(query.query).globs.length > 0 || words.every(({ isKnown }) => !isKnown);
}

async function readAll({ directory, scope, budget }: Reading, kept: KeptAnswer<Searched> | null): Promise<Searched> {
  const table = new FileTable();
  const plan = { ...WHOLE_WALK, evidence: kept?.evidence ?? null };
  const { unreadable, stopped, hidden } = await walk({ directory, scope: table.noting(scope), budget }, plan, table);
  await budget.finish(table.finish());
  const worktrees = hidden.get('worktree') ?? 0;
  return { table, unreadable, stopped, notes: budget.notes, worktrees, history: null };
}

/** Waits for the log for as long as the call has time. "History counts whole or not at all." */
async function historyFor(
  searched: Searched,
  history: SharedHistory | null,
  pending: PendingLog | null,
  budget: Budget,
): Promise<FileHistory | null> {
  if (history === null || searched.history?.key === history.key) return searched.history?.of ?? null;
  const log = pending && (await within(budget.remaining, pending.take(), () => null));
  if (log === null) return null;
  const of = await budget.finish(FileHistory.of(log, history.directory, searched.table));
  searched.history = { key: history.key, of };
  return of;
}
