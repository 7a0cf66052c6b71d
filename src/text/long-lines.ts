/**
 * Formats a long listing in columns: permissions, owner, group, size, time and name, and others on demand. On a
 * terminal, a group is shown only if it is not the user's own, and so is a year that is not the current one.
 *
 *     drwxr-xr-x  ann        -  01-15 11:00  src/
 *     -rw-r--r--  ann   1.2 KB  2023-11-02   index.ts
 */
import type { Entry } from '../listing/query.ts';
import type { Metadata, Owners } from '../workspace/source.ts';
import { displayWidth, padEnd } from './display-width.ts';
import { octalText, permissionText, sizeText } from './metadata.ts';
import { type TimeStyle, timeText } from './time.ts';

/** The optional columns, and the format of times and owners. */
export interface LongOptions {
  readonly header: boolean;
  readonly inode: boolean;
  readonly octal: boolean;
  readonly links: boolean;
  /** True to show owners by number. */
  readonly numeric: boolean;
  readonly time: TimeStyle;
}

interface LongStyle {
  readonly owners: Owners;
  /** The width of the terminal. Null for programs, which get the number of bytes instead of `1.2 KB`. */
  readonly width: number | null;
  /** True if a group is the user's own, so that a person need not see it. */
  readonly isOwnGroup?: (user: number | null, group: number | null) => boolean;
  /** Adds colour, which must not change the width. */
  readonly paint: (text: string, column: LongColumn) => string;
  readonly columns: LongOptions;
  /** Total sizes of directories; undefined if they are not shown. */
  readonly sizes: ReadonlyMap<Entry, number> | undefined;
  /** Git's status of an entry, in two letters; undefined if it is not shown. */
  readonly statusOf: ((entry: Entry) => string) | undefined;
}

export type LongColumn = 'inode' | 'permissions' | 'owner' | 'size' | 'time' | 'git' | 'header';

interface Owner {
  readonly user: string;
  /** '' if it is not shown. */
  readonly group: string;
}

const HEADINGS = {
  ...{ inode: 'Inode', octal: 'Octal', mode: 'Mode', links: 'Links', user: 'User', group: 'Group' },
  ...{ size: 'Size', time: 'Modified', status: 'Git', name: 'Name' },
};

const BLANKS = Object.fromEntries(Object.keys(HEADINGS).map((key) => [key, ''])) as typeof HEADINGS;

type Extra = Readonly<Pick<typeof HEADINGS, 'inode' | 'octal' | 'links'>>;

const UNKNOWN_OWNER: Owner = { user: '?', group: '?' };

/** The width of the permissions, in columns. */
const PERMISSIONS = 10;

/** The number of lines in a block. */
const BLOCK = 512;

const plain: LongStyle['paint'] = (text) => text;

/** Formats a long listing, which may come in blocks: a column keeps the greatest width that it has needed so far. */
export class LongLines {
  readonly #style: LongStyle;
  readonly #widths = { inode: 0, octal: 0, links: 0, user: 0, group: 0, size: 0, time: 0 };
  readonly #hasExtra: boolean;
  readonly #now = Date.now();
  /** Perf: many entries were changed in the same minute. */
  readonly #times = new Map<number, string>();
  /** Perf: an entry usually has the same owner as the one before. */
  #last: { readonly user: number | null; readonly group: number | null; readonly owner: Owner } | null = null;
  /** Perf: what precedes the size, by mode, and what follows it, by time. Kept for a run of one owner, and these widths. */
  #run = runOf(UNKNOWN_OWNER, -1, '');

  constructor(style: LongStyle) {
    const { inode, octal, links, header } = style.columns;
    this.#style = style;
    this.#hasExtra = inode || octal || links;
    if (!header) return;
    Object.assign(this.#widths, { size: HEADINGS.size.length, time: HEADINGS.time.length });
    this.#widenExtra(HEADINGS);
    this.#widenOwner({ ...HEADINGS, group: '' });
  }

  /** The line of headings. Valid once the lines that follow have been measured. */
  get header(): string {
    return this.#style.paint(this.#unpainted(HEADINGS), 'header');
  }

  #unpainted(cells: typeof HEADINGS): string {
    const before = this.#before(cells, cells.mode.padEnd(PERMISSIONS), this.#who(cells), plain);
    const status = this.#status(cells.status, plain);
    return `${before}${cells.size.padStart(this.#widths.size)}${this.#after(cells.time, plain)}${status}${cells.name}`;
  }

  /**
   * Returns blocks of lines, each with its line break. `label` writes a name and a link's target, in `room` columns.
   *
   * Perf: the parts of many lines are joined at once, and most parts were made for an entry before. The loop makes few
   * calls, because even of a large directory much is written before V8 has optimised anything.
   */
  of(entries: readonly Entry[], label: (entry: Entry, index: number, room: number) => string): string[] {
    const { sizes, times, owners } = this.#measured(entries);
    const { paint, statusOf, width } = this.#style;
    const room = (width ?? Number.POSITIVE_INFINITY) - this.#unpainted(BLANKS).length;
    const blocks: string[] = [];
    let parts: string[] = [];
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as Entry;
      const time = times[i] as string;
      const run = this.#runOf(owners[i] as Owner);
      const before = run.before.get(entry.metadata?.mode ?? NaN) ?? this.#beforeIn(entry.metadata);
      parts.push(before, paint((sizes[i] as string).padStart(this.#widths.size), 'size'));
      parts.push(run.after.get(time) ?? kept(run.after, time, this.#after(time, paint)));
      if (statusOf !== undefined) parts.push(this.#status(statusOf(entry), paint));
      parts.push(label(entry, i, room), '\n');
      if ((i + 1) % BLOCK !== 0 && i + 1 !== entries.length) continue;
      blocks.push(parts.join(''));
      parts = [];
    }
    return blocks;
  }

  /** Formats what the width of a column depends on, and makes the columns wide enough. */
  #measured(entries: readonly Entry[]): { sizes: string[]; times: string[]; owners: Owner[] } {
    const { columns, sizes: totals } = this.#style;
    const widths = this.#widths;
    const { length } = entries;
    const [sizes, times, owners] = [new Array<string>(length), new Array<string>(length), new Array<Owner>(length)];
    for (let i = 0; i < length; i++) {
      const entry = entries[i] as Entry;
      const { metadata } = entry;
      const size = metadata === null ? '?' : this.#sizeOf(metadata, totals?.get(entry));
      const time = metadata === null ? UNKNOWN_TIMES[columns.time] : this.#timeOf(metadata.modified);
      if (size.length > widths.size) widths.size = size.length;
      if (time.length > widths.time) widths.time = time.length;
      if (this.#hasExtra) this.#widenExtra(extraOf(metadata));
      sizes[i] = size;
      times[i] = time;
      owners[i] = this.#ownerOf(metadata);
    }
    return { sizes, times, owners };
  }

  #widenExtra({ inode, octal, links }: Extra): void {
    const widths = this.#widths;
    widths.inode = Math.max(widths.inode, inode.length);
    widths.octal = Math.max(widths.octal, octal.length);
    widths.links = Math.max(widths.links, links.length);
  }

  #widenOwner({ user, group }: Owner): void {
    this.#widths.user = Math.max(this.#widths.user, displayWidth(user));
    if (group === '') return;
    this.#widths.group = Math.max(this.#widths.group, displayWidth(group), this.#style.columns.header ? 5 : 0);
  }

  #runOf(owner: Owner) {
    const { user, group, time } = this.#widths;
    const width = user + group + time;
    if (this.#run.owner === owner && this.#run.width === width) return this.#run;
    this.#run = runOf(owner, width, this.#style.paint(this.#who(owner), 'owner'));
    return this.#run;
  }

  /** What precedes the size of an entry in the current run. */
  #beforeIn(metadata: Metadata | null): string {
    const { paint } = this.#style;
    const { type, mode } = metadata ?? {};
    // Without metadata, the entry's stat failed.
    const permissions =
      type === undefined ? '?'.repeat(PERMISSIONS) : paint(permissionText(type, mode ?? null), 'permissions');
    const text = this.#before(extraOf(metadata), permissions, this.#run.who, paint);
    return this.#hasExtra || typeof mode !== 'number' ? text : kept(this.#run.before, mode, text);
  }

  #before(extra: Extra, permissions: string, who: string, paint: LongStyle['paint']): string {
    const { columns } = this.#style;
    const widths = this.#widths;
    const inode = columns.inode ? `${paint(extra.inode.padStart(widths.inode), 'inode')}  ` : '';
    const octal = columns.octal ? `${paint(extra.octal.padStart(widths.octal), 'permissions')}  ` : '';
    const links = columns.links ? `${paint(extra.links.padStart(widths.links), 'inode')}  ` : '';
    return `${inode}${octal}${permissions}  ${links}${who}  `;
  }

  #who({ user, group }: Owner): string {
    const widths = this.#widths;
    return `${padEnd(user, widths.user)}${widths.group === 0 ? '' : `  ${padEnd(group, widths.group)}`}`;
  }

  #after(time: string, paint: LongStyle['paint']): string {
    const width = this.#widths.time;
    // Relative times are aligned to the right like sizes, because people compare their numbers.
    const when = this.#style.columns.time === 'relative' ? time.padStart(width) : time.padEnd(width);
    return `  ${paint(when, 'time')}  `;
  }

  #status(status: string, paint: LongStyle['paint']): string {
    const { statusOf, columns } = this.#style;
    return statusOf === undefined ? '' : `${paint(status.padEnd(columns.header ? 3 : 2), 'git')}  `;
  }

  #timeOf(modified: number): string {
    const { time } = this.#style.columns;
    const key = Math.floor(modified / (time === 'iso' ? 1000 : 60_000));
    return this.#times.get(key) ?? kept(this.#times, key, timeText(modified, time, this.#now));
  }

  #ownerOf(metadata: Metadata | null): Owner {
    if (metadata === null) this.#widenOwner(UNKNOWN_OWNER);
    if (metadata === null) return UNKNOWN_OWNER;
    const { user, group } = metadata;
    if (this.#last?.user === user && this.#last.group === group) return this.#last.owner;
    const { columns, owners } = this.#style;
    const isOwn = this.#style.isOwnGroup?.(user, group) ?? false;
    const owner = columns.numeric
      ? { user: `${user ?? '?'}`, group: isOwn ? '' : `${group ?? '?'}` }
      : { user: owners.user(user), group: isOwn ? '' : owners.group(group) };
    this.#widenOwner(owner);
    this.#last = { user, group, owner };
    return owner;
  }

  #sizeOf({ type, size }: Metadata, total: number | undefined): string {
    const bytes = type === 'file' || type === 'other' ? size : total;
    if (bytes === undefined || Number.isNaN(bytes)) return '-';
    return this.#style.width === null ? `${bytes}` : sizeText(bytes);
  }
}

const UNKNOWN_TIMES: Readonly<Record<TimeStyle, string>> = {
  default: '????-??-?? ??:??',
  short: '??-?? ??:??',
  iso: '????-??-??T??:??:??',
  relative: '?',
};

function extraOf(metadata: Metadata | null): Extra {
  if (metadata === null) return { inode: '?', octal: '????', links: '?' };
  const { inode, mode, links } = metadata;
  return { inode: `${inode ?? '?'}`, octal: octalText(mode), links: `${links ?? '?'}` };
}

function runOf(owner: Owner, width: number, who: string) {
  return { owner, width, who, before: new Map<number, string>(), after: new Map<string, string>() };
}

function kept<K>(texts: Map<K, string>, key: K, text: string): string {
  texts.set(key, text);
  return text;
}
