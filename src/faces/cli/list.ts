/** `agent-ls [PATH]`: a directory for a person, one entry a line. */
import { listDirectory } from '../../listing/list.ts';
import type { Entry, Listing } from '../../listing/query.ts';
import { nearest } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { dotfiles } from '../../rules/builtin.ts';
import { ignorePatterns } from '../../rules/ignore-argument.ts';
import { entryLine } from '../../text/lines.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { shown, shownAsGiven } from '../../workspace/quote.ts';
import { checkedDialect } from '../library/call.ts';
import { structured } from '../library/list.ts';
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
  const rules = [...(line.switch('all') ? [] : [dotfiles]), ignorePatterns(line.values('ignore'))];
  // Without --root a person may look anywhere: then PATH itself is the workspace.
  const confined = line.switch('root') || line.switch('cwd');
  try {
    const workspace = await (confined ? namedWorkspace(line) : openWorkspace(path));
    const query = { path: confined ? path : '.', rules, page };
    await print(await listDirectory(query, workspace, { timeLimit: Infinity }), line, streams);
    return 0;
  } catch (error) {
    if (!(error instanceof ListingError)) throw error;
    const sentence = error.message.startsWith('cannot') ? '' : `cannot list '${shownAsGiven(path)}': `;
    streams.complain(`agent-ls: ${sentence}${error.message}${commandHint(path, error)}`);
    return 1;
  }
}

function wholeNumber(line: CommandLine, name: string, least: number): number | undefined {
  const given = line.value(name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`--${name} takes a whole number, ${least} or more, not '${given}'.`);
}

/** A word that is neither a path nor a command may be a misspelt command. */
function commandHint(path: string, error: ListingError): string {
  const commands = Object.keys(COMMANDS).filter((name) => name !== 'list');
  const near = error.kind === 'missing' ? nearest(path, commands) : null;
  return near === null ? '' : `. Did you mean the command '${near}'?`;
}

async function print(listing: Listing, line: CommandLine, streams: Streams): Promise<void> {
  if (line.switch('json')) return streams.print(JSON.stringify(await structured(listing)));
  const forEyes = streams.isTerminal;
  for (let from = 0; from < listing.entries.length; from += BLOCK) {
    const block = listing.entries.slice(from, from + BLOCK);
    await streams.print(block.map((entry) => lineOf(entry, forEyes)).join('\n'));
  }
}

/** A trailing slash may be sent back, a mark for links may not: those are for eyes only. */
function lineOf({ name, type }: Entry, forEyes: boolean): string {
  return type === 'link' && !forEyes ? shown(name) : entryLine(name, type);
}
