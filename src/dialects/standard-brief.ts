/**
 * The brief reply of `LS`: a shorter text, and data that costs as few tokens. The directory is named once, above its
 * entries.
 *
 *     src/:                                      { "path": "src", "dirs": ["lib"], "files": ["a.ts"],
 *     lib/                                         "total": 230, "next_offset": 2 }
 *     a.ts
 *     2 of 230 shown. offset=2 shows more.
 */
import type { EntryType, Listing, Stop } from '../listing/query.ts';
import { shown, shownUnlike } from '../names/quote.ts';
import { COUNT, listOf, STRING } from '../protocol/json-schema.ts';
import { entryLine, shownPath } from '../text/lines.ts';
import { type BriefReply, STOP_REASONS } from './dialect.ts';

export const briefProperties = {
  path: STRING,
  dirs: listOf(STRING),
  files: listOf(STRING),
  links: listOf(STRING),
  total: COUNT,
  hidden: COUNT,
  next_offset: COUNT,
  incomplete: STRING,
} as const;

/** The lines of `LS` that are not entries, brief or not. */
export const shownInList = shownUnlike(
  /^(?:Listed \d+ entries in |\(Total: \d|\[(?:Incomplete|Truncated): |Leave out what is not needed|Use offset=\d|Empty\.$|\d+ of \d+ shown\.|include_hidden=true shows \d|ignore hides \d)/,
);

export function briefReply(listing: Listing, total: number): BriefReply {
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

/** Returns the number of entries that rules hide. */
export function hiddenIn({ hidden }: Pick<Listing, 'hidden'>): number {
  return [...hidden.values()].reduce((sum, count) => sum + count, 0);
}

function remedy(listing: Listing): string {
  const byCall = listing.hidden.get('argument') ?? 0;
  const others = hiddenIn(listing) - byCall;
  const parts = [others > 0 ? `include_hidden=true shows ${others}.` : '', byCall > 0 ? `ignore hides ${byCall}.` : ''];
  return parts.filter(Boolean).join(' ');
}

export function incomplete(stopped: Stop): string {
  return `[Incomplete: ${STOP_REASONS[stopped]}. Only part of the directory was read.]`;
}
