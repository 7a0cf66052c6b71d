/** Encodes and decodes packets of SFTP version 3. Names stay bytes, which ssh2's own client would decode as UTF-8. */
import type { Bytes } from '../../names/bytes.ts';
import { codedError } from '../../workspace/listing-error.ts';
import { type EntryType, typeOfMode } from '../../workspace/reader.ts';

export const PACKET = {
  ...({ init: 1, version: 2, open: 3, close: 4, read: 5, lstat: 7, opendir: 11, readdir: 12, realpath: 16 } as const),
  ...({ readlink: 19, status: 101, handle: 102, data: 103, name: 104, attributes: 105 } as const),
};

export const VERSION = 3;
/** The longest packet that OpenSSH sends, in bytes. Anything that claims to be longer is not SFTP. */
export const LONGEST_PACKET = 256 * 1024;
const STATUS_OK = 0;
const STATUS_END = 1;
const CODES: ReadonlyMap<number, string> = new Map([
  [2, 'ENOENT'],
  [3, 'EACCES'],
  [5, 'EINVAL'],
  [6, 'ENOTCONN'],
  [7, 'ECONNRESET'],
  [8, 'ENOTSUP'],
]);

type Attributes = ReturnType<PacketReader['attributes']>;
export type NamedAttributes = Attributes & { readonly name: Bytes };

/** Encodes a packet: its type and id, some texts with their lengths, and a tail. */
export function packet(type: number, id: number, texts: readonly (Bytes | Buffer)[], tail?: Buffer): Buffer {
  const parts = texts.map((text) => (typeof text === 'string' ? Buffer.from(text, 'latin1') : text));
  const length = 5 + parts.reduce((sum, part) => sum + 4 + part.length, 0) + (tail?.length ?? 0);
  const bytes = Buffer.allocUnsafe(4 + length);
  bytes.writeUInt32BE(length, 0);
  bytes[4] = type;
  bytes.writeUInt32BE(id, 5);
  let at = 9;
  for (const part of parts) {
    bytes.writeUInt32BE(part.length, at);
    part.copy(bytes, at + 4);
    at += 4 + part.length;
  }
  tail?.copy(bytes, at);
  return bytes;
}

/** The tail of an `open` packet: for reading, without attributes. */
export const FOR_READING = Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]);

/** The tail of a `read` packet: where and how much to read. */
export function range(offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeBigUInt64BE(BigInt(offset), 0);
  bytes.writeUInt32BE(length, 8);
  return bytes;
}

export const NOT_SFTP = 'EBADMSG';

export function garbage(): Error {
  return codedError(NOT_SFTP, 'the server sent something that is not SFTP');
}

/** Reads the content of a packet. Whatever lengths it claims, nothing beyond its end is read. */
export class PacketReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  uint32(): number {
    return this.#take(4).readUInt32BE();
  }

  text(): Buffer {
    return this.#take(this.uint32());
  }

  attributes() {
    const flags = this.uint32();
    const size = flags & 0x1 ? Number(this.#take(8).readBigUInt64BE()) : undefined;
    // The owner and the group, as ids of that machine, are skipped.
    if (flags & 0x2) this.#take(8);
    const mode = flags & 0x4 ? this.uint32() : undefined;
    // The access time comes before the modification time.
    if (flags & 0x8) this.#take(4);
    const modified = flags & 0x8 ? this.uint32() : undefined;
    if (flags & 0x80000000) for (let rest = this.uint32(); rest > 0; rest--) [this.text(), this.text()];
    const time = modified === undefined ? undefined : modified * 1000;
    // A mode need not contain the type.
    const type: EntryType | null = mode === undefined || (mode & 0o170000) === 0 ? null : typeOfMode(mode);
    return { type, size, mode, modified: time };
  }

  /** Reads the entries of a directory, including `.` and `..`. */
  names(): NamedAttributes[] {
    const names: NamedAttributes[] = [];
    for (let rest = this.uint32(); rest > 0; rest--) {
      const name = this.text().toString('latin1') as Bytes;
      // A line for people, as in `ls -l`, is skipped.
      this.text();
      names.push({ name, ...this.attributes() });
    }
    return names;
  }

  /** Reads a status. Returns null for success and for the end of the data, otherwise an error. */
  failure(): Error | null {
    const code = this.uint32();
    if (code === STATUS_OK || code === STATUS_END) return null;
    // The server's own message could contain anything, and there are no codes for other failures.
    return codedError(CODES.get(code) ?? 'EIO', 'the server refused');
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw garbage();
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
