/** The standard dialect's first tool: `LS`, which lists a directory page by page. */
import { totalOf } from '../listing/entry.ts';
import { type Bookmark, type Entry, type EntryType, type Listing, PLAIN, type Stop } from '../listing/query.ts';
import { type Bytes, below, percentEncoded } from '../names/bytes.ts';
import { shown, shownUnlike } from '../names/quote.ts';
import { type EntryRow, partial, success, type ToolResponse } from '../protocol/envelope.ts';
import { COUNT, listOf, STRING } from '../protocol/json-schema.ts';
import { entryLine, shownPath } from '../text/lines.ts';
import { mapped, type Steps } from '../workspace/steps.ts';
import type { BriefReply, Call, ListingRequest, ToolReply } from './dialect.ts';
import { defineTool, hiddenIn, LISTING_KEYWORDS, ParameterError, readListing, STOP_REASONS } from './dialect.ts';
import { isInteger, ParameterReader, stringIn } from './parameters.ts';
import { enveloped, envelopedFailure, framed, rootRelative } from './standard-envelope.ts';

/** The answer of `LS` in the standard dialect. */
export type LsResponse = ToolResponse<{ entries: EntryRow[]; truncated: boolean; next_cursor?: string }>;

/** The cursor is exactly as it was sent. */
type LsRequest = ListingRequest & { readonly cursor: unknown };

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 200;
const LIMITS = `1 to ${MAX_LIMIT}, default ${DEFAULT_LIMIT}.`;

/** The descriptions repeat defaults and ranges, because some clients strip every other keyword. */
export const lsProperties = {
  path: { type: 'string', description: 'Relative to the cwd (default ".") or absolute.' },
  offset: { type: 'integer', minimum: 0, description: 'Entries to skip, default 0.' },
  limit: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, description: LIMITS },
  include_hidden: { type: 'boolean', description: 'Also show dotfiles, node_modules, dist etc.; default false.' },
  ignore: { type: 'array', items: { type: 'string' }, description: 'Globs to hide: "*.log", "src/*".' },
  cursor: { type: 'string', description: 'next_cursor of the page before.' },
} as const;

const ADVICE = {
  name: 'LS',
  takes:
    'LS takes path, offset (from 0), limit (1 to 200), include_hidden (true or false), ignore (a list) and cursor.',
};

export const ls = defineTool<LsRequest, Listing, LsResponse>({
  tool: {
    name: 'LS',
    title: 'List directory files',
    description:
      'List the files and folders directly in a directory, directories first, a page at a time. ' +
      'Directories end in "/", links in "@".',
    parameters: { type: 'object', properties: lsProperties, additionalProperties: false },
    use: 'Use LS to list the files of one directory, page by page.',
    keywords: LISTING_KEYWORDS,
    forPrograms: ['cursor'],
  },
  briefProperties: {
    path: STRING,
    dirs: listOf(STRING),
    files: listOf(STRING),
    links: listOf(STRING),
    total: COUNT,
    hidden: COUNT,
    next_offset: COUNT,
    incomplete: STRING,
  },
  pathOf: (params) => stringIn(params, 'path'),
  parse: parseLs,
  read: readListing,
  answer,
  fail: (error, call) => envelopedFailure(error, call, ADVICE),
  suggests: true,
});

/** "Parameters are checked in the order path, offset, limit, include_hidden, ignore"; `cursor` comes last. */
export function parseLs(params: unknown): LsRequest {
  const given = new ParameterReader(params);
  const path = given.path();
  const offset = given.value('offset') ?? 0;
  if (!isInteger(offset) || offset < 0) throw new ParameterError('offset must be a non-negative integer.');
  const limit = given.integer('limit', DEFAULT_LIMIT, 1, MAX_LIMIT);
  const includeHidden = given.boolean('include_hidden', false);
  const ignore = given.patterns('ignore');
  // Some callers send every parameter: an empty cursor means none, and an offset of 0 is allowed beside a cursor.
  const cursor = given.value('cursor') ?? '';
  const after = cursor === '' ? null : bookmarkFrom(cursor, offset);
  given.allowOnly(lsProperties);
  return {
    // `include_hidden` lifts the rules for dotfiles and built-in names; `ignore` always applies.
    query: {
      ...PLAIN,
      path,
      rules: [
        ...(includeHidden ? [] : ([{ kind: 'dotfiles' }, { kind: 'builtin-names' }] as const)),
        ...(ignore.length === 0 ? [] : [{ kind: 'patterns', patterns: ignore } as const]),
      ],
      page: { offset, limit },
      after,
    },
    cursor,
  };
}

const HOW_TO_CONTINUE =
  'Send next_cursor exactly as the page before gave it, with the same path, or leave out cursor to start again.';

function bookmarkFrom(cursor: unknown, offset: number): Bookmark {
  const bookmark = bookmarkIn(cursor);
  if (bookmark === null)
    throw new ParameterError('cursor must be the next_cursor of an earlier page.', HOW_TO_CONTINUE);
  if (offset === 0) return bookmark;
  throw new ParameterError('cursor and offset exclude each other.', 'Leave out offset to go on where the cursor says.');
}

function* answer(listing: Listing, request: LsRequest, call: Call): Steps<ToolReply<LsResponse>> {
  const { query, cursor } = request;
  // The listed directory is known only after it has been read.
  if (query.after !== null && cursorAfter(query.after, listing.path) !== cursor)
    throw new ParameterError('cursor is not from a page of this directory.', HOW_TO_CONTINUE);
  const { totals } = listing;
  const counts = { dirs: totals.dir, files: totals.file + totals.other, links: totals.link };
  const total = totalOf(totals);
  const hidden = hiddenIn(listing);
  const last = listing.entries.at(-1);
  const next = last === undefined || listing.end >= total ? null : cursorAfter(last, listing.path);
  const rowOf = ({ name, type }: Entry): EntryRow => {
    return { path: rootRelative(below(listing.path, name)), type: type === 'other' ? 'file' : type };
  };
  const data = {
    entries: yield* mapped(listing.entries, rowOf),
    // "Truncated means that more comes after this page". If the directory was not read to its end, that is assumed.
    truncated: listing.stopped !== null || next !== null,
    // In that case the next entry is unknown, so there is no cursor.
    ...(listing.stopped !== null || next === null ? {} : { next_cursor: next }),
  };
  const returned = data.entries.length;
  const reply = {
    data,
    text: listingText(listing, total, counts),
    ...framed(call, listing.path, { total_entries: total, ...counts, returned, ...(hidden > 0 && { hidden }) }),
  };
  const answered = data.truncated ? partial(reply) : success({ ...reply, data: { ...data, truncated: false } });
  return { ...enveloped(answered), brief: () => briefReply(listing, total) };
}

/** Follows section 8 of document 000 exactly. */
function listingText(listing: Listing, total: number, counts: { dirs: number; files: number; links: number }): string {
  const { entries, end } = listing;
  const lines = [
    `Listed ${entries.length} entries in '${shownPath(listing.path)}'`,
    `(Total: ${total} items - ${counts.dirs} dirs, ${counts.files} files, ${counts.links} links)`,
  ];
  if (listing.stopped !== null) {
    lines.push(incomplete(listing.stopped));
    lines.push("Leave out what is not needed with 'ignore', or list a subdirectory.");
  } else if (end < total && entries.length > 0) {
    lines.push(`[Truncated: Showing ${end - entries.length}-${end} of ${total}. ${total - end} more items available.]`);
    lines.push(`Use offset=${end} to view next page.`);
  }
  lines.push('', ...entries.map(({ name, type }) => entryLine(below(listing.path, name), type, shownInList)));
  return lines.join('\n');
}

/** The lines of `LS` that are not entries, brief or not. */
const shownInList = shownUnlike(
  /^(?:Listed \d+ entries in |\(Total: \d|\[(?:Incomplete|Truncated): |Leave out what is not needed|Use offset=\d|Empty\.$|\d+ of \d+ shown\.|include_hidden=true shows \d|ignore hides \d)/,
);

/**
 * A shorter text, and data that costs as few tokens. The directory is named once, above its entries.
 *
 *     src/:                                      { "path": "src", "dirs": ["lib"], "files": ["a.ts"],
 *     lib/                                         "total": 230, "next_offset": 2 }
 *     a.ts
 *     2 of 230 shown. offset=2 shows more.
 */
function briefReply(listing: Listing, total: number): BriefReply {
  const { path, entries, end, stopped } = listing;
  const hasNext = stopped === null && end < total && entries.length > 0;
  const lines = entries.map(({ name, type }) => entryLine(name, type, shownInList));
  const hidden = hiddenIn(listing);
  const nothing = hidden === 0 ? 'is empty.' : `has only hidden entries: ${hidden}. ${remedy(listing)}`;
  // Names in the root are paths already, so they need no heading.
  if (path !== '' || (total === 0 && hidden > 0))
    lines.unshift(total === 0 ? `${shownPath(path)}/ ${nothing}` : `${shown(path)}/:`);
  else if (total === 0) lines.push('Empty.');
  if (stopped !== null) lines.push(incomplete(stopped));
  else if (hasNext) lines.push(`${entries.length} of ${total} shown. offset=${end} shows more.`);
  else if (entries.length < total) lines.push(`${entries.length} of ${total} shown.`);
  if (total > 0 && hidden > 0) lines.push(remedy(listing));
  const namesOf = (...types: EntryType[]) =>
    entries.filter(({ type }) => types.includes(type)).map(({ name }) => shown(name));
  const lists = { dirs: namesOf('dir'), files: namesOf('file', 'other'), links: namesOf('link') };
  return {
    text: lines.join('\n'),
    data: {
      path: shownPath(path),
      // An empty list would only cost tokens.
      ...Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)),
      total,
      ...(hidden > 0 ? { hidden } : {}),
      ...(stopped === null ? {} : { incomplete: incomplete(stopped) }),
      ...(hasNext ? { next_offset: end } : {}),
    },
  };
}

function remedy(listing: Listing): string {
  const byCall = listing.hidden.get('argument') ?? 0;
  const others = hiddenIn(listing) - byCall;
  const parts = [others > 0 ? `include_hidden=true shows ${others}.` : '', byCall > 0 ? `ignore hides ${byCall}.` : ''];
  return parts.filter(Boolean).join(' ');
}

function incomplete(stopped: Stop): string {
  return `[Incomplete: ${STOP_REASONS[stopped]}. Only part of the directory was read.]`;
}

/**
 * The cursor of `LS` records where a page ended: the last entry's place in the sort order, not its index.
 *
 *     f-1f3c-package.json     class (d: among the directories, f: after them), check, name
 *
 * A cursor is safe in JSON and in a URL, and a plain name costs few tokens. The check is a hash of the directory, the
 * class and the name. It detects a cursor of another directory, or one that was not copied exactly. It is not a secret
 * and need not be one: a cursor only chooses where a page begins.
 */
const FORM = /^([df])-[0-9a-f]{4}-((?:[\w.~-]|%[0-9A-F]{2})+)$/;

function cursorAfter({ name, leadsToDirectory }: Bookmark, directory: Bytes): string {
  const kind = leadsToDirectory ? 'd' : 'f';
  return `${kind}-${checkOf(`${directory}/${kind}${name}`)}-${percentEncoded(name)}`;
}

/** In characters. The longest name of any file system takes about half as many. */
const LONGEST_CURSOR = 4096;

/** Returns null for what is not a cursor. Does not check which directory it belongs to. */
function bookmarkIn(cursor: unknown): Bookmark | null {
  if (typeof cursor !== 'string' || cursor.length > LONGEST_CURSOR) return null;
  const [, kind, text = ''] = FORM.exec(cursor) ?? [];
  const name = text.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) as Bytes;
  return kind === undefined || percentEncoded(name) !== text ? null : { name, leadsToDirectory: kind === 'd' };
}

/** FNV-1a, folded to 16 bits. */
function checkOf(bytes: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 16)) & 0xffff).toString(16).padStart(4, '0');
}
