/** Mode bits as `ls -l` writes them: `-rw-r--r--`, or `-?????????` where nobody knows. */
import type { EntryType } from '../listing/query.ts';

const TYPE_LETTERS: Readonly<Record<EntryType, string>> = { file: '-', dir: 'd', link: 'l', other: '?' };

/** The letters of FIFOs, devices and sockets, by the file type bits of the mode. */
const SPECIAL_LETTERS: ReadonlyMap<number, string> = new Map([
  [0o010000, 'p'],
  [0o020000, 'c'],
  [0o060000, 'b'],
  [0o140000, 's'],
]);
/** Masks the file type bits of a mode. */
export const TYPE_BITS = 0o170000;

export function permissionText(type: EntryType, mode: number | null): string {
  if (mode === null) return `${TYPE_LETTERS[type]}?????????`;
  const kind = SPECIAL_LETTERS.get(mode & TYPE_BITS) ?? TYPE_LETTERS[type];
  return (
    kind +
    triple(mode >> 6, mode & 0o4000, 's') +
    triple(mode >> 3, mode & 0o2000, 's') +
    triple(mode, mode & 0o1000, 't')
  );
}

/** `special` replaces the x: in lower case if that bit is set as well, otherwise in upper case. */
function triple(bits: number, special: number, letter: string): string {
  const execute = (bits & 1) !== 0;
  const last = special === 0 ? (execute ? 'x' : '-') : execute ? letter : letter.toUpperCase();
  return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${last}`;
}
