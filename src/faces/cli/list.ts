/** `agent-ls [PATH...]`. Most listings are of one directory; everything else is loaded when it is asked for. */
import { ListingError } from '../../workspace/listing-error.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { listDirectoryAt } from './list-directory.ts';
import { isConfined, requestOf } from './list-request.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

export async function runList(line: CommandLine, streams: Streams): Promise<number> {
  // People see the same in every dialect; but a misspelt one should be told here, too.
  checkedDialect(line.value('dialect') ?? 'standard');
  const request = await requestOf(line, streams);
  const [path = '.', ...others] = line.positionals;
  const several = async () => (await import('./list-paths.ts')).listPaths([path, ...others], request, streams);
  if (others.length > 0 || line.switch('directory')) return several();
  try {
    await listDirectoryAt(path, request, streams, false);
    return 0;
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    // A link that leads nowhere is missing as a directory, and can be listed by itself.
    if (error.kind === 'not-a-directory' || (error.kind === 'missing' && !isConfined(line))) return several();
    throw error;
  }
}
