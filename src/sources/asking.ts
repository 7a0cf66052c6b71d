/** What several sources do alike when they ask something that is elsewhere. */
import { textOf } from '../workspace/bytes.ts';
import { codedError, systemCode } from '../workspace/listing-error.ts';
import { namesOn, type RootPath } from '../workspace/paths.ts';

/** The absolute path of a place below a root, for what takes text. None leads to a name that is not valid UTF-8. */
export function textPath(root: string, path: RootPath): string {
  const names = namesOn(path).map(textOf);
  if (names.includes(null)) throw codedError('ENOENT', 'no such directory');
  return [root === '/' ? '' : root, ...names].join('/') || '/';
}

/** The answer; null where nothing is there. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** The first bytes of a stream; what comes behind them is not read. */
export async function firstBytes(stream: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    parts.push(part);
    length += part.length;
    if (length >= most) break;
  }
  return Buffer.concat(parts).subarray(0, most);
}
