/** Reads tar archives, plain or compressed, from start to end, because they have no table of contents. */
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { type Bytes, bytesIn } from '../../names/bytes.ts';
import type { EntryType } from '../../workspace/reader.ts';
import { ByteReader } from '../asking.ts';
import { LONGEST_PATH } from '../loading/usable-names.ts';
import { type ArchivedEntry, type ReadArchive, streamOf } from './archived.ts';
import type { TarHeader, TarOverrides } from './tar-header.ts';
import { BLOCK, endOfText, hasExtension, headerIn, overridesIn } from './tar-header.ts';

/** The most bytes that an archive may unpack to. A hundred kilobytes, compressed in layers, can hold more zeros. */
const MAX_BYTES = 64 * 1024 ** 3;
/** The most bytes of values before a header: paths, times, attributes; and of all that are longer than a path. */
const LARGEST_OVERRIDES = 1024 * 1024;
const MAX_OVERRIDES = 64 * 1024 * 1024;
const HARD_LINK = '1';

/** The types without content, whatever size their header says. All others are files. */
const WITHOUT_CONTENT: Readonly<Record<string, EntryType>> = {
  [HARD_LINK]: 'file',
  '2': 'link',
  '3': 'other',
  '4': 'other',
  '5': 'dir',
  '6': 'other',
};

/** The directories of GNU tar's incremental archives, whose content is a list of names; and an archive's label. */
const DUMPED_DIRECTORY = 'D';
const LABEL = 'V';

/** `decompressor` makes what unpacks the archive; null if it is not compressed. */
export function tarReader(decompressor: () => Duplex | null | Promise<Duplex>): ReadArchive {
  return async function* (file, signal) {
    const inflate = await decompressor();
    const packed = streamOf(file);
    // A failure of either stream reaches the reader.
    const unpacked = inflate === null ? packed : pipeline(packed, inflate, () => {});
    const stop = () => unpacked.destroy();
    signal.addEventListener('abort', stop);
    try {
      yield* entriesIn(new ByteReader(bounded(unpacked)));
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
    if (bytes > MAX_BYTES) throw new Error('the archive unpacks to more than 64 GB');
    yield chunk as Buffer;
  }
}

async function* entriesIn(bytes: ByteReader): AsyncGenerator<ArchivedEntry> {
  let forAll: TarOverrides = {};
  let forNext: TarOverrides = {};
  let overriding = 0;
  while (!(await bytes.isAtEnd())) {
    const block = await bytes.take(BLOCK);
    // The archive ends at an empty block.
    if (block.every((byte) => byte === 0)) return;
    const header = headerIn(block, { ...forAll, ...forNext });
    if (header.type === 'g' || header.type === 'x') {
      const { stored } = header;
      overriding += Math.max(stored - LONGEST_PATH, 0);
      if (stored > LARGEST_OVERRIDES || overriding > MAX_OVERRIDES) throw new Error('the headers are too large');
      const values = overridesIn(await bytes.take(stored));
      await bytes.skip(padding(stored));
      if (header.type === 'g') forAll = { ...forAll, ...values };
      else forNext = { ...forNext, ...values };
    } else if (header.type === 'L') forNext = { ...forNext, path: await nameIn(bytes, header) };
    else if (header.type === 'K') forNext = { ...forNext, linkpath: await nameIn(bytes, header) };
    else {
      for (let more = header.isExtended; more; ) more = hasExtension(await bytes.take(BLOCK));
      yield* entryOf(header, bytes);
      forNext = {};
    }
  }
}

/** Reads the name that GNU tar puts before a header, or so much of it that it is certain to be too long. */
async function nameIn(bytes: ByteReader, { stored }: TarHeader): Promise<Bytes> {
  const name = await bytes.take(Math.min(stored, LONGEST_PATH + 1));
  await bytes.skip(stored - name.length + padding(stored));
  return endOfText(bytesIn(name));
}

async function* entryOf(header: TarHeader, bytes: ByteReader): AsyncGenerator<ArchivedEntry> {
  const { path, type, size, modified, mode, user, group, target } = header;
  const without = WITHOUT_CONTENT[type];
  const kind = without ?? (type === DUMPED_DIRECTORY || path.endsWith('/') ? 'dir' : 'file');
  let left = without === undefined ? header.stored : 0;
  const entry: ArchivedEntry = {
    ...{ path, modified, mode, user, group },
    type: kind,
    ...(type === HARD_LINK ? { size: undefined, sharesWith: target } : { size: kind === 'file' ? size : 0 }),
    target: kind === 'link' ? target : undefined,
    read: async (largest) => {
      if (without !== undefined || left > largest) return null;
      const length = left;
      left = 0;
      return bytes.take(length);
    },
  };
  if (type !== LABEL) yield entry;
  await bytes.skip(left);
  if (without === undefined) await bytes.skip(padding(header.stored));
}

const padding = (length: number): number => (BLOCK - (length % BLOCK)) % BLOCK;
