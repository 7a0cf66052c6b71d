/** The calls that Watch shows, from a server beside the page or from a trace. */
import { posix } from 'node:path';
import { dialects } from '../../dialects/index.ts';
import { isDialectName } from '../../dialects/table.ts';
import { escaped } from '../../names/quote.ts';
import { parseWithin } from '../../overview/parse-tree.ts';
import { tokensIn } from '../../overview/token-count.ts';
import type { CallRecord, TraceSettings } from '../trace/record-types.ts';
import type { WatchedCall, WatchedCalls } from './api.ts';

export interface CallLog {
  readonly kind: 'live' | 'trace';
  readonly label: string;
  /** Returns the calls from a position on; 0 is the first. Waits a while if there are none. */
  after(position: number, signal: AbortSignal): Promise<WatchedCalls>;
  /** Returns a call with the settings of its session, or null if it is no longer known. */
  find(id: number): { readonly record: CallRecord; readonly settings: TraceSettings } | null;
}

/** Milliseconds that a request waits for the next call. */
export const LONGEST_WAIT = 20_000;

/** The maximum number of directories recorded for one call. */
const MAX_LOOKED = 500;
/** In a map that stands for more characters of paths, none is recorded: a trace may hold any text. */
const MAX_CHARACTERS = 1024 * 1024;

export function watchedCall(id: number, record: CallRecord): WatchedCall {
  const { n, ms, root, params, isError } = record;
  // The page shows these, and a trace may come from anybody.
  const [session, at, tool] = [record.session, record.at, record.tool].map(escaped) as [string, string, string];
  const dialect = isDialectName(record.dialect) ? record.dialect : null;
  const tokens = tokensIn(sentText(record));
  const path = namedPath(record);
  const looked = path === null || isError ? [] : lookedAt(record, path).slice(0, MAX_LOOKED);
  return { id, session, n, at, ms, dialect, tool, root, params, isError, tokens, path, looked };
}

export function sentText({ text, sent }: CallRecord): string {
  return sent ?? text ?? '';
}

function namedPath({ dialect, tool: name, root, cwd, params }: CallRecord): string | null {
  if (!isDialectName(dialect) || root === null) return null;
  const tool = dialects[dialect].tools.find((one) => one.tool.name === name);
  return tool === undefined ? null : posix.resolve(root, cwd, tool.pathOf(params) ?? '.');
}

/** Returns the directories whose entries the answer showed. */
function lookedAt({ tool, root, text }: CallRecord, path: string): string[] {
  if (root === null || text === null) return [];
  if (tool !== 'Tree') return [path];
  try {
    const map = parseWithin(MAX_CHARACTERS, text);
    // A closed directory has a count, or null if the count is small.
    const opened = map.entries.filter(({ type, files }) => type === 'dir' && files === undefined);
    return [map.path, ...opened.map((entry) => entry.path)].map((one) => posix.resolve(root, one));
  } catch {
    return [];
  }
}
