/** `agent-ls [PATH...]`. Most listings are of one directory; everything else is loaded on demand. */
import { ListingError } from '../../workspace/listing-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { requestOf } from './list-request.ts';
import { isConfined } from './open-path.ts';
import type { CommandLine } from './options.ts';
import { listDirectoryAt } from './print-listing.ts';
import type { Streams } from './streams.ts';

export async function runList(line: CommandLine, streams: Streams): Promise<number> {
  // The output for people is the same in every dialect, but a misspelt name should be reported here, too.
  checkedDialect(line.value('dialect') ?? 'standard');
  const request = await requestOf(line, streams);
  const [path = '.', ...others] = line.positionals;
  const several = async () => (await import('./list-paths.ts')).listPaths([path, ...others], request, streams);
  if (others.length > 0 || line.switch('directory')) return several();
  try {
    return await listDirectoryAt(path, request, streams, false);
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    // A broken link is missing as a directory, but can be listed as an entry.
    if (error.kind === 'not-a-directory' || (error.kind === 'missing' && !isConfined(line))) return several();
    throw error;
  }
}
