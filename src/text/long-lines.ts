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

type Cells = Readonly<{ owner: Owner; size: string; time: string; extra: Readonly<typeof NO_EXTRA> }>;

interface Owner {
  readonly user: string;
  /** '' if it is not shown. */
  readonly group: string;
}

const NO_EXTRA = { inode: '', octal: '', links: '' };

const HEADINGS: Cells = {
  ...{ owner: { user: 'User', group: 'Group' }, size: 'Size', time: 'Modified' },
  extra: { inode: 'Inode', octal: 'Octal', links: 'Links' },
};

/** The width of the permissions, in columns. */
const PERMISSIONS = 10;

/** Formats a long listing, which may come in blocks: a column keeps the greatest width that it has needed so far. */
export class LongLines {
  readonly #style: LongStyle;
  readonly #widths = { inode: 0, octal: 0, links: 0, user: 0, group: 0, size: 0, time: 0 };
  readonly #hasExtra: boolean;
  readonly #now = Date.now();
  /** Perf: many entries share a mode, or were changed in the same minute. */
  readonly #permissions = new Map<number, string>();
  readonly #times = new Map<number, string>();
  /** Perf: an entry usually has the same owner as the one before. */
  #padded: { owner: Owner; user: number; group: number; text: string } | null = null;
  #last: { readonly user: number | null; readonly group: number | null; readonly owner: Owner } | null = null;

  constructor(style: LongStyle) {
    const { inode, octal, links, header } = style.columns;
    this.#style = style;
    this.#hasExtra = inode || octal || links;
    if (header) this.#widen({ ...HEADINGS, owner: { user: 'User', group: '' } });
  }

  /** The line of headings. Valid once the lines that follow have been measured. */
  get header(): string {
    const plain = this.#joined(HEADINGS, 'Mode'.padEnd(PERMISSIONS), 'Git', 'Name', (text) => text);
    return this.#style.paint(plain, 'header');
  }

  /** `label` writes an entry's name and a link's target, in `room` columns. */
  of(entries: readonly Entry[], label: (entry: Entry, index: number, room: number) => string): string[] {
    const rows = entries.map((entry) => this.#cells(entry));
    for (const cells of rows) this.#widen(cells);
    const [first] = rows;
    const before = first && this.#joined(first, ' '.repeat(PERMISSIONS), '', '', (text) => text);
    const room = (this.#style.width ?? Number.POSITIVE_INFINITY) - displayWidth(before ?? '');
    const { paint, statusOf } = this.#style;
    return entries.map((entry, i) => {
      const permissions = this.#permissionsOf(entry.metadata);
      return this.#joined(rows[i] as Cells, permissions, statusOf?.(entry) ?? '', label(entry, i, room), paint);
    });
  }

  #widen({ owner, size, time, extra }: Cells): void {
    const widths = this.#widths;
    widths.size = Math.max(widths.size, size.length);
    widths.time = Math.max(widths.time, time.length);
    if (owner !== this.#last?.owner) this.#widenOwner(owner);
    if (!this.#hasExtra) return;
    widths.inode = Math.max(widths.inode, extra.inode.length);
    widths.octal = Math.max(widths.octal, extra.octal.length);
    widths.links = Math.max(widths.links, extra.links.length);
  }

  #widenOwner({ user, group }: Owner): void {
    this.#widths.user = Math.max(this.#widths.user, displayWidth(user));
    if (group === '') return;
    this.#widths.group = Math.max(this.#widths.group, displayWidth(group), this.#style.columns.header ? 5 : 0);
  }

  #joined(cells: Cells, permissions: string, status: string, label: string, paint: LongStyle['paint']): string {
    const { owner, size, time, extra } = cells;
    const { statusOf, columns } = this.#style;
    const widths = this.#widths;
    const who = paint(this.#paddedOwner(owner), 'owner');
    const much = paint(size.padStart(widths.size), 'size');
    // Relative times are aligned to the right like sizes, because people compare their numbers.
    const when = columns.time === 'relative' ? time.padStart(widths.time) : time.padEnd(widths.time);
    const git = statusOf === undefined ? '' : `${paint(status.padEnd(columns.header ? 3 : 2), 'git')}  `;
    const rest = `${who}  ${much}  ${paint(when, 'time')}  ${git}${label}`;
    if (!this.#hasExtra) return `${permissions}  ${rest}`;
    const inode = columns.inode ? `${paint(extra.inode.padStart(widths.inode), 'inode')}  ` : '';
    const octal = columns.octal ? `${paint(extra.octal.padStart(widths.octal), 'permissions')}  ` : '';
    const links = columns.links ? `${paint(extra.links.padStart(widths.links), 'inode')}  ` : '';
    return `${inode}${octal}${permissions}  ${links}${rest}`;
  }

  /** Perf: padded once for a run of entries with the same owner, until a column becomes wider. */
  #paddedOwner(owner: Owner): string {
    const { user, group } = this.#widths;
    const known = this.#padded;
    if (known?.owner === owner && known.user === user && known.group === group) return known.text;
    const text = `${padEnd(owner.user, user)}${group === 0 ? '' : `  ${padEnd(owner.group, group)}`}`;
    this.#padded = { owner, user, group, text };
    return text;
  }

  #permissionsOf(metadata: Metadata | null): string {
    // The entry's stat failed.
    if (metadata === null) return '?'.repeat(PERMISSIONS);
    const { type, mode } = metadata;
    const permit = () => this.#style.paint(permissionText(type, mode), 'permissions');
    return mode === null ? permit() : remembered(this.#permissions, mode, permit);
  }

  #cells(entry: Entry): Cells {
    const { metadata } = entry;
    const { columns, sizes } = this.#style;
    if (metadata === null) return { ...UNKNOWN, time: UNKNOWN_TIMES[columns.time] };
    const { user, group, modified, inode, mode, links } = metadata;
    return {
      owner: this.#ownerOf(user, group),
      size: this.#sizeOf(metadata, sizes?.get(entry)),
      time: this.#timeOf(modified),
      extra: this.#hasExtra ? { inode: `${inode ?? '?'}`, octal: octalText(mode), links: `${links ?? '?'}` } : NO_EXTRA,
    };
  }

  #timeOf(modified: number): string {
    const { time } = this.#style.columns;
    const grain = time === 'iso' ? 1000 : 60_000;
    return remembered(this.#times, Math.floor(modified / grain), () => timeText(modified, time, this.#now));
  }

  #ownerOf(user: number | null, group: number | null): Owner {
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

const UNKNOWN: Omit<Cells, 'time'> = {
  ...{ owner: { user: '?', group: '?' }, size: '?' },
  extra: { inode: '?', octal: '????', links: '?' },
};

const UNKNOWN_TIMES: Readonly<Record<TimeStyle, string>> = {
  default: '????-??-?? ??:??',
  short: '??-?? ??:??',
  iso: '????-??-??T??:??:??',
  relative: '?',
};

function remembered(known: Map<number, string>, key: number, make: () => string): string {
  let text = known.get(key);
  if (text === undefined) {
    text = make();
    known.set(key, text);
  }
  return text;
}
