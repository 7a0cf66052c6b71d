/** Shared by the ways to print a listing, for programs and for people. */
import type { Listing, Query } from '../../listing/query.ts';
import { escaped, shown } from '../../names/quote.ts';
import type { ListFormat } from './list-lines.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

/** A listing to print, its format and its destination. */
export interface Printing {
  readonly query: Query;
  readonly line: CommandLine;
  readonly format: ListFormat;
  readonly streams: Streams;
}

/** A person is willing to wait, and a command lists only once. */
export const LISTING_OPTIONS = { timeLimit: Number.POSITIVE_INFINITY, cache: false };

export function complainOf({ unreadable, notes }: Pick<Listing, 'unreadable' | 'notes'>, streams: Streams): void {
  for (const note of notes) streams.complain(`agent-ls: ${escaped(note)}`);
  for (const { path, reason } of unreadable)
    streams.complain(`agent-ls: cannot read '${shown(path) || '.'}': ${reason}`);
}
