/** Opens `ssh://[USER@]HOST[:PORT]/PATH` through ssh2, which is loaded only here. */
import type { Bytes } from '../../names/bytes.ts';
import { shown } from '../../names/quote.ts';
import { fromSystem, ListingError } from '../../workspace/listing-error.ts';
import { type Open, optionalPackage } from '../asking.ts';
import { asyncSource } from '../loading/async-source.ts';
import { parseSshAddress, type SshAddress } from './ssh-address.ts';
import { type SshConnection, sshConnection } from './ssh-connection.ts';
import { sshTree } from './ssh-tree.ts';

export const open: Open = async (address, { maxAge, signal }) => {
  const parsed = parseSshAddress(address);
  const ssh2 = await optionalPackage('ssh2', async () => (await import('ssh2')).default);
  const connection = sshConnection(ssh2, parsed);
  try {
    const root = await realRoot(connection, parsed, signal);
    const given = parsed.path.startsWith('/') ? parsed.path : root;
    return asyncSource(sshTree(connection, root, given === root ? [] : [given]), { maxAge });
  } catch (error) {
    connection.close();
    const failure = fromSystem(error, null);
    const place = `'${shown(parsed.path)}' on ${parsed.host}`;
    if (failure.kind === 'missing') throw new ListingError('missing', `${place} does not exist`);
    if (failure.kind === 'not-a-directory') throw new ListingError(failure.kind, `${place} is not a directory`);
    if (failure.kind === 'denied') throw new ListingError('denied', `this user has no permission to read ${place}`);
    throw failure;
  }
};

/** Resolves the path of an address to an absolute path without links. */
async function realRoot(connection: SshConnection, { path }: SshAddress, signal: AbortSignal): Promise<Bytes> {
  return connection.ask(async (session) => {
    const home = path.startsWith('~') ? path.slice(1).replace(/^\//, '') : path;
    const root = await session.realPath((home === '' ? '.' : home) as Bytes);
    const { type } = await session.describe(root);
    if (type !== 'dir') throw new ListingError('not-a-directory', 'not a directory');
    return root;
  }, signal);
}
