/** The calls of a trace, including those added while the page is open. A call's id is the position of its line. */
import { setTimeout as delay } from 'node:timers/promises';
import { NEWLINE } from '../../names/bytes.ts';
import { shownAsGiven } from '../../names/quote.ts';
import { yieldIfBusy } from '../../workspace/budget.ts';
import { parseRecord } from '../trace/record.ts';
import type { TraceSettings } from '../trace/record-types.ts';
import { readNext } from '../trace/trace-file.ts';
import type { WatchedCall, WatchedCalls } from './api.ts';
import { type CallLog, LONGEST_WAIT, watchedCall } from './call-log.ts';

/** Bytes read for one response, if they contain a whole line. */
const PER_RESPONSE = 1024 * 1024;

/** Milliseconds between two checks of a file that does not grow. */
const INTERVAL = 300;

export class TracedCalls implements CallLog {
  readonly kind = 'trace';
  readonly label: string;
  readonly #path: string;
  /** By session. */
  readonly #settings = new Map<string, TraceSettings>();

  /** Throws an Error if the trace cannot be read. */
  constructor(path: string) {
    this.#path = path;
    this.label = shownAsGiven(path);
    readNext(path, 0, 1);
  }

  async after(position: number, signal: AbortSignal): Promise<WatchedCalls> {
    const until = Date.now() + LONGEST_WAIT;
    for (let from = position; ; ) {
      const { lines, end } = readNext(this.#path, from, PER_RESPONSE);
      const calls = await this.#callsIn(lines, end - lines.length);
      if (calls.length > 0 || Date.now() >= until || signal.aborted) return { calls, next: end };
      // More may follow at once, after lines about sessions or a broken line.
      if (end === from) await delay(INTERVAL);
      from = end;
    }
  }

  find(id: number) {
    const { lines } = readNext(this.#path, id, PER_RESPONSE);
    const record = parseRecord(lines.toString('utf8', 0, lines.indexOf(NEWLINE)));
    return record?.kind === 'call' ? { record, settings: this.#settings.get(record.session) ?? {} } : null;
  }

  /** Positions are counted in bytes, because a broken line may have other bytes than the text that is made of it. */
  async #callsIn(lines: Buffer, position: number): Promise<WatchedCall[]> {
    const calls: WatchedCall[] = [];
    for (let start = 0; start < lines.length; ) {
      const end = lines.indexOf(NEWLINE, start);
      const record = parseRecord(lines.toString('utf8', start, end));
      if (record?.kind === 'call') calls.push(watchedCall(position + start, record));
      else if (record !== null) this.#settings.set(record.session, record.settings);
      start = end + 1;
      await yieldIfBusy();
    }
    return calls;
  }
}
