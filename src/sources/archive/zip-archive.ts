/** Reads zip archives through their table of contents: nothing is unpacked to list them. */
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import type { Entry, getFileNameLowLevel, RandomAccessReader, ZipFile } from 'yauzl';
import { type Bytes, bytesOf } from '../../names/bytes.ts';
import { typeOfMode } from '../../workspace/reader.ts';
import { firstBytes, optionalPackage } from '../asking.ts';
import { type ArchivedEntry, type OpenFile, type ReadArchive, streamOf } from './archived.ts';

/** Marks an entry made on Unix: the upper half of its attributes is a mode. */
const UNIX = 3;
const ENCRYPTED = 1;
/** The extra field that holds a path as UTF-8. */
const UNICODE_PATH = 0x7075;

export const readZip: ReadArchive = async function* (file) {
  const { default: yauzl } = await optionalPackage('yauzl', () => import('yauzl'));
  // We check names ourselves: a bad one should be shown, and must not hide the others.
  const options = { lazyEntries: true, autoClose: false, decodeStrings: false } as const;
  const { size } = await file.stat();
  const zip = await yauzl.fromRandomAccessReaderPromise(readerOf(file, yauzl.RandomAccessReader), size, options);
  for await (const entry of zip.eachEntry()) {
    yield entryOf(pathOf(entry, yauzl.getFileNameLowLevel), entry, zip);
  }
};

/** Bytes that are read at a time. Perf: reading the disk for each entry takes ten times as long. */
const BLOCK = 256 * 1024;

type Answer = (error: Error | null, bytes?: number) => void;

/** Reads a file in blocks, and keeps the last of them. */
function readerOf(file: OpenFile, Reader: typeof RandomAccessReader): RandomAccessReader {
  let block = { start: 0, bytes: Buffer.alloc(0) };
  class BlockReader extends Reader {
    override read(target: Buffer, offset: number, length: number, position: number, answer: Answer): void {
      const copy = () => block.bytes.copy(target, offset, position - block.start, position - block.start + length);
      const { start, bytes } = block;
      if (position >= start && position + length <= start + bytes.length) {
        copy();
        process.nextTick(answer, null, length);
        return;
      }
      const wanted = Buffer.alloc(Math.max(BLOCK, length));
      file.read(wanted, 0, wanted.length, position).then(
        ({ bytesRead }) => {
          block = { start: position, bytes: wanted.subarray(0, bytesRead) };
          if (bytesRead < length) answer(new Error('the file ends too soon'));
          else answer(null, copy());
        },
        (error) => answer(error),
      );
    }

    override _readStreamForRange(start: number, end: number): Readable {
      return streamOf(file, start, end);
    }
  }
  return new BlockReader();
}

/** Names from Unix are the system's own bytes, whatever the zip says. Elsewhere the zip says how they are encoded. */
function pathOf(entry: Entry, decode: typeof getFileNameLowLevel): Bytes {
  const { versionMadeBy, generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
  const hasOther = extraFields.some(({ id }) => id === UNICODE_PATH);
  if (versionMadeBy >>> 8 === UNIX && !hasOther) return fileNameRaw.toString('latin1') as Bytes;
  return bytesOf(decode(generalPurposeBitFlag, fileNameRaw, extraFields, false));
}

function entryOf(path: Bytes, entry: Entry, zip: ZipFile): ArchivedEntry {
  const mode = entry.versionMadeBy >>> 8 === UNIX ? entry.externalFileAttributes >>> 16 : 0;
  // Not every program that writes a mode includes the type.
  const hasType = mode >>> 12 !== 0;
  const modified = entry.getLastModDate().getTime();
  return {
    path,
    type: path.endsWith('/') ? 'dir' : hasType ? typeOfMode(mode) : 'file',
    size: entry.uncompressedSize,
    modified: Number.isNaN(modified) ? undefined : modified,
    mode: mode === 0 ? undefined : mode,
    read: async (largest) => {
      if (entry.uncompressedSize > largest || (entry.generalPurposeBitFlag & ENCRYPTED) !== 0) return null;
      try {
        const content = await firstBytes(await zip.openReadStreamPromise(entry), largest + 1);
        // Node before 20.15 has no `crc32` to check it with.
        return content.length > largest || (crc32 !== undefined && crc32(content) !== entry.crc32) ? null : content;
      } catch {
        return null;
      }
    },
  };
}
