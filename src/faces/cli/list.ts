import { parse } from 'node:path';
import { OFFERED_ORDERS } from '../../listing/orders.ts';
import { PLAIN, type Query } from '../../listing/query.ts';
import { didYouMeanOrKnown, nearest } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { isAddress } from '../../sources/address.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { asGiven } from '../../workspace/paths.ts';
import { shownAsGiven } from '../../workspace/quote.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { checkedDialect } from '../library/dialect-name.ts';
import { listRules } from '../library/list.ts';
import { openWorkspace } from '../library/open-workspace.ts';
import { MissingPath } from './missing-path.ts';
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
  const workspace = await (confined ? namedWorkspace(line) : openAnywhere(path, true));
  const query: Query = { ...PLAIN, ...viewOf(line), path: confined ? path : '.', rules, page };
  try {
    await printListing(query, workspace, line, streams);
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    if (error.kind === 'bad-pattern') throw new UsageError(error.message);
    const message = `cannot list '${shownAsGiven(path)}': ${error.message}`;
    if (error.kind !== 'missing') throw new ListingError(error.kind, message);
    throw new MissingPath(message, await nearDirectories(error, path, workspace));
  }
  return 0;
}

/** A word that is neither a path nor a command may be a misspelt one of either. */
export async function openAnywhere(path: string, git = false): Promise<Workspace> {
  return openWorkspace(path, { git }).catch(async (error) => {
    // What is not a path of this machine is near to none.
    if (error.kind !== 'missing' || isAddress(path)) throw error;
    const near = nearest(
      path,
      Object.keys(COMMANDS).filter((name) => name !== 'list'),
    );
    const commands = near === null ? [] : [`Did you mean the command '${near}'?`];
    throw new MissingPath(error.message, [...(await nearAnywhere(path)), ...commands]);
  });
}

/** Looks from the current directory, which a person may leave. A hint that cannot be found is no second error. */
async function nearAnywhere(path: string): Promise<string[]> {
  const here = process.cwd();
  const workspace = await openWorkspace(parse(here).root, { cwd: here, git: false }).catch(() => null);
  try {
    workspace?.enter(asGiven(path)).leave();
  } catch (error) {
    if (workspace !== null && error instanceof ListingError) return await nearDirectories(error, path, workspace);
  } finally {
    workspace?.close();
  }
  return [];
}

/** Perf: a listing that succeeds needs none of it. */
async function nearDirectories(error: ListingError, path: string, workspace: Workspace): Promise<string[]> {
  const { didYouMean, nearbyDirectories } = await import('../../dialects/suggest.ts');
  const line = didYouMean(await nearbyDirectories(error, path, workspace));
  return line === null ? [] : [line];
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
