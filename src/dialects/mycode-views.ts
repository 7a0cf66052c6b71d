/** The four texts of mycode's `LS`: one level, a table, a tree, a list of paths. */
import type { Entry, EntryType, Listing } from '../listing/query.ts';
import { counted } from '../text/count.ts';
import { sizeText } from '../text/size.ts';
import { tableLines } from '../text/table.ts';
import { localTime } from '../text/time.ts';
import { treeLinesOf } from '../text/tree.ts';
import { splitPath } from '../workspace/argument.ts';
import { type Bytes, below } from '../workspace/bytes.ts';
import { shown, shownAsGiven } from '../workspace/quote.ts';
import type { View } from './mycode.ts';

export function viewText(listing: Listing, view: View): string {
  const total = totalOf(listing);
  const directory = listing.path === '' ? './' : `${shown(listing.path)}/`;
  if (total === 0 && listing.hidden.size === 0 && view.pattern === null && listing.stopped === null) {
    return `${directory} is empty.`;
  }
  const lines = linesOf(listing, view, directory);
  if (listing.entries.length < total) {
    if (lines.at(-2) !== '') lines.push('');
    lines.push(`Showing ${listing.entries.length} of ${counted(total, nounOf(listing))} (truncated)`);
  }
  if (listing.stopped !== null) {
    lines.push(listing.stopped === 'timeout' ? 'Incomplete: the time limit was reached.' : 'Incomplete: cancelled.');
  }
  return lines.join('\n');
}
