/** What is read of an archive: its entries, one after the other. */
import { Readable } from 'node:stream';
import type { Bytes } from '../../workspace/bytes.ts';
import type { EntryType } from '../../workspace/reader.ts';
import { firstBytes } from '../asking.ts';

/** A file that is open; Node's own handles are. */
export interface OpenFile {
  read(
    buffer: Buffer,
    offset: number,
    length: number | null,
    position: number,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Buffer }>;
  stat(): Promise<{ readonly size: number }>;
  close(): Promise<void>;
}

export interface ArchivedEntry {
  /** As it stands in the archive. */
  readonly path: Bytes;
  readonly type: EntryType;
  readonly size: number | undefined;
  readonly modified: number | undefined;
  readonly mode: number | undefined;
  readonly user: number | undefined;
  readonly group: number | undefined;
  /** Where a link leads; undefined where its content says so. */
  readonly target: Bytes | undefined;
  /** The content, while it is this entry's turn; null where it cannot be read: it is encrypted, or not as it should be. */
  read(largest: number): Promise<Buffer | null>;
}

/** Reads an archive that is open, entry by entry. Throws where it is damaged; what came before counts. */
export type ReadArchive = (file: OpenFile, signal: AbortSignal) => AsyncIterable<ArchivedEntry>;

/** All of a stream, of at most `largest` bytes; null where it has more, or fails. */
export async function collected(stream: AsyncIterable<unknown>, largest: number): Promise<Buffer | null> {
  const content = await firstBytes(stream as AsyncIterable<Buffer>, largest + 1).catch(() => null);
  return content === null || content.length > largest ? null : content;
}

const BLOCK = 256 * 1024;

/** A part of a file as a stream. Streams of Node's own close the file when somebody has read enough of them. */
export function streamOf(file: OpenFile, start = 0, end = Number.POSITIVE_INFINITY): Readable {
  return Readable.from(blocksOf(file, start, end), { objectMode: false });
}

async function* blocksOf(file: OpenFile, start: number, end: number): AsyncGenerator<Buffer> {
  for (let at = start; at < end; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(BLOCK, end - at)), 0, null, at);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    at += bytesRead;
  }
}
