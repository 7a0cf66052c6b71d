/** `agent-ls [PATH]`: a directory for a person, one entry a line. */
import { listDirectory } from '../../listing/list.ts';
import { type Entry, type Listing, PLAIN, type Query } from '../../listing/query.ts';
import { didYouMean, nearest } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { entryLine } from '../../text/lines.ts';
import { splitPath } from '../../workspace/argument.ts';
import { type Bytes, below } from '../../workspace/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { readOwners } from '../../workspace/owners.ts';
import { shown, shownAsGiven } from '../../workspace/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from '../library/call.ts';
import { LIST_ORDERS, rulesFor, structured } from '../library/list.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { COMMANDS, type CommandLine } from './options.ts';
import type { Streams } from './streams.ts';
import { namedWorkspace } from './workspace.ts';

/** Entries that are printed at once. */
const BLOCK = 10_000;

export async function runList(line: CommandLine, streams: Streams): Promise<number> {
  // People see the same in every dialect; but a misspelt one should be told here, too.
  checkedDialect(line.value('dialect') ?? 'standard');
  const path = line.positionals[0] ?? '.';
  const page = { offset: wholeNumber(line, 'offset', 0) ?? 0, limit: wholeNumber(line, 'limit', 1) ?? Infinity };
  if (line.switch('git-ignore') && line.switch('no-git-ignore')) {
    throw new UsageError('Choose one of --git-ignore and --no-git-ignore.');
  }
  const rules = rulesFor(line.switch('all'), line.values('ignore'), line.switch('git-ignore'));
  // Without --root a person may look anywhere: then PATH itself is the workspace.
  const confined = line.switch('root') || line.switch('cwd');
  const workspace = await (confined ? namedWorkspace(line) : openAnywhere(path));
  const query: Query = { ...PLAIN, ...viewOf(line), path: confined ? path : '.', rules, page };
  try {
    await (isStream(query, line, streams) ? stream(query, workspace, streams) : show(query, workspace, line, streams));
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    throw new ListingError(error.kind, `cannot list '${shownAsGiven(path)}': ${error.message}`);
  }
  return 0;
}

/** Whether paths can be printed as they are found. */
function isStream({ depth, order, page, metadata }: Query, line: CommandLine, streams: Streams): boolean {
  const isPlain = order === 'folded' && metadata === 'none' && page.offset === 0 && page.limit === Infinity;
  return depth > 1 && isPlain && !line.switch('json') && !streams.isTerminal;
}

async function stream(query: Query, workspace: Workspace, streams: Streams): Promise<void> {
  const { SecondThread } = await import('./second-thread.ts');
  const { walkLines } = await import('./walk-job.ts');
  const helper = new SecondThread(query, workspace);
  try {
    const { unreadable } = await walkLines(query, workspace, streams.write, helper);
    for (const directory of unreadable) complain(directory, streams);
  } finally {
    helper.close();
  }
}

async function show(query: Query, workspace: Workspace, line: CommandLine, streams: Streams): Promise<void> {
  const listing = await listDirectory(query, workspace, { timeLimit: Infinity, cache: false });
  await print(listing, line, streams);
}

/** A word that is neither a path nor a command may be a misspelt command. */
async function openAnywhere(path: string): Promise<Workspace> {
  return openWorkspace(path).catch((error) => {
    const commands = Object.keys(COMMANDS).filter((name) => name !== 'list');
    const near = error.kind === 'missing' ? nearest(path, commands) : null;
    throw near === null ? error : new ListingError(error.kind, `${error.message}. Did you mean the command '${near}'?`);
  });
}

function wholeNumber(line: CommandLine, name: string, least: number): number | undefined {
  const given = line.value(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${name} takes a whole number, ${least} or more, not '${given}'.`);
}

async function print(listing: Listing, line: CommandLine, streams: Streams): Promise<void> {
  const { unreadable } = listing;
  if (line.switch('json')) return streams.print(JSON.stringify(await structured(listing, line.switch('long'))));
  for (const directory of unreadable) complain(directory, streams);
  if (listing.entries.length === 0) return;
  const lines = await linesOf(listing, line, streams.isTerminal);
  for (let from = 0; from < lines.length; from += BLOCK) {
    await streams.print(lines.slice(from, from + BLOCK).join('\n'));
  }
}

function complain(directory: Bytes, streams: Streams): void {
  streams.complain(`agent-ls: cannot read '${shown(directory)}': permission denied`);
}

/** On a terminal several levels are drawn as a tree, unless their order is that of no tree. */
async function linesOf({ entries }: Listing, line: CommandLine, forEyes: boolean): Promise<string[]> {
  const path = (entry: Entry) => below(entry.parent, entry.name);
  if (line.switch('long')) {
    const { longLines } = await import('../../text/long-lines.ts');
    const style = { owners: readOwners(), sizes: forEyes ? 'human' : 'bytes' } as const;
    return longLines(entries, (entry) => lineOf(path(entry), entry.type, false), style);
  }
  const isFlat = !entries.some(({ parent }) => parent !== '');
  if (!forEyes || isFlat || !isTree(line)) return entries.map((entry) => lineOf(path(entry), entry.type, forEyes));
  const { treeLinesOf } = await import('../../text/tree.ts');
  return treeLinesOf(
    entries.map((entry) => ({
      label: lineOf(entry.name, entry.type, forEyes),
      depth: splitPath(entry.parent).names.length,
    })),
  );
}

/** Whether each directory stands right before what it contains, and none is left out. */
function isTree(line: CommandLine): boolean {
  const isByName = (line.value('sort') ?? 'name') === 'name';
  return isByName && !line.switch('files') && !line.switch('pattern') && !line.switch('offset');
}

/** A trailing slash may be sent back, a mark for links may not: those are for eyes only. */
function lineOf(path: Bytes, type: Entry['type'], forEyes: boolean): string {
  return type === 'link' && !forEyes ? shown(path) : entryLine(path, type);
}

/** What is shown, and in which order. */
function viewOf(line: CommandLine): Pick<Query, 'depth' | 'order' | 'reverse' | 'select' | 'metadata'> {
  const sort = line.value('sort') ?? 'name';
  const orders: Readonly<Record<string, Query['order'] | undefined>> = LIST_ORDERS;
  const order = Object.hasOwn(orders, sort) ? orders[sort] : undefined;
  if (order === undefined) {
    const hint = didYouMean(sort, Object.keys(orders)) || ` Known: ${Object.keys(orders).join(', ')}.`;
    throw new UsageError(`Unknown --sort '${sort}'.${hint}`);
  }
  if (line.switch('dirs') && line.switch('files')) throw new UsageError('Choose one of --dirs and --files.');
  const types = line.switch('dirs') ? 'directories' : line.switch('files') ? 'files' : 'all';
  return {
    depth: wholeNumber(line, 'depth', 1) ?? (line.switch('recursive') ? Infinity : 1),
    order,
    reverse: line.switch('reverse'),
    select: { pattern: line.value('pattern') || null, types },
    metadata: line.switch('long') ? 'page' : 'none',
  };
}
