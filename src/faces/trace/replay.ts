/** Repeats the calls of a trace, one after the other, each in its original root. */
import { isDialectName } from '../../dialects/table.ts';
import { tokensIn } from '../../overview/token-count.ts';
import { isOnNetwork } from '../../sources/address.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { loadTool } from '../library/misuse.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { parseRecord, rounded } from './record.ts';
import type { CallRecord, Replayed, TraceSettings } from './record-types.ts';
import { redacted } from './redact.ts';
import { readLines } from './trace-file.ts';

/** Yields each call; null for an unreadable line. If `root` is null, each call is repeated in its recorded root. */
export async function* replayTrace(
  file: string,
  options: { readonly root: string | null; readonly allowNetworkRoots: boolean; readonly git: boolean },
): AsyncGenerator<Replayed | null> {
  const settings = new Map<string, TraceSettings>();
  /** Each root is opened once. */
  const opened = new Map<string, Promise<Workspace>>();
  const open: Open = (recorded, cwd) => {
    if (options.root === null && !options.allowNetworkRoots && isOnNetwork(recorded)) throw new Error(NETWORK_ROOT);
    const root = options.root ?? recorded;
    const key = JSON.stringify([root, cwd]);
    const opening = opened.get(key) ?? openWorkspace(root, { cwd, git: options.git });
    opened.set(key, opening);
    return opening;
  };
  try {
    for await (const line of readLines(file)) {
      const record = line === null ? null : parseRecord(line);
      if (record === null) yield null;
      else if (record.kind === 'session') settings.set(record.session, record.settings);
      else yield await replayCall(record, settings.get(record.session) ?? {}, open);
    }
  } finally {
    for (const opening of opened.values()) void opening.then((workspace) => workspace.close()).catch(() => {});
  }
}

const NETWORK_ROOT = 'its root is on another machine; name it with --root, or allow it with --allow-network-roots';

/** Opens the root of a call with the directory that its relative paths start at, or throws the reason why not. */
type Open = (root: string, cwd: string) => Promise<Workspace>;

export async function replayCall(record: CallRecord, settings: TraceSettings, open: Open): Promise<Replayed> {
  const { session, n, dialect, tool: name, root, params, cwd, text, undeclared = [] } = record;
  const which = { session, n, dialect, tool: name, root, params };
  const skipped = (reason: string) => ({ ...which, outcome: 'skipped', reason }) as const;
  if (!isDialectName(dialect) || text === null) return skipped('it is not a tool of agent-ls');
  if (root === null) return skipped('it reached no root');
  if (params === null) return skipped('its parameters are not in the trace');
  if (JSON.stringify(params).includes('***')) return skipped('a secret was left out of its parameters');
  try {
    const tool = await loadTool(dialect, name);
    const workspace = await open(root, cwd);
    // Their values are not recorded, but sending them at all may be a mistake that the tool reports.
    const input = { ...params, ...Object.fromEntries(undeclared.map((one) => [one, null])) };
    const { maxCharacters } = settings;
    const started = performance.now();
    const reply = await tool.call(input, workspace, { isLenient: true, maxCharacters });
    const ms = rounded(performance.now() - started);
    const now = redacted(reply.text);
    const isSame = now === text && reply.isError === record.isError;
    return {
      ...which,
      outcome: isSame ? 'same' : 'changed',
      tokens: { before: tokensIn(text), after: tokensIn(now) },
      ms: { before: record.ms, after: ms },
      isError: { before: record.isError, after: reply.isError },
      lines: isSame ? [] : changedLines(text, now),
    };
  } catch (error) {
    return skipped((error as Error).message);
  }
}

/** Returns `- old`, then `+ new`, each in its original order. Lines that only moved are left out. */
function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  return [...without(old, fresh).map((line) => `- ${line}`), ...without(fresh, old).map((line) => `+ ${line}`)];
}

/** Returns the lines that `others` lacks, or has less often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}
