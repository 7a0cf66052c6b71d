/** Zstandard that was made to fill the memory. */
import { expect, it } from 'vitest';
import { zstdDecompressor } from '../../src/sources/archive/zstd.ts';

const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
const WINDOW_OF_2_MB = 0x58;
const WINDOW_OF_1_GB = 0xa0;

/** A frame of blocks, each of which is a zero so many times. */
function zeros(blocks: number, length: number, window = WINDOW_OF_2_MB): Buffer {
  const block = (isLast: boolean) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUIntLE((length << 3) | (1 << 1) | Number(isLast), 0, 3);
    return bytes;
  };
  const all = Array.from({ length: blocks }, (_, i) => block(i === blocks - 1));
  return Buffer.concat([MAGIC, Buffer.from([0, window]), ...all]);
}

async function unpacked(packed: Buffer): Promise<number> {
  const stream = await zstdDecompressor();
  stream.end(packed);
  let length = 0;
  for await (const chunk of stream) length += (chunk as Buffer).length;
  return length;
}

it('is unpacked as somebody takes it', async () => {
  const stream = await zstdDecompressor();
  const before = process.memoryUsage().arrayBuffers;
  // Two gigabytes in 64 KB.
  stream.end(zeros(16_384, 128 * 1024));
  for await (const _ of stream) break;
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
});

it('may have several frames, and some that are to be skipped', async () => {
  const skipped = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 5, 0, 0, 0, 1, 2, 3, 4, 5]);
  expect(await unpacked(Buffer.concat([zeros(3, 1000), skipped, zeros(2, 10)]))).toBe(3020);
});

it.each([
  ['a block that is larger than there can be', zeros(1, 2 ** 21 - 1)],
  ['a window of a gigabyte', zeros(1, 10, WINDOW_OF_1_GB)],
  ['an end in the middle', zeros(2, 10).subarray(0, -2)],
])('with %s is refused', async (_, packed) => {
  await expect(unpacked(packed)).rejects.toThrow();
});
