/** `agent-ls [PATH...]`. Most listings are of one directory; everything else is loaded on demand. */
import { OFFERED_ORDERS, ORDERS, type Order } from '../../listing/orders.ts';
import type { Query } from '../../listing/query.ts';
import type { Bytes } from '../../names/bytes.ts';
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import { isAddress } from '../../sources/address.ts';
import { TIME_STYLES } from '../../text/time.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { listRules } from '../library/list.ts';
import { checkedDialect } from '../library/misuse.ts';
import { type CommandLine, checkOneOf, numberIn } from './command-line.ts';
import { FILTERS, isLong, type Printing } from './list-lines.ts';
import { isConfined, missingPath, PathError } from './open-path.ts';
import { SORT_KEYS } from './options.ts';
import { listDirectoryAt } from './print-listing.ts';
import type { Streams } from './streams.ts';

export async function runList(line: CommandLine, streams: Streams): Promise<number> {
  // The output for people is the same in every dialect, but a misspelt name should be reported here, too.
  checkedDialect(line.value('dialect') ?? 'standard');
  const printing = await printingOf(line, streams);
  const [path = '.', ...others] = line.positionals;
  const several = async () => (await import('./list-paths.ts')).listPaths([path, ...others], printing);
  if (others.length > 0 || line.switch('directory')) return several();
  try {
    return await listDirectoryAt(path, printing, false);
  } catch (error) {
    // A broken link is missing as a directory, but can be listed as an entry.
    const mayBeEntry = error instanceof ListingError && ['missing', 'not-a-directory'].includes(error.kind);
    if (!mayBeEntry || isAddress(path) || error instanceof PathError) throw error;
    // With --root, a link could be replaced meanwhile, and would tell where it leads.
    if (error.kind === 'missing' && isConfined(line)) throw await missingPath(path, line, 'file or directory');
    return several();
  }
}

async function printingOf(line: CommandLine, streams: Streams): Promise<Printing> {
  checkOneOf(line, 'git-ignore', 'no-git-ignore');
  checkOneOf(line, 'dirs', 'files');
  const [isNull, isJson] = [line.switch('null'), line.switch('json')];
  if (isNull && (isJson || isLong(line)))
    throw new UsageError(`Choose one of --null and --${isJson ? 'json' : 'long'}.`);
  const hasFilters = FILTERS.some((name) => line.switch(name));
  const query: Query = {
    path: '.',
    rules: listRules(line.switch('all') || line.switch('A'), line.values('ignore'), line.switch('git-ignore')),
    depth: numberIn(line, 'depth', 1) ?? (line.switch('recursive') ? Infinity : 1),
    order: orderIn(line, streams),
    reverse: line.switch('reverse'),
    select: {
      pattern: line.value('pattern') || null,
      types: line.switch('dirs') ? 'directories' : line.switch('files') ? 'files' : 'all',
      // Perf: most listings have no filters, so the parser is loaded only if needed.
      where: hasFilters ? (await import('./list-filters.ts')).filtersIn(line) : undefined,
    },
    metadata: isLong(line) ? 'page' : 'none',
    page: { offset: numberIn(line, 'offset', 0) ?? 0, limit: numberIn(line, 'limit', 1) ?? Infinity },
    after: null,
  };
  const long = {
    header: line.switch('header'),
    inode: line.switch('inode'),
    octal: line.switch('octal'),
    links: line.switch('links'),
    numeric: line.switch('numeric'),
    time: knownWord('--time-style', line.value('time-style') ?? 'default', TIME_STYLES),
  };
  return { query, line, long, form: { prefix: '' as Bytes, isNull }, streams };
}

/** On a terminal the default order is natural: `v2` comes before `v10`. Programs get the order of the tools. */
function orderIn(line: CommandLine, streams: Streams): Order {
  const given = [line.value('sort'), line.switch('t') ? 'time' : undefined, line.switch('S') ? 'size' : undefined];
  const [sort, other] = given.filter((key) => key !== undefined);
  if (other !== undefined) throw new UsageError('Choose one of -t, -S and --sort.');
  if (sort === undefined) return streams.isTerminal && !line.switch('json') ? 'natural' : 'folded';
  const key = knownWord('--sort', sort, SORT_KEYS);
  const order = OFFERED_ORDERS.get(key === 'time' ? 'modified' : key) as Order;
  if (line.switch('group-directories-first') && !ORDERS[order].directoriesFirst)
    throw new UsageError('Directories come first only by name (this is the default), --sort natural or --sort type.');
  return order;
}
