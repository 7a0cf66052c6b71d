/** Parses git's tree objects: a sequence of entries `MODE NAME \0 ID`. */
import { type Bytes, SLASH, SPACE } from '../../names/bytes.ts';
import { codedError, ListingError } from '../../workspace/listing-error.ts';
import { isUsable, LONGEST_NAME } from '../loading/usable-names.ts';

export interface TreeEntry {
  readonly name: Bytes;
  readonly mode: number;
  /** In hexadecimal. */
  readonly id: string;
}

export const DIRECTORY = 0o040000;
export const LINK = 0o120000;
export const SUBMODULE = 0o160000;
export const PLAIN = 0o100000;
/** The bits of a mode that hold one of these. */
export const KIND = 0o170000;

const ZERO = 0x30;
/** In digits. */
const LONGEST_MODE = 7;

export class TreeCursor {
  readonly #content: Buffer;
  readonly #idBytes: number;
  mode = 0;
  /** The start of its name, and the position after it. */
  start = 0;
  end = 0;
  #hasSlash = false;
  #next = 0;

  constructor(content: Buffer, idBytes: number) {
    this.#content = content;
    this.#idBytes = idBytes;
  }

  /** Moves to the next entry; false if there is none. */
  advance(): boolean {
    const content = this.#content;
    const { length } = content;
    let at = this.#next;
    if (at === length) return false;
    let mode = 0;
    const modeEnd = Math.min(at + LONGEST_MODE, length);
    for (; at < modeEnd && content[at] !== SPACE; at++) mode = mode * 8 + (content[at] as number) - ZERO;
    if (content[at] !== SPACE) throw unreadable('EIO');
    this.mode = mode;
    this.start = at + 1;
    this.#hasSlash = false;
    const nameEnd = Math.min(this.start + LONGEST_NAME, length);
    for (at++; at < nameEnd && content[at] !== 0; at++) if (content[at] === SLASH) this.#hasSlash = true;
    this.end = content[at] === 0 ? at : content.indexOf(0, at);
    this.#next = this.end + 1 + this.#idBytes;
    if (this.end >= 0 && this.#next <= length) return true;
    throw unreadable('EIO');
  }

  /** The name, or the beginning of one that is too long: that is left out for its length. */
  get name(): Bytes {
    return this.#content.toString('latin1', this.start, Math.min(this.end, this.start + LONGEST_NAME + 1)) as Bytes;
  }

  /** True unless the name would lead elsewhere, as any name in a forged object may. */
  get isUsable(): boolean {
    return !this.#hasSlash && (this.end - this.start > 2 || isUsable(this.name));
  }

  get id(): string {
    return this.#content.toString('hex', this.end + 1, this.#next);
  }
}

export function unreadable(code: string): Error {
  if (code !== 'EIO') return codedError(code, 'git cannot read it');
  return Object.assign(new ListingError('failed', NOT_READ), { code });
}

const NOT_READ =
  'git cannot read this directory (EIO); run git fsck there, and if the clone is partial or borrows objects, make it complete';
