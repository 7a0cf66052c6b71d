/** What printing a listing needs, whoever reads it: a program or a person. */
import type { Listing, Query } from '../../listing/query.ts';
import { escaped, shown } from '../../workspace/quote.ts';
import type { ListFormat } from './list-lines.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

/** What is to be printed, how, and where to. */
export interface Printing {
  readonly query: Query;
  readonly line: CommandLine;
  readonly format: ListFormat;
  readonly streams: Streams;
}

/** A person waits as long as it takes, and asks once. */
export const LISTING_OPTIONS = { timeLimit: Number.POSITIVE_INFINITY, cache: false };

export function complainOf({ unreadable, notes }: Pick<Listing, 'unreadable' | 'notes'>, streams: Streams): void {
  for (const note of notes) streams.complain(`agent-ls: ${escaped(note)}`);
  for (const { path, reason } of unreadable)
    streams.complain(`agent-ls: cannot read '${shown(path) || '.'}': ${reason}`);
}
