/** Formats an entry's metadata for people: permissions and size. */
import type { EntryType } from '../listing/query.ts';

const TYPE_LETTERS: Readonly<Record<EntryType, string>> = { file: '-', dir: 'd', link: 'l', other: '?' };

/** FIFOs, devices and sockets, by the file type bits of the mode. */
const SPECIAL_LETTERS: Readonly<Record<number, string>> = { 1: 'p', 2: 'c', 6: 'b', 12: 's' };

/** Returns the first letter of a line of `ls -l`. */
export function typeLetter(type: EntryType, mode: number): string {
  return SPECIAL_LETTERS[(mode >> 12) & 0o17] ?? TYPE_LETTERS[type];
}

/** Formats mode bits as `ls -l` does: `-rw-r--r--`, or `-?????????` if they are unknown. */
export function permissionText(type: EntryType, mode: number | null): string {
  if (mode === null) return `${TYPE_LETTERS[type]}?????????`;
  const user = triple(mode >> 6, mode & 0o4000, 's');
  const group = triple(mode >> 3, mode & 0o2000, 's');
  return typeLetter(type, mode) + user + group + triple(mode, mode & 0o1000, 't');
}

/** True if anybody may execute the file. */
export function isExecutable(mode: number): boolean {
  return (mode & 0o111) !== 0;
}

/** Formats the permission bits in digits, as chmod takes them: `0644`. */
export function octalText(mode: number | null): string {
  return mode === null ? '????' : (mode & 0o7777).toString(8).padStart(4, '0');
}

/** If `special` is set, `letter` replaces the x: in lower case if the x bit is set as well, otherwise in upper case. */
function triple(bits: number, special: number, letter: string): string {
  const execute = (bits & 1) !== 0;
  const last = special === 0 ? (execute ? 'x' : '-') : execute ? letter : letter.toUpperCase();
  return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${last}`;
}

const SIZE_UNITS = ['KB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const;

/** Formats a size in units of 1,024: `512 B`, `1.2 KB`, `8.1 MB`; `-` if it is unknown. */
export function sizeText(bytes: number): string {
  if (Number.isNaN(bytes)) return '-';
  if (bytes < 1024) return `${bytes} B`;
  let unit = 0;
  let value = bytes / 1024;
  // The rounded value decides; otherwise one byte less than a megabyte would be `1024.0 KB`.
  while (Number(value.toFixed(1)) >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value.toFixed(1)} ${SIZE_UNITS[unit]}`;
}
