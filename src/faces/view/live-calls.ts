/** The most recent calls of a server that runs in this process. */
import type { ObservedCall } from '../trace/observed.ts';
import { callRecord } from '../trace/record.ts';
import type { CallRecord, TraceSettings } from '../trace/record-types.ts';
import type { WatchedCalls } from './api.ts';
import { type CallLog, LONGEST_WAIT, sentText, watchedCall } from './call-log.ts';

/** The maximum number of calls kept, and of characters in their answers. */
const MAX_CALLS = 20_000;
const MAX_CHARACTERS = 32_000_000;

/** The maximum number of calls in one response. */
const PER_RESPONSE = 500;

export class LiveCalls implements CallLog {
  readonly kind = 'live';
  readonly label = 'this MCP server';
  /** The first record has the id `#first`. */
  readonly #records: CallRecord[] = [];
  #first = 0;
  #characters = 0;
  readonly #waiting = new Set<() => void>();
  readonly #settings: TraceSettings;

  constructor(settings: TraceSettings) {
    this.#settings = settings;
  }

  readonly onCall = (call: ObservedCall): void => {
    const record = callRecord('live', this.#end + 1, call);
    this.#records.push(record);
    this.#characters += sentText(record).length;
    while (this.#records.length > MAX_CALLS || this.#characters > MAX_CHARACTERS) {
      this.#characters -= sentText(this.#records.shift() as CallRecord).length;
      this.#first++;
    }
    for (const wake of this.#waiting) wake();
  };

  async after(position: number, signal: AbortSignal): Promise<WatchedCalls> {
    if (position >= this.#end) await this.#nextCall(signal);
    const from = Math.max(position, this.#first);
    const records = this.#records.slice(from - this.#first, from - this.#first + PER_RESPONSE);
    return { calls: records.map((record, at) => watchedCall(from + at, record)), next: from + records.length };
  }

  find(id: number) {
    const record = this.#records[id - this.#first];
    return record === undefined ? null : { record, settings: this.#settings };
  }

  get #end(): number {
    return this.#first + this.#records.length;
  }

  #nextCall(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.#waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, LONGEST_WAIT);
      signal.addEventListener('abort', wake);
      this.#waiting.add(wake);
    });
  }
}
