/**
 * Opens `s3://BUCKET/PREFIX`, as the `aws` command writes it, through the AWS SDK.
 *
 * A bucket, or the keys with a prefix in it, is a tree: a directory exists while some key begins with it. One level is
 * requested with a delimiter, a whole tree without one: a thousand keys for each request, however they are spread.
 */
import { type Bytes, below, bytesOf } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { codedError, ListingError } from '../../workspace/listing-error.ts';
import { type Open, optionalPackage, unlessMissing } from '../asking.ts';
import { asyncSource } from '../loading/async-source.ts';
import type { AsyncEntry, AsyncTree, WalkOptions } from '../loading/async-tree.ts';
import { openBucket, type S3Bucket } from './s3-client.ts';
import { keyOfPath, pathOfKey } from './s3-keys.ts';
import type { PageStart, S3Object, S3Page } from './s3-page.ts';

const CONCURRENCY = 16;
/** The most first pages that are kept during a call. */
const MAX_PAGES = 64;
const GIT = '.git';

/** Appended to a prefix, this sorts after every key with that prefix. */
const LAST = bytesOf('\u{10ffff}');

/** Buckets of the class Express One Zone, whose names end like this, list their keys in no order. */
const UNORDERED = /--x-s3$/;

/** `root` is the prefix of all keys: '', or with a trailing slash. */
function s3Tree(bucket: S3Bucket, root: Bytes, realPath: Bytes): AsyncTree {
  /** The first page of a level shows whether the directory exists, and is kept for listing it, by the call's signal. */
  const firstPages = new WeakMap<AbortSignal, Map<Bytes, Promise<S3Page>>>();
  const keyOf = (path: RootPath) => (root + keyOfPath(path)) as Bytes;
  const prefixOf = (path: RootPath) => (path === '' ? root : (`${keyOf(path)}/` as Bytes));

  function pagesOf(signal: AbortSignal): Map<Bytes, Promise<S3Page>> {
    const pages = firstPages.get(signal) ?? new Map();
    firstPages.set(signal, pages);
    return pages;
  }

  function firstPage(prefix: Bytes, signal: AbortSignal): Promise<S3Page> {
    const pages = pagesOf(signal);
    let page = pages.get(prefix);
    if (page === undefined) {
      page = bucket.page(prefix, true, null, signal);
      pages.set(prefix, page);
      if (pages.size > MAX_PAGES) pages.delete(pages.keys().next().value as Bytes);
      page.catch(() => pages.delete(prefix));
    }
    return page;
  }

  /** Finds the directory of a name, or else the object. */
  async function find(directory: RootPath, name: Bytes, signal: AbortSignal): Promise<AsyncEntry | null> {
    if (name === '.') return { name, type: 'dir' };
    const path = below(directory, name);
    const [prefix, key, above] = [prefixOf(path), keyOf(path), prefixOf(directory)];
    // The first page of the level above, if it was requested during the call.
    const known = await pagesOf(signal).get(above);
    if (known?.prefixes.includes(prefix)) return { name, type: 'dir' };
    if (known?.next === null) return foundIn(known, key, name);
    // Rule files and git's own files are rarely there: one page covers all of them.
    const dotted = name.startsWith(GIT) ? await firstPage((above + GIT) as Bytes, signal) : null;
    if (dotted?.prefixes.includes(prefix)) return { name, type: 'dir' };
    if (dotted?.next === null) return foundIn(dotted, key, name);
    if (!isEmpty(await firstPage(prefix, signal))) return { name, type: 'dir' };
    pagesOf(signal).delete(prefix);
    return entryOf(await bucket.head(key, signal), name);
  }

  async function* walk(path: RootPath, { signal, levels }: WalkOptions): AsyncGenerator<readonly AsyncEntry[]> {
    const prefix = prefixOf(path);
    const ask = (start: PageStart | null) => bucket.page(prefix, false, start, signal);
    const first = await ask(null);
    if (isEmpty(first) && prefix !== '') throw missing();
    yield walkedIn(first, prefix, levels);
    const next = (page: S3Page) => behind(page, prefix, levels);
    for await (const page of ahead(ask, first, next)) yield walkedIn(page, prefix, levels);
  }

  return {
    realPath,
    listsDetails: true,
    concurrency: CONCURRENCY,
    ...(UNORDERED.test(bucket.name) ? {} : { walk }),
    async *list(path, { signal }) {
      const prefix = prefixOf(path);
      const first = await firstPage(prefix, signal);
      pagesOf(signal).delete(prefix);
      if (isEmpty(first) && prefix !== '') throw missing();
      yield entriesIn(first, prefix);
      const ask = (start: PageStart) => bucket.page(prefix, true, start, signal);
      for await (const page of ahead(ask, first, ({ next }) => next)) yield entriesIn(page, prefix);
    },
    // Some names cannot occur in any key, and count as missing.
    describe: (path, names, { signal }) => Promise.all(names.map((name) => unlessMissing(find(path, name, signal)))),
    readFile: async (path, largest, { signal }) => bucket.read(keyOf(path), largest + 1, signal),
    close: () => bucket.close(),
  };
}

/** Yields all pages after the first. Each is requested before the previous one is used, so that the two overlap. */
async function* ahead(
  ask: (start: PageStart) => Promise<S3Page>,
  first: S3Page,
  nextOf: (page: S3Page) => PageStart | null,
): AsyncGenerator<S3Page> {
  const begin = (page: S3Page) => {
    const next = nextOf(page);
    if (next === null) return null;
    const coming = ask(next);
    coming.catch(() => {});
    return coming;
  };
  for (let coming = begin(first); coming !== null; ) {
    const page = await coming;
    coming = begin(page);
    yield page;
  }
}

/** Returns where a walk continues: keys below the requested depth are skipped. */
function behind({ objects, next }: S3Page, prefix: Bytes, levels: number): PageStart | null {
  const last = objects.at(-1);
  const closed = next === null || last === undefined ? null : closedDirectory(last.key, prefix, levels);
  return closed === null ? next : { after: (closed + LAST) as Bytes };
}

/** Returns the directory above a key that a walk of `levels` levels does not open, with its slash; null if none. */
function closedDirectory(key: Bytes, prefix: Bytes, levels: number): Bytes | null {
  if (levels === Number.POSITIVE_INFINITY) return null;
  let slash = prefix.length - 1;
  for (let i = 0; i < levels; i++) {
    slash = key.indexOf('/', slash + 1);
    if (slash < 0) return null;
  }
  return key.slice(0, slash + 1) as Bytes;
}

/** Returns the entries of one level. Objects and directories come in two lists, each in order. */
function entriesIn({ objects, prefixes }: S3Page, prefix: Bytes): AsyncEntry[] {
  const directories = prefixes.map((inner) => ({
    name: pathOfKey(inner.slice(prefix.length, -1) as Bytes),
    type: 'dir' as const,
  }));
  // A key that equals the prefix marks a directory that may be empty.
  const inside = objects.filter(({ key }) => key.length > prefix.length);
  const files = inside.map((object) => walked(object, prefix));
  return directories.length === 0 ? files : [...directories, ...files];
}

function walkedIn({ objects }: S3Page, prefix: Bytes, levels: number): AsyncEntry[] {
  const entries: AsyncEntry[] = [];
  let closed: Bytes | null = null;
  for (const object of objects) {
    if (object.key.length === prefix.length || (closed !== null && object.key.startsWith(closed))) continue;
    closed = closedDirectory(object.key, prefix, levels);
    entries.push(walked(closed === null ? object : { ...object, key: closed }, prefix));
  }
  return entries;
}

function walked({ key, size, modified }: S3Object, prefix: Bytes): AsyncEntry {
  const isDirectory = key.endsWith('/');
  const path = pathOfKey(key.slice(prefix.length, isDirectory ? -1 : undefined) as Bytes);
  return isDirectory ? { name: path, type: 'dir' } : { name: path, type: 'file', size, modified };
}

function foundIn({ objects }: S3Page, key: Bytes, name: Bytes): AsyncEntry | null {
  return entryOf(objects.find((object) => object.key === key) ?? null, name);
}

function entryOf(object: S3Object | null, name: Bytes): AsyncEntry | null {
  return object === null ? null : { name, type: 'file', size: object.size, modified: object.modified };
}

const isEmpty = ({ objects, prefixes }: S3Page): boolean => objects.length + prefixes.length === 0;

function missing(): Error {
  return codedError('ENOENT', 'no such directory');
}

export const open: Open = async (address, { maxAge, signal }) => {
  const { name, prefix } = parseAddress(address);
  const sdk = await optionalPackage('@aws-sdk/client-s3', () => import('@aws-sdk/client-s3'));
  const bucket = await openBucket(name, sdk);
  try {
    if (isEmpty(await bucket.page(prefix, true, null, signal)) && prefix !== '')
      throw new ListingError('missing', `no key begins with this prefix; s3://${name} shows what the bucket holds`);
  } catch (error) {
    bucket.close();
    throw error;
  }
  const inner = prefix === '' ? '' : `/${pathOfKey(prefix.slice(0, -1) as Bytes)}`;
  return asyncSource(s3Tree(bucket, prefix, `/${name.replaceAll('/', ':')}${inner}` as Bytes), { maxAge });
};

/** An access point is named by an ARN, which may contain slashes; the key follows it. */
const ADDRESS =
  /^s3:\/\/(arn:[a-z-]+:s3[a-z-]*:[a-z0-9-]*:\d*:accesspoint[:/][a-z0-9.-]+|[a-zA-Z0-9][a-zA-Z0-9._-]*)(?:\/([\s\S]*))?$/;

/** Returns the name of the bucket and the prefix of all keys, which is '' or ends with a slash. */
function parseAddress(text: string): { readonly name: string; readonly prefix: Bytes } {
  const [, name, path = ''] = ADDRESS.exec(text) ?? [];
  // The address is not repeated in the error: it could contain a secret.
  if (name === undefined) throw new ListingError('malformed', 'an address in an object store is s3://BUCKET/PREFIX');
  if (!path.isWellFormed()) throw new ListingError('malformed', 'a prefix of keys has to be valid Unicode');
  return { name, prefix: bytesOf(path === '' || path.endsWith('/') ? path : `${path}/`) };
}
