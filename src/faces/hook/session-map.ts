/**
 * The map that a session starts with. As long as there is time, a better one replaces it: the first names of the
 * directory, as many of them as fit, everything below it. Each is the same bytes for the same tree, so that prompt
 * caches hold (`docs/decisions/0082-a-map-in-time.md`).
 */
import { parseTree } from '../../dialects/tree.ts';
import { totalOf } from '../../listing/entry.ts';
import { listDirectory } from '../../listing/list.ts';
import { type Listing, PLAIN } from '../../listing/query.ts';
import { denseName } from '../../names/quote.ts';
import { counted } from '../../text/count.ts';
import { openWorkspace } from '../library/open-workspace.ts';

/** In tokens, with the heading. */
const BUDGET = 300;

const HEADING = 'Map of the working directory by agent-ls, at the start of the session. Tree, Find and LS show more.\n';

/** In tokens: more than the heading costs, and the line below it. */
const FOR_HEADING = 50;

/** Yields one map after the other; none if there is nothing to show. */
export async function* sessionMaps(directory: string): AsyncGenerator<string, void> {
  // Without git: how much of its history could be read in time would change the bytes.
  const workspace = await openWorkspace(directory, { git: false });
  try {
    const { query } = parseTree({ budget: BUDGET });
    // A map that is cut short by a limit would not be the same bytes, either. A name costs at least a token.
    const options = { timeLimit: Number.POSITIVE_INFINITY, cache: false };
    const page = { offset: 0, limit: BUDGET };
    const listing = await listDirectory({ ...PLAIN, ...query, page }, workspace, options);
    if (listing.entries.length === 0) return;
    // A token is at least a byte, and counting bytes takes no time.
    yield namesIn(listing, (name) => Buffer.byteLength(name) + 1);
    const { tokensOfName } = await import('../../overview/token-count.ts');
    yield namesIn(listing, tokensOfName);
    const { drawMap } = await import('../../overview/draw.ts');
    const { text } = await drawMap(query, workspace, { ...options, sentAs: (plain) => HEADING + plain });
    yield HEADING + text;
  } finally {
    workspace.close();
  }
}

/** Writes as many names as fit. */
function namesIn({ entries, totals }: Listing, costOf: (name: string) => number): string {
  const names: string[] = [];
  let left = BUDGET - FOR_HEADING;
  for (const { name, type } of entries) {
    const written = denseName(name) + (type === 'dir' ? '/' : type === 'link' ? '@' : '');
    left -= costOf(written);
    if (left < 0) break;
    names.push(written);
  }
  const all = counted(totalOf(totals), 'entry');
  return `${HEADING}# .: first level only, ${all}, ${names.length} shown\n${names.join(' ')}`;
}
