/** Helpers shared by several sources that load from elsewhere. */
import { textOf } from '../names/bytes.ts';
import { namesOn, type RootPath } from '../names/paths.ts';
import { codedError, systemCode } from '../workspace/listing-error.ts';
import { Turns } from './loading/turns.ts';

/** Returns an absolute path as text. Throws ENOENT for a name that is not valid UTF-8, which no text can express. */
export function textPath(root: string, path: RootPath): string {
  const names = namesOn(path).map(textOf);
  if (names.includes(null)) throw codedError('ENOENT', 'no such directory');
  return [root === '/' ? '' : root, ...names].join('/') || '/';
}

/** Resolves to null if the answer is ENOENT. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Reads the first `most` bytes of a stream, and nothing after them. */
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

/** Some of them at a time, with a turn for others in between: however many there are, nobody waits for all. */
export async function* pagesOf<T>(entries: Iterable<T>, bytes: (entry: T) => number): AsyncGenerator<readonly T[]> {
  const turns = new Turns();
  let page: T[] = [];
  for (const entry of entries) {
    page.push(entry);
    const turn = turns.after(bytes(entry));
    if (turn === undefined) continue;
    yield page;
    page = [];
    await turn;
  }
  yield page;
}
