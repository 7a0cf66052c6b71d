/** The calls that Watch shows, from a server beside the page or from a trace, including those that are still to come. */
import { posix } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dialects } from '../../dialects/index.ts';
import { isDialectName } from '../../dialects/table.ts';
import { NEWLINE } from '../../names/bytes.ts';
import { escaped, shownAsGiven } from '../../names/quote.ts';
import { parseWithin } from '../../overview/parse-tree.ts';
import { tokensIn } from '../../overview/token-count.ts';
import { yieldIfBusy } from '../../workspace/budget.ts';
import type { ObservedCall } from '../trace/observed.ts';
import { callRecord, parseRecord } from '../trace/record.ts';
import type { CallRecord, TraceSettings } from '../trace/record-types.ts';
import { readNext } from '../trace/trace-file.ts';
import type { WatchedCall, WatchedCalls } from './api.ts';

/** Milliseconds that a request waits for the next call, and between two looks whether there is one. */
const LONGEST_WAIT = 20_000;
const INTERVAL = 100;

export abstract class CallLog {
  abstract readonly kind: 'live' | 'trace';
  abstract readonly label: string;

  /** Returns some calls from a position on; 0 is the first. */
  protected abstract read(position: number): Promise<WatchedCalls>;

  /** Returns a call with the settings of its session, or null if it is no longer known. */
  abstract find(id: number): { readonly record: CallRecord; readonly settings: TraceSettings } | null;

  /** Returns the next calls from a position on. Waits a while if there are none. */
  async after(position: number, signal: AbortSignal): Promise<WatchedCalls> {
    const until = Date.now() + LONGEST_WAIT;
    for (let from = position; ; ) {
      const found = await this.read(from);
      if (found.calls.length > 0 || Date.now() >= until || signal.aborted) return found;
      // More may follow at once, after lines about sessions or a broken line.
      if (found.next === from) await delay(INTERVAL);
      from = found.next;
    }
  }
}

/** The maximum number of calls kept, and of characters in their answers. */
const MAX_CALLS = 20_000;
const MAX_KEPT_CHARACTERS = 32_000_000;

/** The maximum number of live calls in one response. */
const CALLS_PER_RESPONSE = 500;

/** The most recent calls of a server that runs in this process. */
export class LiveCalls extends CallLog {
  readonly kind = 'live';
  readonly label = 'this MCP server';
  readonly #settings: TraceSettings;
  /** The first record has the id `#first`. */
  readonly #records: CallRecord[] = [];
  #first = 0;
  #characters = 0;

  constructor(settings: TraceSettings) {
    super();
    this.#settings = settings;
  }

  readonly onCall = (call: ObservedCall): void => {
    const record = callRecord('live', this.#first + this.#records.length + 1, call);
    this.#records.push(record);
    this.#characters += sentText(record).length;
    while (this.#records.length > MAX_CALLS || this.#characters > MAX_KEPT_CHARACTERS) {
      this.#characters -= sentText(this.#records.shift() as CallRecord).length;
      this.#first++;
    }
  };

  async read(position: number): Promise<WatchedCalls> {
    const from = Math.max(position, this.#first);
    const records = this.#records.slice(from - this.#first, from - this.#first + CALLS_PER_RESPONSE);
    return { calls: records.map((record, at) => watchedCall(from + at, record)), next: from + records.length };
  }

  find(id: number) {
    const record = this.#records[id - this.#first];
    return record === undefined ? null : { record, settings: this.#settings };
  }
}

/** Bytes of a trace read for one response, if they contain a whole line. */
const BYTES_PER_RESPONSE = 1024 * 1024;

/** The calls of a trace. A call's id is the position of its line. */
export class TracedCalls extends CallLog {
  readonly kind = 'trace';
  readonly label: string;
  readonly #path: string;
  /** By session. */
  readonly #settings = new Map<string, TraceSettings>();

  /** Throws an Error if the trace cannot be read. */
  constructor(path: string) {
    super();
    this.#path = path;
    this.label = shownAsGiven(path);
    readNext(path, 0, 1);
  }

  /** Positions are counted in bytes, because a broken line may have other bytes than the text that is made of it. */
  async read(position: number): Promise<WatchedCalls> {
    const { lines, end: next } = readNext(this.#path, position, BYTES_PER_RESPONSE);
    const calls: WatchedCall[] = [];
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(NEWLINE, start);
      const record = parseRecord(lines.toString('utf8', start, end));
      if (record?.kind === 'call') calls.push(watchedCall(next - lines.length + start, record));
      else if (record !== null) this.#settings.set(record.session, record.settings);
      start = end + 1;
      await yieldIfBusy();
    }
    return { calls, next };
  }

  find(id: number) {
    const { lines } = readNext(this.#path, id, BYTES_PER_RESPONSE);
    const record = parseRecord(lines.toString('utf8', 0, lines.indexOf(NEWLINE)));
    return record?.kind === 'call' ? { record, settings: this.#settings.get(record.session) ?? {} } : null;
  }
}

/** The maximum number of directories recorded for one call. */
const MAX_LOOKED = 500;
/** In a map that stands for more characters of paths, none is recorded: a trace may hold any text. */
const MAX_CHARACTERS = 1024 * 1024;

function watchedCall(id: number, record: CallRecord): WatchedCall {
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
    // A directory that is shown in part has a count, as a closed one has.
    const whole = map.entries.filter(({ type, files }) => type === 'dir' && files === undefined);
    const opened = new Set([map.path, ...whole.map((entry) => entry.path)].map((one) => posix.resolve(root, one)));
    for (const { path: shown } of map.entries) opened.add(posix.dirname(posix.resolve(root, shown)));
    return [...opened];
  } catch {
    return [];
  }
}
