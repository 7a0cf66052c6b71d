/** The options of a listing for people. */
import { OFFERED_ORDERS } from '../../listing/orders.ts';
import { TIME_STYLES } from '../../text/time.ts';
import type { OptionSpec } from './option-spec.ts';

/** The orders of the engine, and a common synonym for one of them. */
export const SORT_KEYS: readonly string[] = [...OFFERED_ORDERS.keys(), 'time'];

export const TYPE_NAMES = ['file', 'dir', 'link', 'executable', 'other'] as const;

const ENTRIES = 'Which entries';
const ORDER = 'Order';
const COLUMNS = 'Columns; each of these turns on -l';
const OUTPUT = 'Output';

export const LISTING_ONLY = {
  all: { short: 'a', group: ENTRIES, help: 'show names that start with a dot, too' },
  A: { short: 'A', group: ENTRIES, help: 'same as -a: . and .. are never shown' },
  recursive: { short: 'R', group: ENTRIES, help: 'list subdirectories, too' },
  depth: { short: 'L', value: 'N', group: ENTRIES, help: 'list N levels (default with -R: all)' },
  directory: { short: 'd', group: ENTRIES, help: 'list directories themselves, not their contents' },
  dirs: { group: ENTRIES, help: 'show directories only' },
  files: { group: ENTRIES, help: 'show files only' },
  type: {
    ...{ value: 'TYPE', choices: TYPE_NAMES, repeatable: true, group: ENTRIES },
    help: 'show only file, dir, link, executable or other (may be repeated)',
  },
  ext: {
    value: 'EXT',
    repeatable: true,
    group: ENTRIES,
    help: 'show only files with this extension: ts or ts,tsx (may be repeated)',
  },
  newer: { value: 'WHEN', group: ENTRIES, help: 'changed since: 30min, 2h, 3d, 1w or 2024-01-15' },
  older: { value: 'WHEN', group: ENTRIES, help: 'not changed since' },
  larger: { value: 'SIZE', group: ENTRIES, help: 'files of at least this size: 500, 10k, 1.5M' },
  smaller: { value: 'SIZE', group: ENTRIES, help: 'files of at most this size' },
  pattern: { short: 'p', value: 'GLOB', group: ENTRIES, help: 'show only what matches, such as "*.ts"' },
  ignore: { short: 'I', value: 'GLOB', repeatable: true, group: ENTRIES, help: 'hide what matches (may be repeated)' },
  'git-ignore': { group: ENTRIES, help: 'leave out what git ignores' },
  'no-git-ignore': { group: ENTRIES, help: 'show what git ignores, too (this is the default)' },
  offset: { value: 'N', group: ENTRIES, help: 'leave out the first N entries' },
  limit: { value: 'N', group: ENTRIES, help: 'show at most N entries (default: all)' },
  sort: {
    ...{ value: 'KEY', choices: SORT_KEYS, group: ORDER },
    help: 'name, natural (v2 before v10), extension, size, time or type',
  },
  t: { short: 't', group: ORDER, help: 'newest first: --sort time' },
  S: { short: 'S', group: ORDER, help: 'largest first: --sort size' },
  reverse: { short: 'r', group: ORDER, help: 'reverse the order' },
  long: { short: 'l', group: COLUMNS, help: 'show permissions, owner, size and time' },
  git: { group: COLUMNS, help: "git's status: -M changed, M- staged, ?? untracked, !! ignored" },
  'total-size': { group: COLUMNS, help: 'sizes of directories: all files below, hidden ones too' },
  header: { group: COLUMNS, help: 'a line with the names of the columns' },
  'time-style': { value: 'STYLE', choices: TIME_STYLES, group: COLUMNS, help: 'default, iso or relative' },
  octal: { group: COLUMNS, help: 'also show permissions as octal digits' },
  numeric: { short: 'n', group: COLUMNS, help: 'numbers of users and groups instead of names' },
  inode: { short: 'i', group: COLUMNS, help: 'inode numbers' },
  links: { group: COLUMNS, help: 'the number of hard links' },
  oneline: { short: '1', group: OUTPUT, help: 'one entry per line, as always in a pipe or a file' },
  null: { short: '0', group: OUTPUT, help: 'end each path with NUL, for xargs -0; names as they are' },
  json: { group: OUTPUT, help: 'print the listing as JSON' },
  icons: { group: OUTPUT, help: 'on a terminal, a small picture before each name' },
  hyperlink: { group: OUTPUT, help: 'on a terminal, make names clickable links' },
} as const satisfies Readonly<Record<string, OptionSpec>>;
