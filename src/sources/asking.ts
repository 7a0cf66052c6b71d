/** Helpers shared by several sources that load from elsewhere. */
import { textOf } from '../names/bytes.ts';
import { namesOn, type RootPath } from '../names/paths.ts';
import { codedError, ListingError, systemCode } from '../workspace/listing-error.ts';
import type { Source } from '../workspace/source.ts';

/** Returns an absolute path as text. Throws ENOENT for a name that is not valid UTF-8, which no text can express. */
export function textPath(root: string, path: RootPath): string {
  const names = namesOn(path).map(textOf);
  if (names.includes(null)) throw codedError('ENOENT', 'no such directory');
  return [root === '/' ? '' : root, ...names].join('/') || '/';
}

/** Resolves to null if the answer is ENOENT. */
export function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  return answer.catch((error) => {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  });
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

/** What is done between two pauses, in bytes: about a millisecond. Whatever its length, an entry counts as so many. */
const WORK = 256 * 1024;
const ENTRY = 64;

/** Lets others have a turn while many entries are read. Bytes count, because there may be few entries with long names. */
export class Turns {
  #work = 0;

  /** Counts an entry of so many bytes. Returns a promise to wait for if a pause is due. */
  after(bytes: number): Promise<void> | undefined {
    this.#work += ENTRY + bytes;
    if (this.#work < WORK) return undefined;
    this.#work = 0;
    return new Promise(setImmediate);
  }
}

/** Reads exact numbers of bytes from a stream. */
export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #chunk: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async isAtEnd(): Promise<boolean> {
    while (this.#chunk.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return true;
      this.#chunk = value;
    }
    return false;
  }

  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = length; left > 0; left -= parts.at(-1)?.length ?? 0) parts.push(await this.#some(left));
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
  }

  async skip(length: number): Promise<void> {
    for (let left = length; left > 0; ) left -= (await this.#some(left)).length;
  }

  async #some(most: number): Promise<Buffer> {
    if (await this.isAtEnd()) throw new Error('it ends in the middle');
    const some = this.#chunk.subarray(0, most);
    this.#chunk = this.#chunk.subarray(some.length);
    return some;
  }
}

export interface OpenOptions {
  /** Milliseconds for which later calls may reuse what was loaded; undefined for the default of the kind. */
  readonly maxAge: number | undefined;
  readonly git: boolean;
  /** Aborted when the root is no longer needed. */
  readonly signal: AbortSignal;
}

/** Opens the root that an address names; null if it is not an address after all. Rejects if there is no such root. */
export type Open = (address: string, options: OpenOptions) => Promise<Source | null>;

/** Loads a package that is not installed with agent-ls; the error says how to install it. */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new ListingError('failed', `this needs a package that is not installed: npm install ${name}`);
  }
}
