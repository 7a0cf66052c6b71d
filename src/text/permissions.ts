/** Mode bits as `ls -l` writes them: `-rw-r--r--`. */
import type { EntryType } from '../listing/query.ts';

const TYPES: Readonly<Record<EntryType, string>> = { file: '-', dir: 'd', link: 'l', other: '?' };

/** What kind of `other` an entry is, by the file type bits of its mode. */
const OTHERS: ReadonlyMap<number, string> = new Map([
  [0o010000, 'p'],
  [0o020000, 'c'],
  [0o060000, 'b'],
  [0o140000, 's'],
]);
const TYPE_BITS = 0o170000;

export function permissionText(type: EntryType, mode: number): string {
  const kind = OTHERS.get(mode & TYPE_BITS) ?? TYPES[type];
  return (
    kind +
    triple(mode >> 6, mode & 0o4000, 's') +
    triple(mode >> 3, mode & 0o2000, 's') +
    triple(mode, mode & 0o1000, 't')
  );
}

/** `special` takes the place of the x: small where that bit is set as well, large where it is not. */
function triple(bits: number, special: number, letter: string): string {
  const execute = (bits & 1) !== 0;
  const last = special === 0 ? (execute ? 'x' : '-') : execute ? letter : letter.toUpperCase();
  return `${bits & 4 ? 'r' : '-'}${bits & 2 ? 'w' : '-'}${last}`;
}
