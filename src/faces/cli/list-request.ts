/** Converts a command line to the request for a listing. */
import { OFFERED_ORDERS, type Order } from '../../listing/orders.ts';
import { PLAIN, type Query, type Where } from '../../listing/query.ts';
import { escaped } from '../../names/quote.ts';
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import { type LongOptions, PLAIN_COLUMNS } from '../../text/long-lines.ts';
import { TIME_STYLES } from '../../text/time.ts';
import { listRules } from '../library/list.ts';
import { SORT_KEYS } from './list-options.ts';
import type { CommandLine } from './options.ts';
import type { Streams } from './streams.ts';

/** The request of a command line, without a path. */
export interface ListRequest {
  readonly query: Omit<Query, 'path'>;
  readonly long: LongOptions;
  readonly line: CommandLine;
}

export function wholeNumber(line: CommandLine, name: string, least: number): number | undefined {
  const given = line.value(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${name} takes a whole number, ${least} or more, not '${given}'.`);
}

export async function requestOf(line: CommandLine, streams: Streams): Promise<ListRequest> {
  if (line.switch('git-ignore') && line.switch('no-git-ignore')) {
    throw new UsageError('Choose one of --git-ignore and --no-git-ignore.');
  }
  const rules = listRules(line.switch('all') || line.switch('A'), line.values('ignore'), line.switch('git-ignore'));
  const page = { offset: wholeNumber(line, 'offset', 0) ?? 0, limit: wholeNumber(line, 'limit', 1) ?? Infinity };
  const long = longOptions(line);
  if (line.switch('null') && (line.switch('json') || isLong(line))) {
    throw new UsageError(`Choose one of --null and ${line.switch('json') ? '--json' : '--long'}.`);
  }
  return { query: { ...PLAIN, ...(await viewOf(line, streams)), rules, page }, long, line };
}

/** True for `-l`, and for the columns that exist only in a long listing. */
export function isLong(line: CommandLine): boolean {
  return LONG.some((name) => line.switch(name));
}

const LONG = ['long', 'git', 'total-size', 'header', 'time-style', 'octal', 'numeric', 'inode', 'links'];

function longOptions(line: CommandLine): LongOptions {
  const time = knownWord('--time-style', line.value('time-style') ?? 'default', TIME_STYLES);
  if (!isLong(line)) return PLAIN_COLUMNS;
  const [header, inode, octal] = [line.switch('header'), line.switch('inode'), line.switch('octal')];
  return { header, inode, octal, links: line.switch('links'), numeric: line.switch('numeric'), time };
}

/** Returns what is shown, and in which order. */
async function viewOf(
  line: CommandLine,
  streams: Streams,
): Promise<Pick<Query, 'depth' | 'order' | 'reverse' | 'select' | 'metadata'>> {
  const order = orderIn(line, streams);
  if (line.switch('dirs') && line.switch('files')) throw new UsageError('Choose one of --dirs and --files.');
  const types = line.switch('dirs') ? 'directories' : line.switch('files') ? 'files' : 'all';
  return {
    depth: wholeNumber(line, 'depth', 1) ?? (line.switch('recursive') ? Infinity : 1),
    order,
    reverse: line.switch('reverse'),
    select: { pattern: line.value('pattern') || null, types, where: await whereIn(line) },
    metadata: isLong(line) ? 'page' : 'none',
  };
}

/** Perf: most listings have no filters, so the parser is loaded only if needed. */
async function whereIn(line: CommandLine): Promise<Where | undefined> {
  if (!FILTERS.some((name) => line.switch(name))) return undefined;
  return (await import('./list-filters.ts')).filtersIn(line);
}

const FILTERS = ['type', 'ext', 'newer', 'older', 'larger', 'smaller'];

/** Returns the filters of a command line as they were given: `--pattern '*.ts' --files`. */
export function filtersText(line: CommandLine): string {
  const switches = ['dirs', 'files'].filter((name) => line.switch(name)).map((name) => `--${name}`);
  const values = ['pattern', ...FILTERS].flatMap((name) => line.values(name).map((value) => `--${name} '${value}'`));
  return escaped([...values, ...switches].join(' '));
}

/** On a terminal the default order is natural: `v2` comes before `v10`. Programs get the order of the tools. */
function orderIn(line: CommandLine, streams: Streams): Order {
  const given = [line.value('sort'), line.switch('t') ? 'time' : undefined, line.switch('S') ? 'size' : undefined];
  const [sort, other] = given.filter((key) => key !== undefined);
  if (other !== undefined) throw new UsageError('Choose one of -t, -S and --sort.');
  if (sort === undefined) return streams.isTerminal && !line.switch('json') ? 'natural' : 'folded';
  const key = knownWord('--sort', sort, SORT_KEYS);
  return OFFERED_ORDERS.get(key === 'time' ? 'modified' : key) as Order;
}
