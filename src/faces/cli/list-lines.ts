/** What every listing of the command has: what to print and where, the lines for programs, and its complaints. */
import { readOwners } from '../../disk/owners.ts';
import type { Entry, Listing, Query } from '../../listing/query.ts';
import { withReading } from '../../listing/reading.ts';
import { walk } from '../../listing/walk.ts';
import { planFor } from '../../listing/walk-listing.ts';
import { type Bytes, below } from '../../names/bytes.ts';
import { asGiven } from '../../names/paths.ts';
import { escaped, shown, shownBesideArrow, withArrow } from '../../names/quote.ts';
import type { PathForm } from '../../text/lines.ts';
import { LongLines, type LongOptions } from '../../text/long-lines.ts';
import { PathLines } from '../../text/path-lines.ts';
import { parsePath } from '../../workspace/argument.ts';
import { Budget } from '../../workspace/budget.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type CommandLine, colorIn } from './command-line.ts';
import type { Streams } from './streams.ts';

export interface Printing {
  readonly query: Query;
  readonly line: CommandLine;
  readonly long: LongOptions;
  readonly form: PathForm;
  readonly streams: Streams;
}

/** The entries of a page, in order, and the columns that need more than a look at each. */
export interface Shown {
  readonly entries: readonly Entry[];
  readonly sizes?: ReadonlyMap<Entry, number> | undefined;
  readonly statusOf?: ((entry: Entry) => string) | undefined;
}

/** True for `-l`, and for the columns that exist only in a long listing. */
export function isLong(line: CommandLine): boolean {
  return LONG.some((name) => line.switch(name));
}

const LONG = ['long', 'git', 'total-size', 'header', 'time-style', 'octal', 'numeric', 'inode', 'links'];

export const FILTERS = ['type', 'ext', 'newer', 'older', 'larger', 'smaller'];

/** Returns the filters of a command line as they were given: `--pattern '*.ts' --files`. */
export function filtersText(line: CommandLine): string {
  const switches = ['dirs', 'files'].filter((name) => line.switch(name)).map((name) => `--${name}`);
  const values = ['pattern', ...FILTERS].flatMap((name) => line.values(name).map((value) => `--${name} '${value}'`));
  return escaped([...values, ...switches].join(' '));
}

/** A person is willing to wait, and a command lists only once. */
export const LISTING_OPTIONS = { timeLimit: Number.POSITIVE_INFINITY, cache: false };

/** Returns the exit status: 1 if something could not be read. */
export function complainOf({ unreadable, notes }: Pick<Listing, 'unreadable' | 'notes'>, streams: Streams): number {
  for (const note of notes) streams.complain(`agent-ls: ${escaped(note)}`);
  for (const { path, reason } of unreadable)
    streams.complain(`agent-ls: cannot read '${shown(path) || '.'}': ${reason}`);
  return unreadable.length === 0 ? 0 : 1;
}

export async function walkLines({ query, form, streams }: Printing, workspace: Workspace) {
  const lines = new PathLines(form);
  const flush = async () => {
    for (const bytes of lines.output()) await streams.write(bytes);
  };
  return withReading(query, workspace, Budget.unlimited(), async (reading) => {
    reading.budget.mayBlock = true;
    const plan = await planFor(query, reading.budget);
    const result = await walk(reading, plan, Object.assign(lines, { settle: flush }));
    await flush();
    return { ...result, notes: reading.budget.notes };
  });
}

/** Returns a function that makes long lines for programs, in blocks. The header precedes the first block. */
export function longLines(
  { long: columns, form }: Pick<Printing, 'long' | 'form'>,
  { sizes, statusOf }: Omit<Shown, 'entries'> = {},
): (entries: readonly Entry[]) => string[] {
  const paint = (text: string) => text;
  const lines = new LongLines({ owners: readOwners(), width: null, paint, columns, sizes, statusOf });
  let { header } = columns;
  return (entries) => {
    const written = lines.of(entries, (entry) => longLabel(entry, form.prefix));
    if (header) written.unshift(`${lines.header}\n`);
    header = false;
    return written;
  };
}

/** A link is marked by its target. */
function longLabel({ name, parent, type, metadata }: Entry, prefix: Bytes): string {
  const inner = below(parent, name);
  const path = shownBesideArrow(prefix === '' ? inner : (`${prefix}${inner}` as Bytes));
  if (type === 'dir') return `${path}/`;
  const target = metadata?.target ?? null;
  return target === null ? path : withArrow(path, target);
}

/** True for a view with columns, colours or a tree. Paths that end with NUL are always for programs. */
export function isForEyes(line: CommandLine, streams: Streams): boolean {
  return !line.switch('null') && (streams.isTerminal || colorIn(line) === 'always');
}

/** Returns the path from the current directory to the entries of a path: '' for `.`, `src/` for `src`. */
export function pathPrefix(path: string): Bytes {
  const written = writtenPath(path);
  return (written === '' || written.endsWith('/') ? written : `${written}/`) as Bytes;
}

/** Removes `.` and needless slashes; '' is the current directory. Adds `./` to a name that looks like an option. */
export function writtenPath(path: string): Bytes {
  const { absolute, names, volume } = parsePath(asGiven(path));
  const start = absolute ? `${volume}/` : names[0]?.startsWith('-') ? './' : '';
  return `${start}${names.join('/')}` as Bytes;
}
