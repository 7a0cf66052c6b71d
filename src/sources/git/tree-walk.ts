/** Walks a tree of git by requesting hundreds of directories at a time, which is faster than starting `ls-tree`. */
import { type Bytes, below, DOT, SLASH, SPACE } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { codedError, codedFailure } from '../../workspace/listing-error.ts';
import { DIRECTORY as DIRECTORY_TYPE, FILE, LINK as LINK_TYPE } from '../../workspace/reader.ts';
import type { WalkedLevel } from '../loading/bulk-walk.ts';
import { LoadedEntries, LoadedLevel } from '../loading/loaded-level.ts';
import { isUsable, LevelBounds, LONGEST_NAME, shownForm } from '../loading/usable-names.ts';
import type { ObjectReader } from './object-reader.ts';

/** Directories per request, and requests in flight. */
const AT_A_TIME = 512;
const UNDER_WAY = 2;
/** The largest directory, in bytes, that is parsed at once. A larger one is listed, with pauses. */
const LARGEST_AT_ONCE = 1024 * 1024;
/** The most bytes that a walk takes, and those of a directory that is not read yet. What is beyond is listed. */
const MAX_BYTES = 96 * 1024 * 1024;
const BYTES_OF_BRANCH = 200;
const EXPECTED = 4096;

interface Branch {
  /** Relative to the start of the walk. */
  readonly path: Bytes;
  readonly id: string;
  readonly levels: number;
}

/** Receives links and names with a leading dot, such as rule files: these are likely to be looked up later. */
type Note = (path: Bytes, entry: TreeEntry) => void;

/** Yields directories as they arrive, in no particular order. One that cannot be read is left out. */
export async function* walkTree(
  objects: ObjectReader,
  idBytes: number,
  start: RootPath,
  top: Pick<Branch, 'id' | 'levels'>,
  signal: AbortSignal,
  note: Note,
): AsyncGenerator<readonly WalkedLevel[]> {
  const entries = new LoadedEntries(EXPECTED);
  /** Directories not yet requested. The last one is next, so that what is below a directory comes soon after it. */
  const waiting: Branch[] = [{ ...top, path: '' as Bytes }];
  const underWay = new Set<Promise<void>>();
  let found: WalkedLevel[] = [];
  let bytes = 0;
  while (waiting.length > 0 || underWay.size > 0) {
    while (waiting.length > 0 && underWay.size < UNDER_WAY) {
      const asking: Promise<void> = ask(waiting.splice(-AT_A_TIME).reverse()).finally(() => underWay.delete(asking));
      underWay.add(asking);
    }
    await Promise.race(underWay);
    const arrived = found;
    found = [];
    yield arrived;
    if (bytes > MAX_BYTES) throw new Error('too much for one walk');
  }

  function ask(branches: readonly Branch[]): Promise<void> {
    const ids = branches.map(({ id }) => id);
    let next = 0;
    return objects.contents(ids, signal, (object) => {
      const branch = branches[next++] as Branch;
      if (object?.type === 'tree' && !signal.aborted) take(branch, object.content);
    });
  }

  function take({ path, levels }: Branch, content: Buffer): void {
    if (content.length > LARGEST_AT_ONCE || bytes > MAX_BYTES) return;
    bytes += content.length;
    const level = new LoadedLevel(new LevelBounds(below(start, path)), entries);
    const inner: Branch[] = [];
    const cursor = new TreeCursor(content, idBytes);
    try {
      while (cursor.advance()) {
        if (!level.bounds.admits(cursor.end - cursor.start)) continue;
        const kind = cursor.mode & KIND;
        const isDirectory = kind === DIRECTORY;
        const isLikely = kind === LINK || content[cursor.start] === DOT;
        const name = isDirectory || isLikely ? cursor.name : null;
        if (!cursor.isUsable) {
          level.add({ name: shownForm(cursor.name), type: 'other' });
          continue;
        }
        const type = isDirectory || kind === SUBMODULE ? DIRECTORY_TYPE : kind === LINK ? LINK_TYPE : FILE;
        level.addName(content, cursor.start, cursor.end, type);
        if (name === null) continue;
        const { mode, id } = cursor;
        if (!isDirectory) note(below(path, name), { name, mode, id });
        else if (levels > 1) {
          inner.push({ path: below(path, name), id, levels: levels - 1 });
          bytes += BYTES_OF_BRANCH + path.length;
        }
      }
    } catch {
      // The object is truncated. Without its level the directory gets listed, and that reports the error.
      return;
    }
    found.push({ path, level });
    for (let i = inner.length - 1; i >= 0; i--) waiting.push(inner[i] as Branch);
  }
}

export interface TreeEntry {
  readonly name: Bytes;
  readonly mode: number;
  /** In hexadecimal. */
  readonly id: string;
}

export const DIRECTORY = 0o040000;
export const LINK = 0o120000;
export const SUBMODULE = 0o160000;
export const PLAIN = 0o100000;
/** The bits of a mode that hold one of these. */
export const KIND = 0o170000;

const ZERO = 0x30;
/** In digits. */
const LONGEST_MODE = 7;

/** Parses a tree object: a sequence of entries `MODE NAME \0 ID`. */
export class TreeCursor {
  readonly #content: Buffer;
  readonly #idBytes: number;
  mode = 0;
  /** The start of its name, and the position after it. */
  start = 0;
  end = 0;
  #hasSlash = false;
  #next = 0;

  constructor(content: Buffer, idBytes: number) {
    this.#content = content;
    this.#idBytes = idBytes;
  }

  advance(): boolean {
    const content = this.#content;
    const { length } = content;
    let at = this.#next;
    if (at === length) return false;
    let mode = 0;
    const modeEnd = Math.min(at + LONGEST_MODE, length);
    for (; at < modeEnd && content[at] !== SPACE; at++) mode = mode * 8 + (content[at] as number) - ZERO;
    if (content[at] !== SPACE) throw unreadable('EIO');
    this.mode = mode;
    this.start = at + 1;
    this.#hasSlash = false;
    const nameEnd = Math.min(this.start + LONGEST_NAME, length);
    for (at++; at < nameEnd && content[at] !== 0; at++) if (content[at] === SLASH) this.#hasSlash = true;
    this.end = content[at] === 0 ? at : content.indexOf(0, at);
    this.#next = this.end + 1 + this.#idBytes;
    if (this.end >= 0 && this.#next <= length) return true;
    throw unreadable('EIO');
  }

  /** The name, or the beginning of one that is too long: that is left out for its length. */
  get name(): Bytes {
    return this.#content.toString('latin1', this.start, Math.min(this.end, this.start + LONGEST_NAME + 1)) as Bytes;
  }

  /** True unless the name would lead elsewhere, as any name in a forged object may. */
  get isUsable(): boolean {
    return !this.#hasSlash && (this.end - this.start > 2 || isUsable(this.name));
  }

  get id(): string {
    return this.#content.toString('hex', this.end + 1, this.#next);
  }
}

export function unreadable(code: string): Error {
  return code === 'EIO' ? codedFailure(code, NOT_READ) : codedError(code, 'git cannot read it');
}

const NOT_READ =
  'git cannot read this directory (EIO); run git fsck there, and if the clone is partial or borrows objects, make it complete';
