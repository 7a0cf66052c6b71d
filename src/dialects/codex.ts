/** The codex dialect: `list_dir` of Codex. */
import { isAbsolute } from 'node:path';
import { totalOf } from '../listing/entry.ts';
import { type Entry, type EntryType, type Listing, PLAIN, type Stop } from '../listing/query.ts';
import { bytesOfShown, shownAsGiven, shownUnlike } from '../names/quote.ts';
import { type Fields, isFields } from '../protocol/plain.ts';
import { counted } from '../text/count.ts';
import { splitPath } from '../workspace/argument.ts';
import type { FailureKind, ListingError } from '../workspace/listing-error.ts';
import { joined, type Steps } from '../workspace/steps.ts';
import type { Call, ListingRequest, ToolReply } from './dialect.ts';
import { defineDialect, defineTool, LISTING_KEYWORDS, ParameterError, readListing } from './dialect.ts';
import { isInteger, stringIn, valueFor } from './parameters.ts';

/** The answer of `list_dir`. */
export interface ListDirResult {
  readonly content: string;
  readonly success: boolean;
}

export const codexProperties = {
  dir_path: { type: 'string', description: 'Absolute path of the directory to list.' },
  offset: { type: 'integer', minimum: 1, description: 'Entry to start with, from 1 (default).', default: 1 },
  limit: { type: 'integer', minimum: 1, description: 'Entries to return, default 25.', default: 25 },
  depth: { type: 'integer', minimum: 1, description: 'Levels to list, default 2.', default: 2 },
} as const;

export const codex = defineDialect(
  defineTool<ListingRequest, Listing, ListDirResult>({
    tool: {
      name: 'list_dir',
      title: 'List directory',
      description:
        'Lists what is in a local directory and below it, sorted by path, one entry a line, indented by depth. ' +
        'Directories end in "/", links in "@", special files in "?".',
      parameters: { type: 'object', properties: codexProperties, required: ['dir_path'], additionalProperties: false },
      use: 'Use list_dir to list the files of a directory and what is below it, by its absolute path.',
      keywords: LISTING_KEYWORDS,
    },
    pathOf: (params) => stringIn(params, 'dir_path'),
    parse,
    read: readListing,
    answer,
    fail,
  }),
  // Nothing is hidden, whatever a call sends.
  () => ({ rules: [], notes: [] }),
);

function parse(params: unknown): ListingRequest {
  if (!isFields(params)) throw malformed('expected a JSON object');
  const path = valueFor(params, 'dir_path');
  if (path === undefined) throw malformed('missing field `dir_path`');
  if (typeof path !== 'string') throw malformed('`dir_path` must be a string');
  const offset = numberFor(params, 'offset');
  const limit = numberFor(params, 'limit');
  const depth = numberFor(params, 'depth');
  const bytes = bytesOfShown(path);
  if (bytes === null) throw malformed('`dir_path` is a malformed quoted string');
  if (offset < 1) throw new ParameterError('offset must be a 1-indexed entry number');
  if (limit < 1) throw new ParameterError('limit must be greater than zero');
  if (depth < 1) throw new ParameterError('depth must be greater than zero');
  if (!isAbsolute(bytes)) throw new ParameterError('dir_path must be an absolute path');
  return { query: { ...PLAIN, path, rules: [], depth, order: 'path', page: { offset: offset - 1, limit } } };
}

function malformed(reason: string): ParameterError {
  return new ParameterError(`failed to parse function arguments: ${reason}`);
}

function numberFor(params: Fields, name: 'offset' | 'limit' | 'depth'): number {
  const value = valueFor(params, name) ?? codexProperties[name].default;
  if (!isInteger(value)) throw malformed(`\`${name}\` must be an integer`);
  return value;
}

const STOPPED: Readonly<Record<Stop, string>> = {
  timeout: 'time limit reached',
  aborted: 'cancelled',
  interrupted: 'reading failed',
};

const TYPE_MARKS: Readonly<Record<EntryType, string>> = { dir: '/', link: '@', other: '?', file: '' };

function* answer(listing: Listing, _: ListingRequest, call: Call): Steps<ToolReply<ListDirResult>> {
  const { totals, entries, unreadable, stopped } = listing;
  const total = totalOf(totals);
  // For an empty directory the answer is the first line alone, whatever the offset.
  if (entries.length === 0 && total > 0 && stopped === null) return refused('offset exceeds directory entry count');
  const lines = [`Absolute path: ${shownAsGiven(call.path)}`];
  if (entries.length > 0) lines.push(yield* joined(entries, indentedLine, '\n'));
  if (listing.end < total) lines.push(`More than ${entries.length} entries found`);
  if (unreadable.length > 0) lines.push(`Could not read ${counted(unreadable.length, 'directory')}`);
  if (stopped !== null) lines.push(`Stopped early: ${STOPPED[stopped]}`);
  const content = lines.join('\n');
  return { answer: { content, success: true }, text: content, isError: false };
}

/** The first line of an answer, and those that may be the last. */
const shown = shownUnlike(
  /^(?:Absolute path: |More than \d+ entries found$|Could not read \d+ director|Stopped early: )/,
);

function indentedLine({ name, parent, type }: Entry): string {
  return `${'  '.repeat(splitPath(parent).names.length)}${shown(name)}${TYPE_MARKS[type]}`;
}

function fail(error: ParameterError | ListingError): ToolReply<ListDirResult> {
  if (error instanceof ParameterError) return refused(error.message);
  if (error.kind === 'outside') return refused('dir_path must be within the workspace');
  const kind = error.kind === 'missing' && error.isThroughFile ? 'not-a-directory' : error.kind;
  return refused(`failed to read directory: ${READ_FAILURES[kind] ?? error.message}`);
}

/** The operating system's message where there is one; otherwise the error carries the message. */
const READ_FAILURES: Readonly<Partial<Record<FailureKind, string>>> = {
  missing: 'No such file or directory (os error 2)',
  'not-a-directory': 'Not a directory (os error 20)',
  denied: 'Permission denied (os error 13)',
  timeout: 'time limit reached before anything was read',
  aborted: 'cancelled before anything was read',
};

function refused(content: string): ToolReply<ListDirResult> {
  return { answer: { content, success: false }, text: content, isError: true };
}
