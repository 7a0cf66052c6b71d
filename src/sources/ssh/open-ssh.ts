/** Opens `ssh://[USER@]HOST[:PORT]/PATH` through ssh2, which is loaded only here. */
import type { Bytes } from '../../names/bytes.ts';
import { shown } from '../../names/quote.ts';
import { fromSystem, ListingError } from '../../workspace/listing-error.ts';
import { type Open, optionalPackage } from '../asking.ts';
import { asyncSource } from '../loading/async-source.ts';
import { parseSshAddress } from './ssh-address.ts';
import { sshConnection } from './ssh-connection.ts';
import { sshTree } from './ssh-tree.ts';

export const open: Open = async (address, { maxAge, signal }) => {
  const parsed = parseSshAddress(address);
  const { path, host } = parsed;
  const ssh2 = await optionalPackage('ssh2', async () => (await import('ssh2')).default);
  const connection = sshConnection(ssh2, parsed);
  try {
    // Without links, and absolute.
    const root = await connection.ask(async (session) => {
      const home = path.startsWith('~') ? path.slice(1).replace(/^\//, '') : path;
      const real = await session.realPath((home === '' ? '.' : home) as Bytes);
      const { type } = await session.describe(real);
      if (type !== 'dir') throw new ListingError('not-a-directory', 'not a directory');
      return real;
    }, signal);
    const given = path.startsWith('/') ? path : root;
    return asyncSource(sshTree(connection, root, given === root ? [] : [given]), { maxAge });
  } catch (error) {
    connection.close();
    const failure = fromSystem(error, null);
    const place = `'${shown(path)}' on ${host}`;
    if (failure.kind === 'missing') throw new ListingError('missing', `${place} does not exist`);
    if (failure.kind === 'not-a-directory') throw new ListingError(failure.kind, `${place} is not a directory`);
    if (failure.kind === 'denied') throw new ListingError('denied', `this user has no permission to read ${place}`);
    throw failure;
  }
};
