/** The codex dialect: `list_dir` of Codex. */
import { isAbsolute } from 'node:path';
import { type Entry, type EntryType, type Listing, PLAIN, type Query } from '../listing/query.ts';
import { counted } from '../text/count.ts';
import { splitPath } from '../workspace/argument.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import { shown, shownAsGiven, unquoted } from '../workspace/quote.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import { type Call, type Dialect, ParameterError } from './dialect.ts';
import { isInteger, isObject, type Parameters, valueFor } from './parameters.ts';

export interface ListDirResult {
  readonly content: string;
  readonly success: boolean;
}

const DEFAULTS = { offset: 1, limit: 25, depth: 2 } as const;

export const codex: Dialect<ListDirResult> = {
  tool: {
    name: 'list_dir',
    title: 'List directory',
    description:
      'Lists what is in a local directory and below it, sorted by path, one entry a line, indented by depth. ' +
      'Directories end in "/", links in "@", anything else that is no file in "?".',
    parameters: {
      type: 'object',
      properties: {
        dir_path: { type: 'string', description: 'Absolute path of the directory to list.' },
        offset: { type: 'integer', minimum: 1, description: 'Entry to start with, counted from 1.', default: 1 },
        limit: { type: 'integer', minimum: 1, description: 'Entries to return.', default: 25 },
        depth: { type: 'integer', minimum: 1, description: 'Levels to list.', default: 2 },
      },
      required: ['dir_path'],
      additionalProperties: false,
    },
  },
  query,
  answer,
  fail,
  text: ({ content }) => content,
  isError: ({ success }) => !success,
};

function query(params: unknown): Query {
  if (!isObject(params)) throw malformed('expected a JSON object');
  const path = valueFor(params, 'dir_path');
  if (path === undefined) throw malformed('missing field `dir_path`');
  if (typeof path !== 'string') throw malformed('`dir_path` must be a string');
  const offset = numberFor(params, 'offset');
  const limit = numberFor(params, 'limit');
  const depth = numberFor(params, 'depth');
  const bytes = path.startsWith('"') ? unquoted(path) : path;
  if (bytes === null) throw malformed('`dir_path` is a malformed quoted string');
  if (offset < 1) throw new ParameterError('offset must be a 1-indexed entry number');
  if (limit < 1) throw new ParameterError('limit must be greater than zero');
  if (depth < 1) throw new ParameterError('depth must be greater than zero');
  if (!isAbsolute(bytes)) throw new ParameterError('dir_path must be an absolute path');
  return { ...PLAIN, path, rules: [], depth, order: 'path', page: { offset: offset - 1, limit } };
}

function malformed(reason: string): ParameterError {
  return new ParameterError(`failed to parse function arguments: ${reason}`);
}

function numberFor(params: Parameters, name: keyof typeof DEFAULTS): number {
  const value = valueFor(params, name) ?? DEFAULTS[name];
  if (!isInteger(value)) throw malformed(`\`${name}\` must be an integer`);
  return value;
}

const MARKS: Readonly<Record<EntryType, string>> = { dir: '/', link: '@', other: '?', file: '' };

function* answer(listing: Listing, call: Call): Steps<ListDirResult> {
  const { totals, entries, unreadable, stopped } = listing;
  const total = totals.file + totals.dir + totals.link + totals.other;
  // An empty directory has that line alone, wherever a caller wants to start.
  if (entries.length === 0 && total > 0 && stopped === null) return refused('offset exceeds directory entry count');
  const lines = [`Absolute path: ${shownAsGiven(call.path)}`].concat(yield* mapped(entries, lineOf));
  if (listing.end < total) lines.push(`More than ${entries.length} entries found`);
  if (unreadable.length > 0) lines.push(`Could not read ${counted(unreadable.length, 'directory')}`);
  if (stopped !== null) lines.push(`Stopped early: ${stopped === 'timeout' ? 'time limit reached' : 'cancelled'}`);
  return { content: lines.join('\n'), success: true };
}

function lineOf({ name, parent, type }: Entry): string {
  return `${'  '.repeat(splitPath(parent).names.length)}${shown(name)}${MARKS[type]}`;
}

function fail(error: ParameterError | ListingError): ListDirResult {
  if (error instanceof ParameterError) return refused(error.message);
  switch (error.kind) {
    case 'malformed':
      return refused(malformed('`dir_path` is a malformed quoted string').message);
    case 'outside':
      return refused('dir_path must be within the workspace');
    case 'missing':
      return unreadable(error.isThroughFile ? NOT_A_DIRECTORY : 'No such file or directory (os error 2)');
    case 'not-a-directory':
      return unreadable(NOT_A_DIRECTORY);
    case 'denied':
      return unreadable('Permission denied (os error 13)');
    case 'timeout':
      return unreadable('time limit reached before anything was read');
    case 'aborted':
      return unreadable('cancelled before anything was read');
    case 'bad-pattern':
    case 'failed':
      return unreadable(error.message);
  }
}

const NOT_A_DIRECTORY = 'Not a directory (os error 20)';

function unreadable(reason: string): ListDirResult {
  return refused(`failed to read directory: ${reason}`);
}

function refused(content: string): ListDirResult {
  return { content, success: false };
}
