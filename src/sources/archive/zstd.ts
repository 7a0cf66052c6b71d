/** Decompresses Zstandard with Node's own implementation, if it has one (22.15 and newer), or else with fzstd. */
import { Transform } from 'node:stream';
import zlib from 'node:zlib';
import { optionalPackage } from '../open.ts';

export async function zstdDecompressor(): Promise<Transform> {
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform };
  if (createZstdDecompress !== undefined) return createZstdDecompress();
  const { Decompress } = await optionalPackage('fzstd', () => import('fzstd'));
  let output: Transform;
  const inflate = new Decompress((chunk) => output.push(chunk));
  output = new Transform({
    transform(chunk: Buffer, _, done) {
      attempt(() => inflate.push(chunk), done);
    },
    flush(done) {
      attempt(() => inflate.push(new Uint8Array(0), true), done);
    },
  });
  return output;
}

function attempt(act: () => void, done: (error?: Error | null) => void): void {
  try {
    act();
    done();
  } catch (error) {
    done(error as Error);
  }
}
