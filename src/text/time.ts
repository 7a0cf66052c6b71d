/** Formats modification times for people. Perf: avoids Intl, whose first date format takes milliseconds. */
import { counted } from './count.ts';

export const TIME_STYLES = ['default', 'iso', 'relative'] as const;

/** `short` is what `default` means on a terminal. */
export type TimeStyle = (typeof TIME_STYLES)[number] | 'short';

/** `modified` and `now` are milliseconds since 1970. */
export function timeText(modified: number, style: TimeStyle, now: number): string {
  const date = new Date(modified);
  if (style === 'default' || Number.isNaN(date.getTime())) return localTime(date);
  if (style === 'relative') return relativeTime(modified, now);
  if (style === 'iso') return isoTime(date);
  return date.getFullYear() === new Date(now).getFullYear() ? localTime(date).slice(5) : dayOf(date);
}

/** Formats a time as `2024-01-15 10:30`, in the machine's own time zone. */
export function localTime(date: Date): string {
  // A disk can store a time that a Date cannot represent.
  if (Number.isNaN(date.getTime())) return '-';
  return `${dayOf(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Formats a time as `2024-01-15T10:30:05+01:00`, in the machine's own time zone. */
function isoTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const zone = Math.abs(offset);
  const sign = offset < 0 ? '-' : '+';
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  return `${dayOf(date)}T${time}${sign}${two(Math.floor(zone / 60))}:${two(zone % 60)}`;
}

function dayOf(date: Date): string {
  return `${date.getFullYear().toString().padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(value: number): string {
  return value.toString().padStart(2, '0');
}

const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** Units of relative times, the largest first. The first that fits at least once is used. */
const UNITS = [
  ['year', 365.25 * DAY],
  ['month', 30.44 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

/** Formats a time as `5 minutes ago`, `in 2 days` or `just now`. */
function relativeTime(modified: number, now: number): string {
  const distance = Math.abs(now - modified);
  const [unit, length] = UNITS.find(([, least]) => distance >= least) ?? ['', 1];
  if (unit === '') return 'just now';
  const span = counted(Math.floor(distance / length), unit);
  return modified > now ? `in ${span}` : `${span} ago`;
}
