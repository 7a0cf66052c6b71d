/** When something was changed, as people like to read it. */
import { localTime } from './metadata.ts';

export const TIME_STYLES = ['default', 'iso', 'relative'] as const;

export type TimeStyle = (typeof TIME_STYLES)[number];

/** `modified` and `now` are milliseconds since 1970. */
export function timeText(modified: number, style: TimeStyle, now: number): string {
  const date = new Date(modified);
  // A disk can store a time that a Date cannot represent.
  if (Number.isNaN(date.getTime())) return '-';
  if (style === 'relative') return relativeTime(modified, now);
  return style === 'iso' ? isoTime(date) : localTime(date);
}

/** `2024-01-15T10:30:05+01:00`, in the machine's own time zone. */
function isoTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const zone = Math.abs(offset);
  const sign = offset < 0 ? '-' : '+';
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const [day] = localTime(date).split(' ');
  return `${day}T${time}${sign}${two(Math.floor(zone / 60))}:${two(zone % 60)}`;
}

function two(value: number): string {
  return value.toString().padStart(2, '0');
}

const MINUTE = 60_000;
export const DAY = 24 * 60 * MINUTE;

/** The largest unit of which there is at least one. */
const UNITS = [
  ['year', 365.25 * DAY],
  ['month', 30.44 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', 60 * MINUTE],
  ['minute', MINUTE],
] as const;

/** `5 minutes ago`, `in 2 days`, `just now`. */
function relativeTime(modified: number, now: number): string {
  const distance = Math.abs(now - modified);
  const [unit, length] = UNITS.find(([, least]) => distance >= least) ?? ['', 1];
  if (unit === '') return 'just now';
  const count = Math.floor(distance / length);
  const span = `${count} ${unit}${count === 1 ? '' : 's'}`;
  return modified > now ? `in ${span}` : `${span} ago`;
}
