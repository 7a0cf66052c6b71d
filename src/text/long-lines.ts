/**
 * Entries with all that is known of them, one a line, in columns as `ls -l` has them:
 *
 *     drwxr-xr-x  ann  staff         -  2024-01-15 11:00  src/
 *     -rw-r--r--  ann  staff    1.2 KB  2024-01-15 10:30  index.ts
 */
import type { Entry } from '../listing/query.ts';
import type { Owners } from '../workspace/owners.ts';
import type { Metadata } from '../workspace/pinned.ts';
import { shown } from '../workspace/quote.ts';
import { displayWidth, padEnd } from './display-width.ts';
import { permissionText } from './permissions.ts';
import { sizeText } from './size.ts';
import { localTime } from './time.ts';

export interface LongStyle {
  readonly owners: Owners;
  /** `1.2 KB` for people, the number of bytes for programs. */
  readonly sizes: 'human' | 'bytes';
}

interface Columns {
  readonly user: string;
  readonly group: string;
  readonly size: string;
}

/** `label` is how each entry is called. */
export function longLines(entries: readonly Entry[], label: (entry: Entry) => string, style: LongStyle): string[] {
  const remembered = new Remembered();
  const rows = entries.flatMap((entry) => (entry.metadata === null ? [] : { entry, metadata: entry.metadata }));
  const columns = rows.map(({ metadata }) => columnsOf(metadata, style));
  const width = (column: keyof Columns) => columns.reduce((most, one) => Math.max(most, displayWidth(one[column])), 0);
  const widths = { user: width('user'), group: width('group'), size: width('size') };
  return rows.map(({ entry, metadata }, i) => {
    const { user, group, size } = columns[i] as Columns;
    const who = `${padEnd(user, widths.user)}  ${padEnd(group, widths.group)}`;
    const target = metadata.target === null ? '' : ` -> ${shown(metadata.target)}`;
    const when = remembered.time(metadata.modified);
    return `${remembered.permissions(metadata)}  ${who}  ${size.padStart(widths.size)}  ${when}  ${label(entry)}${target}`;
  });
}

function columnsOf({ type, size, user, group }: Metadata, { owners, sizes }: LongStyle): Columns {
  const hasSize = type === 'file' || type === 'other';
  const text = hasSize ? (sizes === 'human' ? sizeText(size) : `${size}`) : '-';
  return { user: owners.user(user), group: owners.group(group), size: text };
}

/** Perf: many entries have the same mode, and were changed in the same minute. */
class Remembered {
  readonly #permissions = new Map<number, string>();
  readonly #times = new Map<number, string>();

  permissions({ type, mode }: Metadata): string {
    return remembered(this.#permissions, mode, () => permissionText(type, mode));
  }

  time(milliseconds: number): string {
    return remembered(this.#times, Math.floor(milliseconds / 60_000), () => localTime(new Date(milliseconds)));
  }
}

function remembered(known: Map<number, string>, key: number, make: () => string): string {
  let text = known.get(key);
  if (text === undefined) {
    text = make();
    known.set(key, text);
  }
  return text;
}
