import { OFFERED_ORDERS } from '../../listing/orders.ts';
import { PLAIN, type Query } from '../../listing/query.ts';
import { didYouMeanOrKnown, nearest } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { shownAsGiven } from '../../workspace/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { listRules } from '../library/list.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { COMMANDS, type CommandLine } from './options.ts';
import { printListing } from './print-listing.ts';
import type { Streams } from './streams.ts';
import { namedWorkspace } from './workspace.ts';

export async function runList(line: CommandLine, streams: Streams): Promise<number> {
  // People see the same in every dialect; but a misspelt one should be told here, too.
  checkedDialect(line.value('dialect') ?? 'standard');
  const path = line.positionals[0] ?? '.';
  const page = { offset: wholeNumber(line, 'offset', 0) ?? 0, limit: wholeNumber(line, 'limit', 1) ?? Infinity };
  if (line.switch('git-ignore') && line.switch('no-git-ignore')) {
    throw new UsageError('Choose one of --git-ignore and --no-git-ignore.');
  }
  const rules = listRules(line.switch('all'), line.values('ignore'), line.switch('git-ignore'));
  // Without --root a person may look anywhere: then PATH itself is the workspace.
  const confined = line.switch('root') || line.switch('cwd');
  const workspace = await (confined ? namedWorkspace(line) : openAnywhere(path));
  const query: Query = { ...PLAIN, ...viewOf(line), path: confined ? path : '.', rules, page };
  try {
    await printListing(query, workspace, line, streams);
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    if (error.kind === 'bad-pattern') throw new UsageError(error.message);
    throw new ListingError(error.kind, `cannot list '${shownAsGiven(path)}': ${error.message}`);
  }
  return 0;
}

/** A word that is neither a path nor a command may be a misspelt command. */
export async function openAnywhere(path: string, git = false): Promise<Workspace> {
  return openWorkspace(path, { git }).catch((error) => {
    const commands = Object.keys(COMMANDS).filter((name) => name !== 'list');
    const near = error.kind === 'missing' ? nearest(path, commands) : null;
    throw near === null ? error : new ListingError(error.kind, `${error.message}. Did you mean the command '${near}'?`);
  });
}

export function wholeNumber(line: CommandLine, name: string, least: number): number | undefined {
  const given = line.value(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${name} takes a whole number, ${least} or more, not '${given}'.`);
}

/** What is shown, and in which order. */
function viewOf(line: CommandLine): Pick<Query, 'depth' | 'order' | 'reverse' | 'select' | 'metadata'> {
  const sort = line.value('sort') ?? 'name';
  const order = OFFERED_ORDERS.get(sort);
  if (order === undefined) {
    throw new UsageError(`Unknown --sort '${sort}'.${didYouMeanOrKnown(sort, [...OFFERED_ORDERS.keys()])}`);
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
