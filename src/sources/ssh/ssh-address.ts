/** Parses an address on another machine: `ssh://[USER@]HOST[:PORT]/PATH`, as OpenSSH's own programs write it. */
import { bytesOf } from '../../names/bytes.ts';
import { ListingError } from '../../workspace/listing-error.ts';
import { SSH_PORT } from './known-hosts.ts';

export type SshAddress = ReturnType<typeof parseSshAddress>;

const FORM = 'ssh://[USER@]HOST[:PORT]/PATH';
/** USER, HOST or [IPv6], PORT, PATH; a character such as `@` in USER is percent-encoded. */
const ADDRESS = /^ssh:\/\/(?:([^@/]*)@)?(?:\[([0-9A-Fa-f:.%]+)\]|([^@:/[\]]+))(?::(\d*))?(\/[\s\S]*)?$/;

/** USER is null if the address names none. PATH is as written: '' is the user's home there, and so is a leading `~`. */
export function parseSshAddress(text: string) {
  const [, login, address, name, port, path] = ADDRESS.exec(text) ?? [];
  const host = address ?? name;
  if (login?.includes(':')) {
    throw new ListingError('malformed', `passwords are not accepted in ${FORM}; use a key or an agent`);
  }
  const number = port === undefined || port === '' ? SSH_PORT : Number(port);
  // Every program would take a host that begins with a dash for an option.
  if (host === undefined || number < 1 || number > 65535 || host.startsWith('-')) {
    // The address is not repeated in the error: it could contain a password.
    throw new ListingError('malformed', `an address of another machine is ${FORM}`);
  }
  const place = (path ?? '').replace(/^\/(?=~(?:\/|$))/, '');
  return { user: login ? decoded(login) : null, host, port: number, path: bytesOf(place) };
}

function decoded(login: string): string {
  try {
    return decodeURIComponent(login);
  } catch {
    return login;
  }
}
