/**
 * A directory on another machine, read through SFTP. Each request names a path, and the server follows the links in it.
 * So the real path is requested before and after a directory is opened, without waiting in between. If it differs from
 * the path itself, the path contains a link, and nothing is returned.
 */
import { type Bytes, below, lastNameOf, parentOf } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import { codedError, systemCode } from '../../workspace/listing-error.ts';
import { unlessMissing } from '../asking.ts';
import type { AsyncEntry, AsyncTree } from '../loading/async-tree.ts';
import { LONGEST_NAME } from '../loading/usable-names.ts';
import type { SftpSession } from './sftp.ts';
import type { NamedAttributes } from './sftp-packets.ts';
import type { SshConnection } from './ssh-connection.ts';

/** Requests in flight at a time: enough to make use of a round trip. */
const CONCURRENCY = 16;
/** Pages of a directory that are requested ahead: for most, and for a large one. */
const AHEAD = 2;
const FAR_AHEAD = 8;

const SELF: ReadonlySet<string> = new Set(['.', '..']);

/** `realPath` is the path on that machine, without links. */
export function sshTree(connection: SshConnection, realPath: Bytes, aliases: readonly Bytes[]) {
  const at = (path: RootPath) => (path === '' ? realPath : (`${realPath === '/' ? '' : realPath}/${path}` as Bytes));

  async function targetsOf(session: SftpSession, place: Bytes, names: readonly Bytes[]): Promise<(Bytes | null)[]> {
    if (names.length === 0) return [];
    return confined(session, place, () => names.map((name) => unlessMissing(session.readLink(below(place, name)))));
  }

  return {
    realPath,
    aliases,
    listsDetails: true,
    concurrency: CONCURRENCY,
    async *list(path, { signal }) {
      const place = at(path);
      const ask = <T>(question: (session: SftpSession) => Promise<T>) => connection.ask(question, signal);
      const { session, handle } = await ask(async (session) => ({
        session,
        handle: await openConfined(session, place, () => session.openDirectory(place)),
      }));
      const pages: Promise<NamedAttributes[] | null>[] = [];
      try {
        for (let given = 0; ; given++) {
          while (pages.length < (given < AHEAD ? AHEAD : FAR_AHEAD)) {
            const page = ask(() => session.readDirectory(handle));
            page.catch(() => {});
            pages.push(page);
          }
          const page = await pages.shift();
          if (page === null || page === undefined) return;
          yield page.filter(({ name }) => !SELF.has(name)).map(entryOf);
        }
      } finally {
        session.close(handle);
      }
    },
    async describe(path, names, { signal }) {
      const place = at(path);
      return connection.ask(async (session) => {
        const entries = await confined(session, place, () =>
          names.map((name) => described(session, name === '.' ? place : below(place, name), name)),
        );
        const links = entries.flatMap((entry) => (entry?.type === 'link' ? [entry.name] : []));
        const targets = await targetsOf(session, place, links);
        return entries.map((entry) => {
          if (entry?.type !== 'link') return entry;
          const target = targets.shift() ?? null;
          return target === null ? null : { ...entry, target };
        });
      }, signal);
    },
    async readLink(path, { signal }) {
      const [name, directory] = [lastNameOf(path), at(parentOf(path))];
      return connection.ask(async (session) => (await targetsOf(session, directory, [name]))[0] ?? null, signal);
    },
    async readFile(path, largest, { signal }) {
      const place = at(path);
      return connection.ask(async (session) => {
        const attributes = await unlessMissing(session.describe(place));
        // Opening a pipe could block for ever.
        if (attributes?.type !== 'file') return null;
        const handle = await openConfined(session, place, () => session.openFile(place));
        try {
          return await session.readFile(handle, largest + 1);
        } finally {
          session.close(handle);
        }
      }, signal);
    },
    close: () => connection.close(),
  } satisfies AsyncTree;
}

/** Opens a path and returns its handle, if the path contains no link. */
async function openConfined(session: SftpSession, place: Bytes, open: () => Promise<Buffer>): Promise<Buffer> {
  let opening: Promise<Buffer> | null = null;
  try {
    const [handle] = await confined(session, place, () => {
      opening = open();
      return [opening];
    });
    return handle as Buffer;
  } catch (error) {
    // It may have been opened nevertheless.
    (opening as Promise<Buffer> | null)?.then((handle) => session.close(handle)).catch(() => {});
    throw error;
  }
}

/** Returns the answers to some requests about a path, if it contains no link before and after them. */
async function confined<T>(session: SftpSession, place: Bytes, ask: () => Promise<T>[]): Promise<T[]> {
  const before = session.realPath(place);
  const asked = ask();
  const [first, last, ...answers] = await Promise.all([before, session.realPath(place), ...asked]);
  if (first === place && last === place) return answers;
  throw codedError('ENOENT', 'the path was replaced; call again');
}

async function described(session: SftpSession, place: Bytes, name: Bytes): Promise<AsyncEntry | null> {
  try {
    return entryOf({ name, ...(await session.describe(place)) });
  } catch (error) {
    const code = systemCode(error);
    // SFTP has no code for a name that is too long: OpenSSH reports a bad message, others a general failure.
    const isTooLong = name.length > LONGEST_NAME && (code === 'EINVAL' || code === 'EIO');
    if (code === 'ENOENT' || isTooLong) return null;
    throw error;
  }
}

/** Owners are left out: they are ids of that machine, and names from this one would be wrong. */
function entryOf({ name, type, size, mode, modified }: NamedAttributes): AsyncEntry {
  return { name, type: type ?? 'other', size, mode, modified };
}
