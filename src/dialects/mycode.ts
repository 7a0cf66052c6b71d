/** The mycode dialect: `LS` of proposal 0015. */
import { resolve } from 'node:path';
import { totalOf } from '../listing/entry.ts';
import { type Entry, type Listing, PLAIN } from '../listing/query.ts';
import { type Bytes, below } from '../names/bytes.ts';
import { bytesOfShown, inJson, shownAsGiven } from '../names/quote.ts';
import { suggestedPaths } from '../protocol/nearest.ts';
import { permissionText } from '../text/metadata.ts';
import { splitPath } from '../workspace/argument.ts';
import type { FailureKind, ListingError } from '../workspace/listing-error.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import type { Call, ListingRequest, ToolReply } from './dialect.ts';
import { defineDialect, defineTool, LISTING_KEYWORDS, ParameterError, readListing } from './dialect.ts';
import { SORTS, type View, viewText } from './mycode-text.ts';
import { ParameterReader, stringIn } from './parameters.ts';

/** The answer of `LS` in the mycode dialect; `success` tells the two apart. */
export type LSOutput = LSListing | LSFailure;

/** A directory that was listed. */
export interface LSListing {
  readonly success: true;
  /** Absolute. */
  readonly path: string;
  readonly entries: readonly LSEntry[];
  /** Only with `long`: the totals of everything that matched, before `limit`. */
  readonly summary?: {
    readonly total_files: number;
    readonly total_directories: number;
    readonly total_size: number;
  };
  /** True if `limit` left something out, or if reading stopped early. */
  readonly truncated: boolean;
  /** Directories that could not be read, relative to `path`; absent if there are none. */
  readonly unreadable?: readonly string[];
  readonly error?: undefined;
}

/** A call that failed. */
export interface LSFailure {
  readonly success: false;
  /** The argument, resolved against the cwd. */
  readonly path: string;
  readonly entries: readonly [];
  readonly summary?: undefined;
  readonly truncated?: undefined;
  readonly unreadable?: undefined;
  readonly error: string;
}

/** An entry of a listing. */
export interface LSEntry {
  readonly name: string;
  /** Relative to the listed directory. */
  readonly path: string;
  readonly type: 'file' | 'directory' | 'symlink' | 'other';
  /** In bytes; not for a directory or a link. This field and the next two need `long`. */
  readonly size?: number;
  /** ISO 8601, in UTC. */
  readonly modified?: string;
  /** `-rw-r--r--` */
  readonly permissions?: string;
  /** The target that a link stores. */
  readonly target?: string;
}

const MAX_ENTRIES = 1000;
const MAX_DEPTH = 10;
const DEFAULT_DEPTH = 3;

/** Booleans default to false, and `limit` to its maximum. With eleven parameters, descriptions must be short. */
export const mycodeProperties = {
  path: { type: 'string', description: 'Default ".".' },
  all: { type: 'boolean', description: 'Include dotfiles.' },
  long: { type: 'boolean', description: 'Add sizes and times.' },
  recursive: { type: 'boolean' },
  depth: { type: 'integer', description: `1 to ${MAX_DEPTH} with recursive, default ${DEFAULT_DEPTH}.` },
  pattern: { type: 'string', description: 'Glob: "*.ts"; with / relative to path.' },
  sort: { type: 'string', enum: SORTS, description: 'Largest or newest first; default name.' },
  reverse: { type: 'boolean' },
  directories_only: { type: 'boolean' },
  files_only: { type: 'boolean' },
  limit: { type: 'integer', description: `1 to ${MAX_ENTRIES} (default).` },
} as const;

const ENTRY_TYPES = { file: 'file', dir: 'directory', link: 'symlink', other: 'other' } as const;

type ViewRequest = ListingRequest & { readonly view: View };

export const mycode = defineDialect(
  defineTool<ViewRequest, Listing, LSOutput>({
    tool: {
      name: 'LS',
      title: 'List directory',
      description: 'List a directory, or with recursive everything below it.',
      parameters: { type: 'object', properties: mycodeProperties, additionalProperties: false },
      use: 'Use LS to list the files of a directory, or with recursive the whole directory tree.',
      keywords: LISTING_KEYWORDS,
    },
    pathOf: (params) => stringIn(params, 'path'),
    parse,
    read: readListing,
    answer,
    fail,
    suggests: true,
  }),
  // LS has no parameter `ignore`; parsing one throws an error that says so.
  (ignore) => ({ rules: parse(ignore.length === 0 ? {} : { ignore }).query.rules, notes: [] }),
);

function parse(params: unknown): ViewRequest {
  const given = new ParameterReader(params);
  const flag = (name: keyof typeof mycodeProperties) => given.boolean(name, false);
  given.allowOnly(mycodeProperties);
  const path = given.path();
  const [all, long, recursive] = [flag('all'), flag('long'), flag('recursive')];
  const depth = given.integer('depth', DEFAULT_DEPTH, 1, MAX_DEPTH);
  const isDefaultDepth = recursive && given.value('depth') === undefined;
  const pattern = given.pattern('pattern');
  const sort = SORTS.find((known) => known === (given.value('sort') ?? 'name'));
  if (sort === undefined) throw new ParameterError(`sort must be one of ${SORTS.join(', ')}.`);
  const reverse = flag('reverse');
  const [directoriesOnly, filesOnly] = [flag('directories_only'), flag('files_only')];
  if (directoriesOnly && filesOnly)
    throw new ParameterError('directories_only and files_only exclude each other: send one of them.');
  const limit = given.integer('limit', MAX_ENTRIES, 1, MAX_ENTRIES);
  const types = directoriesOnly ? 'directories' : filesOnly ? 'files' : 'all';
  return {
    query: {
      ...PLAIN,
      path,
      rules: all ? [] : [{ kind: 'dotfiles' }],
      depth: recursive ? depth : 1,
      order: sort,
      reverse,
      select: { pattern, types },
      metadata: long ? 'all' : 'links',
      page: { offset: 0, limit },
    },
    view: { long, recursive, pattern, sort, reverse, types, defaultDepth: isDefaultDepth ? DEFAULT_DEPTH : null },
  };
}

function* answer(listing: Listing, { view }: ViewRequest, call: Call): Steps<ToolReply<LSOutput>> {
  const { totals, unreadable, size, stopped } = listing;
  const output: LSOutput = {
    success: true,
    path: absolutePath(call),
    entries: yield* mapped(listing.entries, (entry) => fileEntry(entry, view.long)),
    ...(view.long ? { summary: { total_files: totals.file, total_directories: totals.dir, total_size: size } } : {}),
    truncated: listing.entries.length < totalOf(totals) || stopped !== null,
    ...(unreadable.length > 0 ? { unreadable: unreadable.map(({ path }) => inJson(path)) } : {}),
  };
  return { answer: output, text: yield* viewText(listing, view, call.workspace), isError: false };
}

function fileEntry({ name, parent, type, metadata }: Entry, long: boolean): LSEntry {
  const known = long ? metadata : null;
  const hasSize = known !== null && (type === 'file' || type === 'other') && !Number.isNaN(known.size);
  // A disk can store a time that a Date cannot represent.
  const date = new Date(known?.modified ?? Number.NaN);
  return {
    name: inJson(name),
    path: inJson(below(parent, name)),
    type: ENTRY_TYPES[type],
    ...(hasSize && { size: known.size }),
    ...(!Number.isNaN(date.getTime()) && { modified: date.toISOString() }),
    ...(known !== null && { permissions: permissionText(type, known.mode) }),
    ...(metadata !== null && metadata.target !== null && { target: inJson(metadata.target) }),
  };
}

/** Resolves the path argument against the cwd without following links, even if another parameter is invalid. */
function absolutePath({ params, workspace }: Call): string {
  const path = bytesOfShown(stringIn(params, 'path') ?? '') ?? '';
  const cwd = [workspace.rootBytes, ...splitPath(workspace.cwdBytes).names].join('/');
  return inJson(resolve(cwd, path) as Bytes);
}

function fail(error: ParameterError | ListingError, call: Call): ToolReply<LSOutput> {
  const reason = failureReason(error, call);
  return {
    answer: { success: false, path: absolutePath(call), entries: [], error: reason },
    text: [reason, suggestedPaths(call.nearby)].filter(Boolean).join('\n'),
    isError: true,
  };
}

function failureReason(error: ParameterError | ListingError, { path }: Call): string {
  if (error instanceof ParameterError || error.kind === 'bad-pattern') return error.message;
  const given = shownAsGiven(path);
  const reasons: Readonly<Partial<Record<FailureKind, string>>> = {
    outside: `Path is outside the workspace: ${given}`,
    missing: `Path does not exist: ${given}`,
    'not-a-directory': 'Not a directory',
    denied: `Permission denied: ${given}`,
    timeout: 'The time limit was reached before anything was read.',
    aborted: 'The call was cancelled before anything was read.',
  };
  return reasons[error.kind] ?? `Failed to list directory: ${error.message}`;
}
