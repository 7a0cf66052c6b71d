/** Runs the calls of a trace again, one after the other, each in the root that it was made in. */
import { isDialectName } from '../../dialects/table.ts';
import { tokensIn } from '../../overview/token-count.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { loadTool } from '../library/dialect-name.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { type CallRecord, parseRecord, rounded, type TraceSettings } from './record.ts';
import { redacted } from './redact.ts';
import { readLines } from './trace-file.ts';

interface Difference {
  readonly before: number;
  readonly after: number;
}

type Which = Pick<CallRecord, 'session' | 'n' | 'dialect' | 'tool' | 'root' | 'params'>;

/** How a call is answered now. */
export type Replayed =
  | (Which & {
      readonly outcome: 'same' | 'changed';
      readonly tokens: Difference;
      readonly ms: Difference;
      readonly isError: { readonly before: boolean; readonly after: boolean };
      /** Lines that are gone begin with `- `, lines that are new with `+ `. */
      readonly lines: readonly string[];
    })
  | (Which & { readonly outcome: 'skipped'; readonly reason: string });

interface ReplayOptions {
  /** In place of the recorded roots; null is each call's own. */
  readonly root: string | null;
  /** False keeps `Tree` from starting git. */
  readonly git: boolean;
}

/** Yields each call; returns the number of lines that could not be read. */
export async function* replayTrace(file: string, options: ReplayOptions): AsyncGenerator<Replayed, number, void> {
  const settings = new Map<string, TraceSettings>();
  /** Each root is opened once. */
  const opened = new Map<string, Promise<Workspace>>();
  const open: Open = (recorded, cwd) => {
    const root = options.root ?? recorded;
    const key = JSON.stringify([root, cwd]);
    const opening = opened.get(key) ?? openWorkspace(root, { cwd, git: options.git });
    opened.set(key, opening);
    return opening;
  };
  let unreadable = 0;
  try {
    for await (const line of readLines(file)) {
      const record = line === null ? null : parseRecord(line);
      if (record === null) unreadable++;
      else if (record.kind === 'session') settings.set(record.session, record.settings);
      else yield await replayed(record, settings.get(record.session) ?? {}, open);
    }
  } finally {
    for (const opening of opened.values()) {
      opening.then(
        (workspace) => workspace.close(),
        () => {},
      );
    }
  }
  return unreadable;
}

type Open = (root: string, cwd: string) => Promise<Workspace>;

async function replayed(record: CallRecord, settings: TraceSettings, open: Open): Promise<Replayed> {
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
    // Their values are not known, but that they are sent can be a mistake that is answered.
    const input = { ...params, ...Object.fromEntries(undeclared.map((one) => [one, null])) };
    const { maxCharacters } = settings;
    const started = performance.now();
    const reply = await tool.call(input, workspace, {
      isLenient: true,
      ...(maxCharacters === undefined ? {} : { maxCharacters }),
    });
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

/** `- old` and `+ new`, in the order of the text that has them, and without regard to what was only moved. */
function changedLines(before: string, after: string): string[] {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  return [...without(old, fresh).map((line) => `- ${line}`), ...without(fresh, old).map((line) => `+ ${line}`)];
}

/** The lines that the others do not have, or not as often. */
function without(lines: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    if (count > 0) left.set(line, count - 1);
    return count === 0;
  });
}
