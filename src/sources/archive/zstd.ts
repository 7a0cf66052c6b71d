/**
 * Decompresses Zstandard, with Node's own decompressor if it has one (22.15 and newer), otherwise with fzstd. That
 * unpacks all of its input at once, with any window: a few hundred kilobytes would fill the memory and block the event
 * loop. So it gets one block at a time, which unpacks to at most 128 KB (RFC 8878).
 */
import { Duplex } from 'node:stream';
import zlib from 'node:zlib';
import { ByteReader, optionalPackage } from '../asking.ts';

/** Unpacked, in bytes. */
const LARGEST_BLOCK = 128 * 1024;
/** In bytes: the default limit of the program `zstd`. */
const LARGEST_WINDOW = 128 * 1024 * 1024;
const FRAME = 0xfd2fb528;
/** Its last hexadecimal digit may be any. */
const SKIPPED_FRAME = 0x184d2a50;
/** The type of a block that is one repeated byte. */
const REPEATED = 1;

export async function zstdDecompressor(): Promise<Duplex> {
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Duplex };
  if (createZstdDecompress !== undefined) return createZstdDecompress();
  const { Decompress } = await optionalPackage('fzstd', () => import('fzstd'));
  return Duplex.from(async function* (packed: AsyncIterable<Buffer>) {
    const unpacked: Uint8Array[] = [];
    const inflate = new Decompress((chunk) => unpacked.push(chunk));
    for await (const part of partsOf(packed)) {
      inflate.push(part);
      if (unpacked.length === 0) continue;
      yield Buffer.concat(unpacked.splice(0));
      // Nothing here waits for a disk or a thread, so it would block the event loop.
      await new Promise(setImmediate);
    }
    inflate.push(Buffer.alloc(0), true);
    yield Buffer.concat(unpacked);
  });
}

/** Yields headers, blocks and checksums one at a time. Rejects if the input is truncated, or a window or block too large. */
async function* partsOf(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytes = new ByteReader(packed);
  while (!(await bytes.isAtEnd())) {
    const magic = await bytes.take(4);
    if ((magic.readUInt32LE() & ~0xf) >>> 0 === SKIPPED_FRAME) {
      await bytes.skip((await bytes.take(4)).readUInt32LE());
      continue;
    }
    if (magic.readUInt32LE() !== FRAME) throw new Error('not a frame');
    const [flags = 0] = await bytes.take(1);
    const header = await bytes.take(headerLength(flags));
    if (windowOf(flags, header) > LARGEST_WINDOW) throw new Error('the window is too large');
    yield Buffer.concat([magic, Buffer.from([flags]), header]);
    for (let isLast = false; !isLast; ) {
      const start = await bytes.take(3);
      const [length, type] = [start.readUIntLE(0, 3) >>> 3, (start.readUInt8() >>> 1) & 3];
      if (length > LARGEST_BLOCK) throw new Error('the block is too large');
      yield Buffer.concat([start, await bytes.take(type === REPEATED ? 1 : length)]);
      isLast = (start.readUInt8() & 1) === 1;
    }
    if (flags & 4) yield await bytes.take(4);
  }
}

const isSingle = (flags: number): boolean => (flags & 0x20) !== 0;

/** Returns the length of the field for the content's size. */
function sizeLength(flags: number): number {
  const length = 1 << (flags >>> 6);
  return length > 1 || isSingle(flags) ? length : 0;
}

/** Returns the length of a header after its flags: window, dictionary id and size of the content. */
function headerLength(flags: number): number {
  return (isSingle(flags) ? 0 : 1) + ([0, 1, 2, 4][flags & 3] as number) + sizeLength(flags);
}

/** Returns the window's size. In a single segment, the window is the whole content. */
function windowOf(flags: number, header: Buffer): number {
  if (!isSingle(flags)) return 2 ** (10 + (header.readUInt8() >>> 3)) * (1 + (header.readUInt8() & 7) / 8);
  const length = sizeLength(flags);
  const size = header.subarray(header.length - length);
  return length === 8 ? Number(size.readBigUInt64LE()) : size.readUIntLE(0, length);
}
