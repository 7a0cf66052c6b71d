/**
 * Bounds what a tree that is not a disk may hold. A name that would lead elsewhere (an empty one, `..`, one with a
 * slash) is shown in another form. What is longer or deeper than on a disk is left out, counted and reported.
 */
import { type Bytes, below } from '../../names/bytes.ts';
import { codedFailure, type ListingError } from '../../workspace/listing-error.ts';
import type { AsyncEntry } from './async-tree.ts';

/** In bytes. */
export const LONGEST_NAME = 255;
export const LONGEST_PATH = 4096;
/** The most names in a path. */
const MAX_LEVELS = 500;
const WITHOUT_MEANING = /[/\0]/g;
const IMPOSSIBLE = /^(?:\.{0,2})$|[/\0]/;

export function isUsable(name: Bytes): boolean {
  return !IMPOSSIBLE.test(name);
}

/** True if a directory may hold an entry of this name, which leads nowhere else. */
export function mayHold(directory: Bytes, name: Bytes): boolean {
  return name.length <= longestIn(directory) && isUsable(name);
}

/** True if a path may be below a directory, and none of its names leads elsewhere. */
export function isUsablePath(start: Bytes, path: Bytes): boolean {
  const whole = below(start, path);
  if (whole.length > LONGEST_PATH || whole.split('/', MAX_LEVELS + 1).length > MAX_LEVELS) return false;
  return (path.split('/') as Bytes[]).every((name) => name.length <= LONGEST_NAME && isUsable(name));
}

/** Returns, for instance, `(empty)`, `\x2e\x2e` or `a\x2fb`. A real entry is unlikely to have such a name. */
export function shownForm(name: Bytes): Bytes {
  if (name === '') return '(empty)' as Bytes;
  const escaped = (character: string) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return (/^\.+$/.test(name) ? name.replace(/\./g, escaped) : name.replace(WITHOUT_MEANING, escaped)) as Bytes;
}

/** Returns the most bytes that a name in a directory may have; less than 0 if the directory is too deep for any. */
function longestIn(directory: Bytes): number {
  // Perf: a short path cannot have many names.
  if (directory.length >= 2 * MAX_LEVELS - 1 && directory.split('/', MAX_LEVELS).length === MAX_LEVELS) return -1;
  return Math.min(LONGEST_NAME, LONGEST_PATH - 1 - directory.length);
}

export class LevelBounds {
  readonly #longest: number;
  #leftOut = 0;

  constructor(directory: Bytes) {
    this.#longest = longestIn(directory);
  }

  /** Returns true if a name, and the target of a link, may be so long; otherwise counts an entry that is left out. */
  admits(name: number, target = 0): boolean {
    if (name <= this.#longest && target <= LONGEST_PATH) return true;
    this.#leftOut++;
    return false;
  }

  /** Returns those entries that are within the bounds. One with an impossible name can be neither entered nor read. */
  usable(entries: readonly AsyncEntry[]): AsyncEntry[] {
    return entries
      .filter(({ name, target }) => this.admits(name.length, target?.length))
      .map((entry) =>
        isUsable(entry.name) ? entry : { name: shownForm(entry.name), type: 'other', size: entry.size },
      );
  }

  /** Says that entries were left out; null if none were. */
  get failure(): ListingError | null {
    if (this.#leftOut === 0) return null;
    const count = this.#leftOut === 1 ? 'one entry is' : `${this.#leftOut} entries are`;
    return codedFailure(BEYOND, `${count} left out: ${BOUNDS}`);
  }
}

/** The code of the failure: what was read is valid, even if it is nothing. */
export const BEYOND = 'EOVERFLOW';

const BOUNDS = `a name may have ${LONGEST_NAME} bytes, a path or the target of a link ${LONGEST_PATH} bytes, and a path ${MAX_LEVELS} names`;
