/**
 * Entries with their metadata, one per line, in columns as in `ls -l`:
 *
 *     drwxr-xr-x  ann  staff         -  2024-01-15 11:00  src/
 *     -rw-r--r--  ann  staff    1.2 KB  2024-01-15 10:30  index.ts
 */
import type { Entry } from '../listing/query.ts';
import type { Owners } from '../workspace/owners.ts';
import type { Metadata } from '../workspace/source.ts';
import { displayWidth, padEnd } from './display-width.ts';
import { localTime, permissionText, sizeText } from './metadata.ts';

interface LongStyle {
  readonly owners: Owners;
  /** `1.2 KB` for people, the number of bytes for programs. */
  readonly sizes: 'human' | 'bytes';
  /** Adds colour, which must not change the width. */
  readonly paint: (text: string, column: LongColumn) => string;
}

export type LongColumn = 'permissions' | 'owner' | 'size' | 'time';

type Columns = Readonly<Record<'user' | 'group' | 'size', string>>;

/** Formats a long listing, which may come in blocks: a column keeps the greatest width that it has needed so far. */
export class LongLines {
  readonly #style: LongStyle;
  readonly #widths = { user: 0, group: 0, size: 0 };
  /** Perf: many entries share a mode, or were changed in the same minute. */
  readonly #permissions = new Map<number, string>();
  readonly #times = new Map<number, string>();

  constructor(style: LongStyle) {
    this.#style = style;
  }

  /** `label` writes an entry's name, and a link's target. */
  of(entries: readonly Entry[], label: (entry: Entry) => string): string[] {
    const columns = entries.map(({ metadata }) => columnsOf(metadata, this.#style));
    const widths = this.#widths;
    for (const { user, group, size } of columns) {
      widths.user = Math.max(widths.user, displayWidth(user));
      widths.group = Math.max(widths.group, displayWidth(group));
      widths.size = Math.max(widths.size, size.length);
    }
    return entries.map((entry, i) => this.#line(entry.metadata, columns[i] as Columns, label(entry)));
  }

  #line(metadata: Metadata | null, { user, group, size }: Columns, label: string): string {
    const widths = this.#widths;
    const { paint } = this.#style;
    const who = paint(`${padEnd(user, widths.user)}  ${padEnd(group, widths.group)}`, 'owner');
    const much = paint(size.padStart(widths.size), 'size');
    if (metadata === null) return `??????????  ${who}  ${much}  ????-??-?? ??:??  ${label}`;
    const { type, mode, modified } = metadata;
    const permit = () => paint(permissionText(type, mode), 'permissions');
    const permissions = mode === null ? permit() : remembered(this.#permissions, mode, permit);
    const when = remembered(this.#times, Math.floor(modified / 60_000), () =>
      paint(localTime(new Date(modified)), 'time'),
    );
    return `${permissions}  ${who}  ${much}  ${when}  ${label}`;
  }
}

function columnsOf(metadata: Metadata | null, { owners, sizes }: LongStyle): Columns {
  // Its stat failed.
  if (metadata === null) return { user: '?', group: '?', size: '?' };
  const { type, size, user, group } = metadata;
  const hasSize = (type === 'file' || type === 'other') && !Number.isNaN(size);
  const text = hasSize ? (sizes === 'human' ? sizeText(size) : `${size}`) : '-';
  return { user: owners.user(user), group: owners.group(group), size: text };
}

function remembered(known: Map<number, string>, key: number, make: () => string): string {
  let text = known.get(key);
  if (text === undefined) {
    text = make();
    known.set(key, text);
  }
  return text;
}
