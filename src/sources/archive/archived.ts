/** The interface of archive readers, which yield entries one after another. */
import { Readable } from 'node:stream';
import type { Bytes } from '../../names/bytes.ts';
import type { AsyncEntry } from '../loading/async-tree.ts';

/** An open file, such as one of Node's own handles. */
export interface OpenFile {
  read(buffer: Buffer, offset: number, length: number | null, position: number): Promise<ReadPart>;
  stat(): Promise<{ readonly size: number }>;
  close(): Promise<void>;
}

type ReadPart = { readonly bytesRead: number; readonly buffer: Buffer };

/** The `target` of a link is undefined if it is the content instead. */
export interface ArchivedEntry extends Omit<AsyncEntry, 'name' | 'isClosed'> {
  readonly path: Bytes;
  /** The path of the entry whose content this one shares: a hard link; absent for any other. */
  readonly sharesWith?: Bytes;
  /** Reads the content, while this is the current entry; null if it is too large, encrypted or damaged. */
  read(largest: number): Promise<Buffer | null>;
}

/** Reads an open archive, entry by entry. Throws where it is damaged; the entries before that are valid. */
export type ReadArchive = (file: OpenFile, signal: AbortSignal) => AsyncIterable<ArchivedEntry>;

const BLOCK = 256 * 1024;

/** Streams a part of a file. Node's own streams would close the file when their reader stops early. */
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
