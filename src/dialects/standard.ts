/** The standard dialect: `LS` in the Standard Envelope v1.0. */

import { type Bookmark, type Entry, type EntryType, type Listing, PLAIN, type Query } from '../listing/query.ts';
import {
  type Context,
  type EntryRow,
  type ErrorCode,
  type ErrorResponse,
  errorText,
  failure,
  partial,
  type Stats,
  success,
  type ToolResponse,
} from '../protocol/envelope.ts';
import { asRelativePath } from '../protocol/relative-path.ts';
import type { RuleSpec } from '../rules/rule-spec.ts';
import { entryLine, shownPath } from '../text/lines.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { now } from '../workspace/clock.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import { inJson, shownAsGiven, unquoted } from '../workspace/quote.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import { bookmarkIn, cursorAfter } from './cursor.ts';
import { type Call, type Dialect, ParameterError } from './dialect.ts';
import { isInteger, isListOfStrings, type Parameters, parametersOf, refuseUnknown, valueFor } from './parameters.ts';
import { didYouMeanDirectory } from './suggest.ts';

export type LsResponse = ToolResponse<{ entries: EntryRow[]; truncated: boolean; next_cursor?: string }>;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;

const properties = {
  path: {
    type: 'string',
    description: 'Relative to the working directory, or absolute inside the project.',
    default: '.',
  },
  offset: { type: 'integer', minimum: 0, description: 'Entries to skip.', default: 0 },
  limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  include_hidden: {
    type: 'boolean',
    description: 'Also show dotfiles and folders such as node_modules, dist and build.',
    default: false,
  },
  ignore: {
    type: 'array',
    items: { type: 'string' },
    description: 'Globs of names or paths to leave out: "*.log", "src/*".',
  },
  cursor: { type: 'string', description: 'next_cursor of the page before.' },
} as const;

const PARAMETERS = Object.keys(properties);

export const standard: Dialect<LsResponse> = {
  tool: {
    name: 'LS',
    title: 'List directory',
    description:
      'List what is directly in a directory, directories first, a page at a time. ' +
      'Directories end in "/", links in "@".',
    parameters: { type: 'object', properties, additionalProperties: false },
  },
  query,
  answer,
  fail,
  text: (response) => response.text,
  isError: (response) => response.status === 'error',
};

/** "Parameters are checked in the order path, offset, limit, include_hidden, ignore"; `cursor` is the last. */
function query(params: unknown): Query {
  const given = parametersOf(params);
  const path = pathOf(given);
  const offset = valueFor(given, 'offset') ?? 0;
  if (!isInteger(offset) || offset < 0) throw new ParameterError('offset must be a non-negative integer.');
  const limit = valueFor(given, 'limit') ?? DEFAULT_LIMIT;
  if (!isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new ParameterError(`limit must be an integer between 1 and ${MAX_LIMIT}.`);
  }
  const includeHidden = valueFor(given, 'include_hidden') ?? false;
  if (typeof includeHidden !== 'boolean') throw new ParameterError('include_hidden must be a boolean.');
  const ignore = valueFor(given, 'ignore') ?? [];
  if (!isListOfStrings(ignore)) throw new ParameterError('ignore must be a list of glob patterns.');
  const after = bookmarkOf(given, offset);
  refuseUnknown(given, PARAMETERS);
  const rules = rulesFor(includeHidden, ignore);
  return { ...PLAIN, path, rules, page: { offset, limit }, after };
}

const HOW_TO_CONTINUE =
  'Send next_cursor exactly as the page before gave it, with the same path, or leave out cursor to start again.';

/** Some callers fill in what they leave open: an empty cursor is none, and an offset of 0 says nothing. */
function bookmarkOf(params: Parameters, offset: number): Bookmark | null {
  const cursor = valueFor(params, 'cursor') ?? '';
  if (cursor === '') return null;
  const bookmark = typeof cursor === 'string' ? bookmarkIn(cursor) : null;
  if (bookmark === null)
    throw new ParameterError('cursor must be the next_cursor of an earlier page.', HOW_TO_CONTINUE);
  if (offset === 0) return bookmark;
  throw new ParameterError('cursor and offset exclude each other.', 'Leave out offset to go on where the cursor says.');
}

/** Only when the directory is known can it be told whether the cursor is its own. */
function checkCursor(listing: Listing, { params }: Call): void {
  const given = parametersOf(params);
  const bookmark = bookmarkOf(given, 0);
  if (bookmark === null || cursorAfter(bookmark, listing.path) === given.cursor) return;
  throw new ParameterError('cursor is not from a page of this directory.', HOW_TO_CONTINUE);
}

export function pathOf(params: Parameters, isComplete = (path: string) => unquoted(path) !== null): string {
  const path = valueFor(params, 'path') ?? '.';
  if (typeof path !== 'string') throw new ParameterError('path must be a string.');
  if (path.startsWith('"') && !isComplete(path)) {
    throw new ParameterError(
      'path is a malformed quoted string.',
      'Send the name exactly as a listing showed it, with its quotes, or a plain path without quotes.',
    );
  }
  return path;
}

/** `include_hidden` lifts the dotfiles and the built-in names; `ignore` applies always. */
function rulesFor(includeHidden: boolean, ignore: readonly string[]): RuleSpec[] {
  const rules: RuleSpec[] = includeHidden ? [] : [{ kind: 'dotfiles' }, { kind: 'builtin-names' }];
  return ignore.length === 0 ? rules : [...rules, { kind: 'patterns', patterns: ignore }];
}

function* answer(listing: Listing, call: Call): Steps<LsResponse> {
  checkCursor(listing, call);
  const { totals } = listing;
  const counts = { dirs: totals.dir, files: totals.file + totals.other, links: totals.link };
  const total = counts.dirs + counts.files + counts.links;
  const data = {
    entries: yield* mapped(listing.entries, ({ name, type }) => ({
      path: toldPath(below(listing.path, name)),
      type: rowType(type),
    })),
    truncated: hasMore(listing, total),
    ...nextCursor(listing, total),
  };
  const reply = {
    data,
    text: textOf(listing, total, counts),
    stats: { ...timed(call), total_entries: total, ...counts, returned: data.entries.length },
    context: { ...contextOf(call), path_resolved: toldPath(listing.path) },
  };
  return data.truncated ? partial(reply) : success({ ...reply, data: { ...data, truncated: false } });
}

/** "Truncated means that more comes after this page"; of a directory that was not read to its end, that is assumed. */
function hasMore(listing: Listing, total: number): boolean {
  return listing.stopped !== null || (listing.entries.length > 0 && listing.end < total);
}

/** Of a directory that was not read to its end nobody knows what comes next. */
function nextCursor(listing: Listing, total: number): { next_cursor?: string } {
  if (listing.stopped !== null || !hasMore(listing, total)) return {};
  return { next_cursor: cursorAfter(listing.entries.at(-1) as Entry, listing.path) };
}

function rowType(type: EntryType): EntryRow['type'] {
  return type === 'other' ? 'file' : type;
}

/** Exactly section 8 of document 000. */
function textOf(listing: Listing, total: number, counts: { dirs: number; files: number; links: number }): string {
  const { entries, end } = listing;
  const lines = [
    `Listed ${entries.length} entries in '${shownPath(listing.path)}'`,
    `(Total: ${total} items - ${counts.dirs} dirs, ${counts.files} files, ${counts.links} links)`,
  ];
  if (listing.stopped !== null) {
    const reason = listing.stopped === 'timeout' ? 'the time limit was reached' : 'the call was cancelled';
    lines.push(`[Incomplete: ${reason}. Only part of the directory was read.]`);
    lines.push("Leave out what is not needed with 'ignore', or list a subdirectory.");
  } else if (end < total && entries.length > 0) {
    lines.push(`[Truncated: Showing ${end - entries.length}-${end} of ${total}. ${total - end} more items available.]`);
    lines.push(`Use offset=${end} to view next page.`);
  }
  lines.push('', ...entries.map(({ name, type }) => entryLine(below(listing.path, name), type)));
  return lines.join('\n');
}

export function timed(call: Call): Stats {
  return { time_ms: Math.max(1, Math.round(now() - call.started)) };
}

export function contextOf(call: Call): Context {
  return { cwd: toldPath(call.workspace.cwd), params_input: call.params === undefined ? {} : call.params };
}

/** A path from the root, as data. */
export function toldPath(path: Bytes): string {
  return path === '' ? '.' : asRelativePath(inJson(path));
}

interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** What to do next. */
  readonly next: string;
}

function fail(error: ParameterError | ListingError, call: Call): LsResponse {
  const takes =
    'LS takes path, offset (from 0), limit (1 to 200), include_hidden (true or false), ignore (a list) and cursor.';
  return failed(error, call, 'LS', takes);
}

/** A failure of one of the dialect's tools. `takes` is what to read where parameters cannot be accepted. */
export function failed(error: ParameterError | ListingError, call: Call, tool: string, takes: string): ErrorResponse {
  const { code, message, next } =
    error instanceof ParameterError
      ? { code: 'INVALID_PARAM' as const, message: error.message, next: error.next ?? takes }
      : refusal(error, call, tool);
  const resolved =
    error instanceof ParameterError || error.path === null ? {} : { path_resolved: toldPath(error.path) };
  const context = { ...contextOf(call), ...resolved };
  return failure({ code, message, text: errorText(code, message, next), stats: timed(call), context });
}

function refusal(error: ListingError, call: Call, tool: string): Refusal {
  const path = shownAsGiven(call.path);
  switch (error.kind) {
    case 'outside':
      return {
        code: 'ACCESS_DENIED',
        message: 'Access denied. Path must be within the project root.',
        next: "Use a path inside the project, such as path='.'; links that lead out of it are not followed.",
      };
    case 'missing':
      return {
        code: 'NOT_FOUND',
        message: `Path '${path}' does not exist.`,
        next: `Check the spelling, or list a directory above it.${didYouMeanDirectory(error, call)}`,
      };
    case 'not-a-directory':
      return {
        code: 'INVALID_PARAM',
        message: `'${path}' is a file, not a directory. Use 'Read' tool to view its content.`,
        next: `Call ${tool} with the path of a directory.`,
      };
    case 'denied':
      return {
        code: 'ACCESS_DENIED',
        message: `Permission denied accessing '${path}'.`,
        next: 'List another directory, or ask the user to grant access to this one.',
      };
    case 'timeout':
    case 'aborted':
      return {
        code: 'TIMEOUT',
        message: `Listing '${path}' was ${error.kind === 'timeout' ? 'out of time' : 'cancelled'} before anything was read.`,
        next: `Call ${tool} again, with more time if there was little.`,
      };
    case 'malformed':
    case 'bad-pattern':
    case 'failed':
      return {
        code: 'INTERNAL_ERROR',
        message: `Failed to list directory - ${error.message}`,
        next: `Call ${tool} again, or list another directory.`,
      };
  }
}
