/** Parses the headers of a tar archive (V7, POSIX, GNU), and the records that pax and GNU tar put before them. */
import { type Bytes, bytesIn, SPACE } from '../../names/bytes.ts';
import { LONGEST_PATH } from '../loading/usable-names.ts';

export const BLOCK = 512;

export type TarHeader = ReturnType<typeof headerIn>;

/** Values that replace those of the next header, by their names in pax. */
export type TarOverrides = Readonly<Partial<Record<Override, Bytes>>>;

const OVERRIDES = [
  ...(['path', 'linkpath', 'size', 'mtime', 'uid', 'gid'] as const),
  // The name of a sparse file stands here; its `path` is an invented one.
  ...(['GNU.sparse.name', 'GNU.sparse.size', 'GNU.sparse.realsize'] as const),
] as const;
type Override = (typeof OVERRIDES)[number];

/** The type of a sparse file that GNU tar writes without pax. */
const SPARSE = 'S';

/** The types of headers that hold values for the next one. */
const ABOUT_OTHERS: ReadonlySet<string> = new Set(['g', 'x', 'L', 'K']);

/** Throws if the block is not a header. `before` are the values that replace its own. */
export function headerIn(block: Buffer, before: TarOverrides) {
  if (!hasChecksum(block)) throw new Error('not a header');
  const type = String.fromCharCode(block[156] || ZERO);
  const overrides = ABOUT_OTHERS.has(type) ? {} : before;
  const isGnuSparse = type === SPARSE;
  const stored = overridden(overrides.size) ?? numberIn(block, 124, 12);
  if (!Number.isSafeInteger(stored) || stored < 0) throw new Error('not a size');
  const real = overridden(overrides['GNU.sparse.realsize'] ?? overrides['GNU.sparse.size']);
  return {
    type,
    path: overrides['GNU.sparse.name'] ?? overrides.path ?? ownPath(block),
    target: overrides.linkpath ?? textAt(block, 157, 100),
    /** The bytes that follow in the archive, and the size of the file, which may be sparse. */
    stored,
    size: real ?? (isGnuSparse ? numberIn(block, 483, 12) : stored),
    mode: numberIn(block, 100, 8),
    user: overridden(overrides.uid) ?? numberIn(block, 108, 8),
    group: overridden(overrides.gid) ?? numberIn(block, 116, 8),
    modified: 1000 * (overridden(overrides.mtime) ?? numberIn(block, 136, 12)),
    /** True if blocks of GNU tar's sparse map follow. */
    isExtended: isGnuSparse && block[482] === 1,
  };
}

/** True if a block of GNU tar's sparse map is followed by another. */
export function hasExtension(block: Buffer): boolean {
  return block[504] === 1;
}

/** Parses the records of pax: `18 path=some/name\n`, where 18 is the length of the whole record. */
export function overridesIn(content: Buffer): TarOverrides {
  const found: Partial<Record<Override, Bytes>> = {};
  for (let at = 0; at < content.length; ) {
    let [start, end] = [at, 0];
    const isDigit = (byte = 0) => byte >= ZERO && byte <= ZERO + 9;
    for (; start < at + 9 && isDigit(content[start]); start++) end = 10 * end + (content[start] as number) - ZERO;
    end += at;
    if (content[start++] !== SPACE || end <= start || end > content.length) return found;
    const has = (key: string) => content[start + key.length] === EQUALS && start + key.length < end;
    // Perf: a header may have a hundred thousand tiny records, so only one of the right length becomes text.
    const key = OVERRIDES.find((name) => has(name) && content.toString('latin1', start, start + name.length) === name);
    // Cut where it is too long for a path, a value stays too long, and the entry is left out.
    if (key !== undefined) found[key] = bytesIn(content.subarray(start + key.length + 1, end - 1), LONGEST_PATH + 1);
    at = end;
  }
  return found;
}

/** Cuts a text at its first NUL. */
export function endOfText(bytes: Bytes): Bytes {
  const end = bytes.indexOf('\0');
  return end < 0 ? bytes : (bytes.slice(0, end) as Bytes);
}

function overridden(text: Bytes | undefined): number | null {
  const number = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : null;
}

/** POSIX splits a long path in two. GNU tar uses the second field for something else. */
function ownPath(block: Buffer): Bytes {
  const path = textAt(block, 0, 100);
  const prefix = textAt(block, 257, 6) === 'ustar' ? textAt(block, 345, 155) : '';
  return prefix === '' ? path : (`${prefix}/${path}` as Bytes);
}

function textAt(block: Buffer, at: number, length: number): Bytes {
  return endOfText(block.toString('latin1', at, at + length) as Bytes);
}

const ZERO = 0x30;
const EQUALS = 0x3d;

/** Reads octal digits or, for a large number, its bytes. */
function numberIn(block: Buffer, at: number, length: number): number {
  const first = block[at] as number;
  if ((first & 0x80) === 0) return Number.parseInt(textAt(block, at, length), 8) || 0;
  // The sign is the bit after the marker bit.
  let value = (first & 0x7f) - ((first & 0x40) << 1);
  for (const byte of block.subarray(at + 1, at + length)) value = value * 256 + byte;
  return value;
}

/** The checksum is the sum of all bytes, with its own counted as spaces. Some old programs summed signed bytes. */
function hasChecksum(block: Buffer): boolean {
  const own = numberIn(block, 148, 8);
  let [sum, signed] = [8 * 32, 8 * 32];
  for (let i = 0; i < BLOCK; i++) {
    if (i >= 148 && i < 156) continue;
    const byte = block[i] as number;
    sum += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  return own === sum || own === signed;
}
