/**
 * Lines of a long listing: permissions, owner, group, size, time and name, in columns, and others on demand.
 *
 *     drwxr-xr-x  ann  staff         -  2024-01-15 11:00  src/
 *     -rw-r--r--  ann  staff    1.2 KB  2024-01-15 10:30  index.ts
 */
import type { Entry } from '../listing/query.ts';
import type { Owners } from '../workspace/owners.ts';
import type { Metadata } from '../workspace/source.ts';
import { displayWidth, padEnd } from './display-width.ts';
import { octalText, permissionText, sizeText } from './metadata.ts';
import { type TimeStyle, timeText } from './time.ts';

/** Which columns there are, and how they read; as data, which another thread can be sent. */
export interface LongOptions {
  readonly header: boolean;
  readonly inode: boolean;
  readonly octal: boolean;
  readonly links: boolean;
  /** Owners by their numbers. */
  readonly numeric: boolean;
  readonly time: TimeStyle;
}

export const PLAIN_COLUMNS: LongOptions = {
  ...{ header: false, inode: false, octal: false, links: false, numeric: false },
  time: 'default',
};

interface LongStyle {
  readonly owners: Owners;
  /** `1.2 KB` for people, the number of bytes for programs. */
  readonly sizes: 'human' | 'bytes';
  /** Adds colour, which must not change the width. */
  readonly paint: (text: string, column: LongColumn) => string;
  readonly columns: LongOptions;
  /** Total sizes of directories; null if they are not shown. */
  readonly totals: ReadonlyMap<Entry, number> | null;
  /** Git's status of an entry, in two letters; null if it is not shown. */
  readonly statusOf: ((entry: Entry) => string) | null;
}

export type LongColumn = 'inode' | 'permissions' | 'owner' | 'size' | 'time' | 'git' | 'header';

interface Cells {
  readonly inode: string;
  readonly octal: string;
  readonly links: string;
  readonly user: string;
  readonly group: string;
  readonly size: string;
  readonly time: string;
}

const HEADINGS: Cells = {
  ...{ inode: 'Inode', octal: 'Octal', links: 'Links', user: 'User', group: 'Group', size: 'Size' },
  time: 'Modified',
};

const NO_WIDTHS = { inode: 0, octal: 0, links: 0, user: 0, group: 0, size: 0, time: 0 };

/** Columns of permissions. */
const PERMISSIONS = 10;

/** Formats a long listing, which may come in blocks: a column keeps the greatest width that it has needed so far. */
export class LongLines {
  readonly #style: LongStyle;
  readonly #widths = { ...NO_WIDTHS };
  readonly #now = Date.now();
  /** Perf: many entries share a mode, or were changed in the same minute. */
  readonly #permissions = new Map<number, string>();
  readonly #times = new Map<number, string>();

  constructor(style: LongStyle) {
    this.#style = style;
    if (style.columns.header) this.#widen(this.#asked(HEADINGS));
  }

  /** The names of the columns, once those that follow have been measured. */
  get header(): string {
    const { paint } = this.#style;
    return paint(
      this.#joined(this.#asked(HEADINGS), 'Mode'.padEnd(PERMISSIONS), 'Git', 'Name', (text) => text),
      'header',
    );
  }

  /** `label` writes an entry's name, and a link's target. */
  of(entries: readonly Entry[], label: (entry: Entry, index: number) => string): string[] {
    const rows = entries.map((entry) => this.#cells(entry));
    for (const cells of rows) this.#widen(cells);
    const { paint, statusOf } = this.#style;
    return entries.map((entry, i) => {
      const permissions = this.#permissionsOf(entry.metadata);
      return this.#joined(rows[i] as Cells, permissions, statusOf?.(entry) ?? '', label(entry, i), paint);
    });
  }

  #widen(cells: Cells): void {
    const widths = this.#widths;
    widths.user = Math.max(widths.user, displayWidth(cells.user));
    widths.group = Math.max(widths.group, displayWidth(cells.group));
    widths.size = Math.max(widths.size, cells.size.length);
    widths.time = Math.max(widths.time, cells.time.length);
    widths.inode = Math.max(widths.inode, cells.inode.length);
    widths.octal = Math.max(widths.octal, cells.octal.length);
    widths.links = Math.max(widths.links, cells.links.length);
  }

  #joined(cells: Cells, permissions: string, status: string, label: string, paint: LongStyle['paint']): string {
    const { inode, octal, links, user, group, size, time } = cells;
    const { statusOf, columns } = this.#style;
    const widths = this.#widths;
    const front = inode === '' && octal === '' ? '' : this.#front(inode, octal, paint);
    const count = links === '' ? '' : `${paint(links.padStart(widths.links), 'inode')}  `;
    const who = paint(`${padEnd(user, widths.user)}  ${padEnd(group, widths.group)}`, 'owner');
    const much = paint(size.padStart(widths.size), 'size');
    // Relative times are read by their numbers, which stand at the end of the column as sizes do.
    const when = paint(columns.time === 'relative' ? time.padStart(widths.time) : time.padEnd(widths.time), 'time');
    const git = statusOf === null ? '' : `${paint(status.padEnd(columns.header ? 3 : 2), 'git')}  `;
    return `${front}${permissions}  ${count}${who}  ${much}  ${when}  ${git}${label}`;
  }

  #front(inode: string, octal: string, paint: LongStyle['paint']): string {
    const first = inode === '' ? '' : `${paint(inode.padStart(this.#widths.inode), 'inode')}  `;
    return octal === '' ? first : `${first}${paint(octal.padStart(this.#widths.octal), 'permissions')}  `;
  }

  #permissionsOf(metadata: Metadata | null): string {
    // Its stat failed.
    if (metadata === null) return '?'.repeat(PERMISSIONS);
    const { type, mode } = metadata;
    const permit = () => this.#style.paint(permissionText(type, mode), 'permissions');
    return mode === null ? permit() : remembered(this.#permissions, mode, permit);
  }

  #cells(entry: Entry): Cells {
    const { metadata } = entry;
    if (metadata === null) return this.#asked({ ...UNKNOWN, time: UNKNOWN_TIMES[this.#style.columns.time] });
    const { columns, owners, totals } = this.#style;
    const { user, group, mode, inode = null, links = null, modified } = metadata;
    const grain = columns.time === 'iso' ? 1000 : 60_000;
    return {
      inode: columns.inode ? `${inode ?? '?'}` : '',
      octal: columns.octal ? octalText(mode) : '',
      links: columns.links ? `${links ?? '?'}` : '',
      user: columns.numeric ? `${user ?? '?'}` : owners.user(user),
      group: columns.numeric ? `${group ?? '?'}` : owners.group(group),
      size: this.#sizeOf(metadata, totals?.get(entry)),
      time: remembered(this.#times, Math.floor(modified / grain), () => timeText(modified, columns.time, this.#now)),
    };
  }

  #sizeOf({ type, size }: Metadata, total: number | undefined): string {
    const bytes = type === 'file' || type === 'other' ? size : total;
    if (bytes === undefined) return '-';
    return this.#style.sizes === 'human' ? sizeText(bytes) : `${bytes}`;
  }

  /** Without the cells of columns that nobody asked for. */
  #asked(cells: Cells): Cells {
    const { inode, octal, links } = this.#style.columns;
    return {
      ...cells,
      inode: inode ? cells.inode : '',
      octal: octal ? cells.octal : '',
      links: links ? cells.links : '',
    };
  }
}

const UNKNOWN: Omit<Cells, 'time'> = { inode: '?', octal: '????', links: '?', user: '?', group: '?', size: '?' };

const UNKNOWN_TIMES: Readonly<Record<TimeStyle, string>> = {
  default: '????-??-?? ??:??',
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
