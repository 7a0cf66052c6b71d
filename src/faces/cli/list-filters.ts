/** Parses the filters of a listing by type, extension, time and size: `--newer 2d --larger 10k --ext ts`. */
import type { Where } from '../../listing/query.ts';
import { bytesOf } from '../../names/bytes.ts';
import { knownWord, UsageError } from '../../protocol/usage-error.ts';
import { DAY } from '../../text/time.ts';
import type { CommandLine } from './command-line.ts';
import { TYPE_NAMES } from './options.ts';

export function filtersIn(line: CommandLine, now = Date.now()): Where {
  const [newer, older, larger, smaller] = ['newer', 'older', 'larger', 'smaller'].map((name) => line.value(name));
  const given = line.values('type').flatMap((value) => value.split(','));
  const types = given.map((type) => TYPE_LETTERS.get(type) ?? knownWord('--type', type, TYPE_NAMES));
  const extensions = line.values('ext').flatMap((value) => value.split(','));
  return {
    types: types.length === 0 ? null : types,
    extensions: extensions.length === 0 ? null : extensions.map(extensionFor),
    changedAfter: newer === undefined ? Number.NEGATIVE_INFINITY : timeFor('newer', newer, now),
    changedBefore: older === undefined ? Number.POSITIVE_INFINITY : timeFor('older', older, now),
    least: larger === undefined ? 0 : sizeFor('larger', larger),
    most: smaller === undefined ? Number.POSITIVE_INFINITY : sizeFor('smaller', smaller),
  };
}

/** The letters that find and fd use for types. */
const TYPE_LETTERS = new Map(Object.entries({ f: 'file', d: 'dir', l: 'link', x: 'executable' } as const));

function extensionFor(given: string): string {
  const extension = bytesOf(given.replace(/^\*?\./, '')).toLowerCase();
  if (extension === '' || extension.includes('/'))
    throw new UsageError(`--ext takes an ending such as ts, not '${given}'.`);
  return extension;
}

const SECOND = 1000;

/** In milliseconds. As in fd, `m` means minutes. */
const SPANS: readonly (readonly [RegExp, number])[] = [
  [/^s(?:ec(?:ond)?s?)?$/, SECOND],
  [/^m(?:in(?:ute)?s?)?$/, 60 * SECOND],
  [/^h(?:(?:ou)?rs?)?$/, 60 * 60 * SECOND],
  [/^d(?:ays?)?$/, DAY],
  [/^w(?:(?:ee)?ks?)?$/, 7 * DAY],
  [/^mo(?:nths?)?$/, 30 * DAY],
  [/^y(?:(?:ea)?rs?)?$/, 365 * DAY],
];

/** Parses a duration before now, or a date with an optional time, by default in the local time zone. */
function timeFor(name: string, given: string, now: number): number {
  const { count = '', unit = '' } = /^(?<count>\d+(?:\.\d+)?) ?(?<unit>[a-z]+)$/.exec(given)?.groups ?? {};
  const length = SPANS.find(([pattern]) => pattern.test(unit))?.[1];
  if (length !== undefined) return now - Number(count) * length;
  const isTime = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(given);
  const date =
    isTime && isDay(given.slice(0, 10))
      ? new Date(given.length === 10 ? `${given}T00:00` : given.replace(' ', 'T')).getTime()
      : Number.NaN;
  if (Number.isNaN(date))
    throw new UsageError(`--${name} takes how long ago (30min, 2h, 3d, 1w) or a date (2024-01-15), not '${given}'.`);
  return date;
}

/** `Date` turns the 30th of February into the 1st of March. */
function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

const UNITS = ['', 'k', 'm', 'g', 't'];

/** Uses units of 1,024, as sizes are shown. */
function sizeFor(name: string, given: string): number {
  const { count = '', unit = '' } = /^(?<count>\d+(?:\.\d+)?) ?(?<unit>[kmgt]?)(?:i?b)?$/i.exec(given)?.groups ?? {};
  if (count === '') throw new UsageError(`--${name} takes a size such as 500, 10k or 1.5M, not '${given}'.`);
  return Number(count) * 1024 ** UNITS.indexOf(unit.toLowerCase());
}
