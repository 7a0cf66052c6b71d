/** The mycode dialect: `LS` of proposal 0015. */
import { resolve } from 'node:path';
import { type Entry, type EntryType, type Listing, PLAIN, type Query } from '../listing/query.ts';
import { permissionText } from '../text/permissions.ts';
import { splitPath } from '../workspace/argument.ts';
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import type { ListingError } from '../workspace/listing-error.ts';
import type { Metadata } from '../workspace/pinned.ts';
import { inJson, shownAsGiven, unquoted } from '../workspace/quote.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import { type Call, type Dialect, ParameterError } from './dialect.ts';
import { viewText } from './mycode-views.ts';
import { isInteger, isListed, isObject, type Parameters, parametersOf, refuseUnknown, valueFor } from './parameters.ts';
import { didYouMeanDirectory } from './suggest.ts';

export interface LSOutput {
  readonly success: boolean;
  /** Absolute. */
  readonly path: string;
  readonly entries: readonly LSEntry[];
  /** With `long`: of everything that matched, before `limit`. */
  readonly summary?: {
    readonly total_files: number;
    readonly total_directories: number;
    readonly total_size: number;
  };
  /** Whether `limit` left something out; always there on success. */
  readonly truncated?: boolean;
  /** Directories that could not be read, relative to `path`; only when there are any. */
  readonly unreadable?: readonly string[];
  readonly error?: string;
}

export interface LSEntry {
  readonly name: string;
  /** Relative to the listed directory. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  /** Bytes; not of a directory or a link. With `long`, as the next two. */
  readonly size?: number;
  /** ISO 8601, in UTC. */
  readonly modified?: string;
  /** `-rw-r--r--` */
  readonly permissions?: string;
  /** A link's own text. */
  readonly target?: string;
}

const MOST_ENTRIES = 1000;
const DEEPEST = 10;
const DEFAULT_DEPTH = 3;
const SORTS = ['name', 'size', 'modified', 'type'] as const;

/** A switch is off, and `limit` at its maximum, unless a call says otherwise: eleven parameters leave few words for each. */
const properties = {
  path: { type: 'string', description: 'Relative or absolute.', default: '.' },
  all: { type: 'boolean', description: 'Include dotfiles.' },
  long: { type: 'boolean', description: 'Add size, time, permissions.' },
  recursive: { type: 'boolean' },
  depth: { type: 'integer', maximum: DEEPEST, description: 'With recursive.', default: DEFAULT_DEPTH },
  pattern: { type: 'string', description: 'Glob: "*.ts" on names, "src/**/*.ts" on paths.' },
  sort: { type: 'string', enum: SORTS, description: 'Largest or newest first.', default: 'name' },
  reverse: { type: 'boolean' },
  directories_only: { type: 'boolean' },
  files_only: { type: 'boolean' },
  limit: { type: 'integer', maximum: MOST_ENTRIES },
} as const;

const PARAMETERS = Object.keys(properties);

export const mycode: Dialect<LSOutput> = {
  tool: {
    name: 'LS',
    title: 'List directory',
    description: 'List a directory, or with recursive everything below it.',
    parameters: { type: 'object', properties, additionalProperties: false },
  },
  query: (params) => checked(params).query,
  answer,
  fail,
  text: (output) => texts.get(output) ?? output.error ?? output.entries.map(({ path }) => path).join('\n'),
  isError: ({ success }) => !success,
};

/** The text of an answer depends on the call, which the answer does not tell. */
const texts = new WeakMap<LSOutput, string>();

export interface View {
  readonly long: boolean;
  readonly recursive: boolean;
  readonly pattern: string | null;
  readonly sort: (typeof SORTS)[number];
  readonly reverse: boolean;
  readonly types: Query['select']['types'];
}

function checked(params: unknown): { query: Query; view: View } {
  const given = parametersOf(params);
  refuseUnknown(given, PARAMETERS);
  const path = pathOf(given);
  const [all, long, recursive] = [flag(given, 'all'), flag(given, 'long'), flag(given, 'recursive')];
  const depth = numberOf(given, 'depth', DEFAULT_DEPTH, DEEPEST);
  const pattern = valueFor(given, 'pattern') ?? '';
  if (typeof pattern !== 'string') throw new ParameterError('pattern must be a string.');
  const sort = valueFor(given, 'sort') ?? 'name';
  if (!isListed(SORTS, sort)) throw new ParameterError(`sort must be one of ${SORTS.join(', ')}.`);
  const reverse = flag(given, 'reverse');
  const [directoriesOnly, filesOnly] = [flag(given, 'directories_only'), flag(given, 'files_only')];
  if (directoriesOnly && filesOnly) {
    throw new ParameterError('directories_only and files_only exclude each other: send one of them.');
  }
  const limit = numberOf(given, 'limit', MOST_ENTRIES, MOST_ENTRIES);
  const query: Query = {
    ...PLAIN,
    path,
    rules: all ? [] : [{ kind: 'dotfiles' }],
    depth: recursive ? depth : 1,
    order: sort,
    reverse,
    select: {
      pattern: pattern === '' ? null : pattern,
      types: directoriesOnly ? 'directories' : filesOnly ? 'files' : 'all',
    },
    metadata: long ? 'all' : 'links',
    page: { offset: 0, limit },
  };
  return { query, view: { long, recursive, sort, reverse, ...query.select } };
}

function pathOf(params: Parameters): string {
  const path = valueFor(params, 'path') ?? '.';
  if (typeof path !== 'string') throw new ParameterError('path must be a string.');
  if (path.startsWith('"') && unquoted(path) === null) throw new ParameterError('path is a malformed quoted string.');
  return path;
}

function flag(params: Parameters, name: string): boolean {
  const value = valueFor(params, name) ?? false;
  if (typeof value !== 'boolean') throw new ParameterError(`${name} must be a boolean.`);
  return value;
}

function numberOf(params: Parameters, name: string, usual: number, most: number): number {
  const value = valueFor(params, name) ?? usual;
  if (!isInteger(value) || value < 1 || value > most) {
    throw new ParameterError(`${name} must be an integer between 1 and ${most}.`);
  }
  return value;
}

function* answer(listing: Listing, call: Call): Steps<LSOutput> {
  const { view } = checked(call.params);
  const { totals, unreadable, size, stopped } = listing;
  const total = totals.file + totals.dir + totals.link + totals.other;
  const output: LSOutput = {
    success: true,
    path: absolutePath(call),
    entries: yield* mapped(listing.entries, (entry) => fileEntry(entry, view.long)),
    ...(view.long ? { summary: { total_files: totals.file, total_directories: totals.dir, total_size: size } } : {}),
    truncated: listing.entries.length < total || stopped !== null,
    ...(unreadable.length > 0 ? { unreadable: unreadable.map(({ path }) => inJson(path)) } : {}),
  };
  texts.set(output, yield* viewText(listing, view));
  return output;
}

const TYPES: Readonly<Record<EntryType, LSEntry['type']>> = {
  file: 'file',
  dir: 'directory',
  link: 'symlink',
  other: 'other',
};

function fileEntry({ name, parent, type, metadata }: Entry, long: boolean): LSEntry {
  const hasSize = type === 'file' || type === 'other';
  return {
    name: inJson(name),
    path: inJson(below(parent, name)),
    type: TYPES[type],
    ...(long && metadata !== null
      ? {
          ...(hasSize ? { size: metadata.size } : {}),
          ...modifiedOf(metadata),
          permissions: permissionText(type, metadata.mode),
        }
      : {}),
    ...(metadata !== null && metadata.target !== null ? { target: inJson(metadata.target) } : {}),
  };
}

/** A disk can hold a time that no Date can. */
function modifiedOf({ modified }: Metadata): Pick<LSEntry, 'modified'> {
  const date = new Date(modified);
  return Number.isNaN(date.getTime()) ? {} : { modified: date.toISOString() };
}

/** The argument resolved against the cwd, as it is written: links are not followed. Another one may be to blame. */
function absolutePath({ params, workspace }: Call): string {
  const path = isObject(params) ? valueFor(params, 'path') : undefined;
  const bytes = typeof path !== 'string' ? null : path.startsWith('"') ? unquoted(path) : bytesOf(path);
  const cwd = [workspace.realPath, ...splitPath(workspace.cwd).names].join('/');
  return inJson(resolve(cwd, bytes ?? '') as Bytes);
}

function fail(error: ParameterError | ListingError, call: Call): LSOutput {
  const output = { success: false, path: absolutePath(call), entries: [], error: reasonOf(error, call) };
  if (!(error instanceof ParameterError) && error.kind === 'missing') {
    texts.set(output, `${output.error}${didYouMeanDirectory(error, call)}`);
  }
  return output;
}

function reasonOf(error: ParameterError | ListingError, { path }: Call): string {
  if (error instanceof ParameterError) return error.message;
  const given = shownAsGiven(path);
  switch (error.kind) {
    case 'outside':
      return `Path is outside the workspace: ${given}`;
    case 'missing':
      return `Path does not exist: ${given}`;
    case 'not-a-directory':
      return 'Not a directory';
    case 'denied':
      return `Permission denied: ${given}`;
    case 'timeout':
      return 'The time limit was reached before anything was read.';
    case 'aborted':
      return 'The call was cancelled before anything was read.';
    case 'bad-pattern':
      return error.message;
    case 'malformed':
    case 'failed':
      return `Failed to list directory: ${error.message}`;
  }
}
