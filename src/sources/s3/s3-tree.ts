/**
 * A bucket, or what begins with a prefix in it, as a tree: a slash ends a directory's name, and a directory exists while
 * some key begins with it. One level is asked with a delimiter; a whole tree without, which is a thousand keys for each
 * request, however they are spread.
 */
import { type Bytes, below } from '../../workspace/bytes.ts';
import type { AskOptions, AsyncEntry, AsyncTree } from '../../workspace/loading/async-tree.ts';
import type { RootPath } from '../../workspace/paths.ts';
import type { S3Bucket, S3Object, S3Page } from './s3-client.ts';
import { keyOfPath, pathOfKey } from './s3-keys.ts';

/** Requests that are under way at a time. */
const CONCURRENCY = 16;

/** Buckets of the class Express One Zone, which end like this, give their keys in no order. */
const UNORDERED = /--x-s3$/;

export class S3Tree implements AsyncTree {
  readonly realPath: Bytes;
  readonly aliases: readonly Bytes[];
  readonly listsDetails = true;
  readonly concurrency = CONCURRENCY;
  readonly walk?: NonNullable<AsyncTree['walk']>;
  readonly #bucket: S3Bucket;
  /** What all keys begin with: '', or with a slash at its end. */
  readonly #prefix: Bytes;
  /**
   * The first pages of levels that were asked for during a call, which its signal stands for: whether a directory exists
   * is seen by its first page, so that the page is there when the directory is listed.
   */
  readonly #firstPages = new WeakMap<AbortSignal, Map<Bytes, Promise<S3Page>>>();

  constructor(bucket: S3Bucket, prefix: Bytes, realPath: Bytes, aliases: readonly Bytes[]) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.realPath = realPath;
    this.aliases = aliases;
    if (!UNORDERED.test(bucket.name)) this.walk = (path, options) => this.#walk(path, options);
  }

  async *list(path: RootPath, { signal }: AskOptions): AsyncGenerator<readonly AsyncEntry[]> {
    const prefix = this.#prefixOf(path);
    const first = await this.#firstPage(prefix, signal);
    this.#pagesOf(signal).delete(prefix);
    if (isEmpty(first) && prefix !== '') throw missing();
    yield entriesIn(first, prefix);
    yield* ahead(
      first,
      (next) => this.#bucket.page(prefix, true, next, signal),
      (page) => entriesIn(page, prefix),
    );
  }

  async *#walk(path: RootPath, { signal }: AskOptions): AsyncGenerator<readonly AsyncEntry[]> {
    const prefix = this.#prefixOf(path);
    const first = await this.#bucket.page(prefix, false, null, signal);
    if (isEmpty(first) && prefix !== '') throw missing();
    yield walkedIn(first, prefix);
    yield* ahead(
      first,
      (next) => this.#bucket.page(prefix, false, next, signal),
      (page) => walkedIn(page, prefix),
    );
  }

  async describe(path: RootPath, names: readonly Bytes[], { signal }: AskOptions): Promise<(AsyncEntry | null)[]> {
    return Promise.all(names.map((name) => this.#find(path, name, signal)));
  }

  async readFile(path: RootPath, largest: number, { signal }: AskOptions): Promise<Uint8Array | null> {
    return this.#bucket.read(this.#keyOf(path), largest + 1, signal);
  }

  close(): void {
    this.#bucket.close();
  }

  /** The directory of a name, or else the object. */
  async #find(directory: RootPath, name: Bytes, signal: AbortSignal): Promise<AsyncEntry | null> {
    if (name === '.') return { name, type: 'dir' };
    const path = below(directory, name);
    const above = await this.#pagesOf(signal).get(this.#prefixOf(directory));
    const prefix = this.#prefixOf(path);
    if (above?.prefixes.includes(prefix)) return { name, type: 'dir' };
    const key = this.#keyOf(path);
    if (above?.next === null) return entryOf(above.objects.find((object) => object.key === key) ?? null, name);
    if (!isEmpty(await this.#firstPage(prefix, signal))) return { name, type: 'dir' };
    this.#pagesOf(signal).delete(prefix);
    return entryOf(await this.#bucket.head(key, signal), name);
  }

  #firstPage(prefix: Bytes, signal: AbortSignal): Promise<S3Page> {
    const pages = this.#pagesOf(signal);
    let page = pages.get(prefix);
    if (page === undefined) {
      page = this.#bucket.page(prefix, true, null, signal);
      pages.set(prefix, page);
      page.catch(() => pages.delete(prefix));
    }
    return page;
  }

  #pagesOf(signal: AbortSignal): Map<Bytes, Promise<S3Page>> {
    let pages = this.#firstPages.get(signal);
    if (pages === undefined) {
      pages = new Map();
      this.#firstPages.set(signal, pages);
    }
    return pages;
  }

  #keyOf(path: RootPath): Bytes {
    return (this.#prefix + keyOfPath(path)) as Bytes;
  }

  #prefixOf(path: RootPath): Bytes {
    return path === '' ? this.#prefix : (`${this.#keyOf(path)}/` as Bytes);
  }
}

/** All pages behind the first. The next is asked for before this one is used, so that nobody waits for the other. */
async function* ahead<T>(
  first: S3Page,
  ask: (next: string) => Promise<S3Page>,
  use: (page: S3Page) => T,
): AsyncGenerator<T> {
  let coming = first.next === null ? null : ask(first.next);
  coming?.catch(() => {});
  while (coming !== null) {
    const page = await coming;
    coming = page.next === null ? null : ask(page.next);
    coming?.catch(() => {});
    yield use(page);
  }
}

/** The entries of one level: objects and directories come in two lists, each in order. */
function entriesIn({ objects, prefixes }: S3Page, prefix: Bytes): AsyncEntry[] {
  const directories = prefixes.map((inner) => ({
    name: pathOfKey(inner.slice(prefix.length, -1) as Bytes),
    type: 'dir' as const,
  }));
  // The key that is the prefix itself marks a directory that may be empty.
  const inside = objects.filter(({ key }) => key.length > prefix.length);
  const files = inside.map((object) => walked(object, prefix));
  return directories.length === 0 ? files : [...directories, ...files];
}

function walkedIn({ objects }: S3Page, prefix: Bytes): AsyncEntry[] {
  return objects.filter(({ key }) => key.length > prefix.length).map((object) => walked(object, prefix));
}

function walked({ key, size, modified }: S3Object, prefix: Bytes): AsyncEntry {
  const isDirectory = key.endsWith('/');
  const path = pathOfKey(key.slice(prefix.length, isDirectory ? -1 : undefined) as Bytes);
  return isDirectory ? { name: path, type: 'dir' } : { name: path, type: 'file', size, modified };
}

function entryOf(object: S3Object | null, name: Bytes): AsyncEntry | null {
  return object === null ? null : { name, type: 'file', size: object.size, modified: object.modified };
}

function isEmpty({ objects, prefixes }: S3Page): boolean {
  return objects.length + prefixes.length === 0;
}

function missing(): Error {
  return Object.assign(new Error('no such directory'), { code: 'ENOENT' });
}
