/** Tar archives, plain or compressed: read from their beginning, for they have no table of contents. */
import { type Duplex, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Header } from 'tar-stream';
import { type Bytes, bytesOf } from '../../workspace/bytes.ts';
import type { EntryType } from '../../workspace/reader.ts';
import { optionalPackage } from '../open.ts';
import { type ArchivedEntry, collected, type ReadArchive, streamOf } from './archived.ts';
import { zstdDecompressor } from './zstd.ts';

/** The most bytes that an archive may unpack to. A hundred kilobytes, compressed in layers, can hold more zeros. */
const MOST_BYTES = 64 * 1024 ** 3;

const TYPES: Readonly<Record<string, EntryType>> = {
  file: 'file',
  'contiguous-file': 'file',
  link: 'file',
  directory: 'dir',
  symlink: 'link',
};

export const readTar: ReadArchive = tarReader(() => null);
export const readTarGz: ReadArchive = tarReader(() => createGunzip());
export const readTarZst: ReadArchive = tarReader(() => zstdDecompressor());

function tarReader(decompressor: () => Duplex | null | Promise<Duplex>): ReadArchive {
  return async function* (file, signal) {
    const { default: tar } = await optionalPackage('tar-stream', () => import('tar-stream'));
    const inflate = await decompressor();
    // Names are bytes, except those in pax headers, which are UTF-8.
    const extract = tar.extract({ filenameEncoding: 'latin1' } as Parameters<typeof tar.extract>[0]);
    const packed = streamOf(file);
    const unpacked = inflate === null ? packed : packed.pipe(inflate);
    const stop = () => {
      for (const stream of [packed, inflate, extract]) stream?.destroy();
    };
    const fail = (error: Error) => extract.destroy(error);
    packed.on('error', fail);
    inflate?.on('error', fail);
    signal.addEventListener('abort', stop);
    Readable.from(bounded(unpacked))
      .on('error', fail)
      .pipe(extract as unknown as NodeJS.WritableStream);
    try {
      for await (const entry of extract) {
        yield entryOf(entry.header, entry);
        entry.resume();
      }
      signal.throwIfAborted();
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  };
}

async function* bounded(stream: Readable): AsyncIterable<Buffer> {
  let bytes = 0;
  for await (const chunk of stream) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) throw new Error('the archive unpacks to more than 64 GB');
    yield chunk as Buffer;
  }
}

function entryOf(header: Header, content: AsyncIterable<unknown>): ArchivedEntry {
  const { name, type, size, mtime, mode, uid, gid, linkname } = header;
  const pax = header.pax as Readonly<Record<string, string>> | null | undefined;
  const kind = TYPES[type ?? 'file'] ?? 'other';
  return {
    path: pax?.path === undefined ? (name as Bytes) : bytesOf(name),
    type: kind,
    // A hard link has no content of its own.
    size: type === 'link' ? undefined : size,
    modified: mtime?.getTime(),
    mode,
    user: uid,
    group: gid,
    target:
      kind === 'link'
        ? pax?.linkpath === undefined
          ? ((linkname ?? '') as Bytes)
          : bytesOf(linkname ?? '')
        : undefined,
    read: async (largest) => ((size ?? 0) > largest || type === 'link' ? null : collected(content, largest)),
  };
}
