/** Printing a listing, whoever reads it: a program or a person. */
import type { Listing } from '../../listing/query.ts';
import { escaped, shown } from '../../workspace/quote.ts';
import type { Streams } from './streams.ts';

/** A person waits as long as it takes, and asks once. */
export const LISTING_OPTIONS = { timeLimit: Number.POSITIVE_INFINITY, cache: false };

/** Characters that come together before they are worth writing. */
const BLOCK = 256 * 1024;

export function complainOf({ unreadable, notes }: Pick<Listing, 'unreadable' | 'notes'>, streams: Streams): void {
  for (const note of notes) streams.complain(`agent-ls: ${escaped(note)}`);
  for (const { path, reason } of unreadable)
    streams.complain(`agent-ls: cannot read '${shown(path) || '.'}': ${reason}`);
}

export class Printer {
  readonly #streams: Streams;
  #text = '';

  constructor(streams: Streams) {
    this.#streams = streams;
  }

  async add(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length >= BLOCK) await this.flush();
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.#streams.write(bytes);
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await this.#streams.write(Buffer.from(text));
  }
}
