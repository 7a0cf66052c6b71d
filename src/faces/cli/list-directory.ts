/** Lists one directory of a command line. */

import { shownAsGiven } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { isConfined, type ListRequest } from './list-request.ts';
import { missing, openAnywhere } from './open-path.ts';
import { pathPrefix } from './path-form.ts';
import { printListing } from './print-listing.ts';
import type { Streams } from './streams.ts';
import { namedWorkspace } from './workspace.ts';

export async function listDirectoryAt(
  path: string,
  { query: view, long, line }: ListRequest,
  streams: Streams,
  isOneOfSeveral: boolean,
): Promise<void> {
  const confined = isConfined(line);
  const workspace = await (confined
    ? namedWorkspace(line)
    : openAnywhere(path, line.switch('git') || undefined, 'file or directory'));
  const query = { ...view, path: confined ? path : '.' };
  // Paths inside a root that is not on this machine stay relative: no program could open them prefixed with its
  // address.
  const isPath = isOneOfSeveral || (query.depth > 1 && !workspace.isElsewhere);
  const format = { prefix: pathPrefix(isPath ? path : '.'), isNull: line.switch('null'), long };
  try {
    await printListing(workspace, { query, line, format, streams }, isOneOfSeveral ? path : null);
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    if (error.kind === 'bad-pattern') throw new UsageError(error.message);
    if (error.kind === 'missing')
      throw await missing(path, 'file or directory', `cannot list '${shownAsGiven(path)}'`, error, workspace);
    throw new ListingError(error.kind, `cannot list '${shownAsGiven(path)}': ${error.message}`);
  }
}
