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

/** What the lines of a run of entries with the same owner have in common, until a column becomes wider. */
interface Run {
  readonly owner: Owner;
  /** The sum of the widths. None ever shrinks. */
  readonly width: number;
  readonly who: string;
  /** What precedes the size, by mode. */
  readonly before: Map<number, string>;
  /** What follows it, by time. */
  readonly after: Map<string, string>;
}

const HEADINGS = { inode: 'Inode', octal: 'Octal', links: 'Links' };
const BLANK = { inode: '', octal: '', links: '' };

/** The width of the permissions, in columns. */
const PERMISSIONS = 10;

/** Lines in a block. */
const BLOCK = 512;

/** Not a mode. */
const NO_MODE = -1;

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
  #run: Run | null = null;

  constructor(style: LongStyle) {
    const { inode, octal, links, header } = style.columns;
    this.#style = style;
    this.#hasExtra = inode || octal || links;
    if (!header) return;
    this.#widen('Size', 'Modified', HEADINGS);
    this.#widenOwner({ user: 'User', group: '' });
  }

  /** The line of headings. Valid once the lines that follow have been measured. */
  get header(): string {
    const who = this.#who({ user: 'User', group: 'Group' });
    const before = this.#before(HEADINGS, 'Mode'.padEnd(PERMISSIONS), who, plain);
    const after = this.#after('Modified', plain) + this.#status('Git', plain);
    return this.#style.paint(`${before}${'Size'.padStart(this.#widths.size)}${after}Name`, 'header');
  }

  /**
   * Returns blocks of lines, each with its line break. `label` writes a name and a link's target, in `room` columns.
   *
   * Perf: the parts of many lines are joined at once, and most parts were made for an entry before. In a directory of
   * twenty thousand files, most of the time was spent before V8 had compiled anything, so the loop makes few calls.
   */
  of(entries: readonly Entry[], label: (entry: Entry, index: number, room: number) => string): string[] {
    const { sizes, times, owners } = this.#measured(entries);
    const { paint, statusOf } = this.#style;
    const [width, room] = [this.#widths.size, this.#room];
    const blocks: string[] = [];
    let parts: string[] = [];
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as Entry;
      const time = times[i] as string;
      const run = this.#runOf(owners[i] as Owner);
      const mode = this.#hasExtra ? NO_MODE : (entry.metadata?.mode ?? NO_MODE);
      const before = run.before.get(mode) ?? this.#beforeIn(run, entry.metadata);
      parts.push(before, paint((sizes[i] as string).padStart(width), 'size'));
      parts.push(run.after.get(time) ?? this.#afterIn(run, time));
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
    const { length } = entries;
    const [sizes, times, owners] = [new Array<string>(length), new Array<string>(length), new Array<Owner>(length)];
    for (let i = 0; i < length; i++) {
      const entry = entries[i] as Entry;
      const { metadata } = entry;
      const size = metadata === null ? '?' : this.#sizeOf(metadata, totals?.get(entry));
      const time = metadata === null ? UNKNOWN_TIMES[columns.time] : this.#timeOf(metadata.modified);
      sizes[i] = size;
      times[i] = time;
      owners[i] = this.#ownerOf(metadata);
      this.#widen(size, time, this.#hasExtra ? extraOf(metadata) : BLANK);
    }
    return { sizes, times, owners };
  }

  #widen(size: string, time: string, { inode, octal, links }: typeof BLANK): void {
    const widths = this.#widths;
    if (size.length > widths.size) widths.size = size.length;
    if (time.length > widths.time) widths.time = time.length;
    if (!this.#hasExtra) return;
    widths.inode = Math.max(widths.inode, inode.length);
    widths.octal = Math.max(widths.octal, octal.length);
    widths.links = Math.max(widths.links, links.length);
  }

  #widenOwner({ user, group }: Owner): void {
    this.#widths.user = Math.max(this.#widths.user, displayWidth(user));
    if (group === '') return;
    this.#widths.group = Math.max(this.#widths.group, displayWidth(group), this.#style.columns.header ? 5 : 0);
  }

  /** The columns that are left for a label. */
  get #room(): number {
    const before = this.#before(BLANK, ' '.repeat(PERMISSIONS), this.#who({ user: '', group: '' }), plain);
    const after = this.#after('', plain) + this.#status('', plain);
    return (this.#style.width ?? Number.POSITIVE_INFINITY) - before.length - this.#widths.size - after.length;
  }

  #runOf(owner: Owner): Run {
    const { user, group, time } = this.#widths;
    const run = this.#run;
    if (run?.owner === owner && run.width === user + group + time) return run;
    const who = this.#style.paint(this.#who(owner), 'owner');
    this.#run = { owner, width: user + group + time, who, before: new Map(), after: new Map() };
    return this.#run;
  }

  #beforeIn(run: Run, metadata: Metadata | null): string {
    const { paint } = this.#style;
    // Without a type and a mode, the entry's stat failed.
    const permissions =
      metadata === null ? '?'.repeat(PERMISSIONS) : paint(permissionText(metadata.type, metadata.mode), 'permissions');
    const text = this.#before(this.#hasExtra ? extraOf(metadata) : BLANK, permissions, run.who, paint);
    if (!this.#hasExtra && metadata !== null && metadata.mode !== null) run.before.set(metadata.mode, text);
    return text;
  }

  #afterIn(run: Run, time: string): string {
    const text = this.#after(time, this.#style.paint);
    run.after.set(time, text);
    return text;
  }

  #before(extra: typeof BLANK, permissions: string, who: string, paint: LongStyle['paint']): string {
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
    const known = this.#times.get(key);
    if (known !== undefined) return known;
    const text = timeText(modified, time, this.#now);
    this.#times.set(key, text);
    return text;
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

const UNKNOWN_OWNER: Owner = { user: '?', group: '?' };

const UNKNOWN_TIMES: Readonly<Record<TimeStyle, string>> = {
  default: '????-??-?? ??:??',
  short: '??-?? ??:??',
  iso: '????-??-??T??:??:??',
  relative: '?',
};

function extraOf(metadata: Metadata | null): typeof BLANK {
  if (metadata === null) return { inode: '?', octal: '????', links: '?' };
  const { inode, mode, links } = metadata;
  return { inode: `${inode ?? '?'}`, octal: octalText(mode), links: `${links ?? '?'}` };
}
