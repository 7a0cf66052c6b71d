/** What OpenSSH keeps for a user: known hosts and keys. Nothing else of `~/.ssh` is read, its `config` least of all. */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Bytes of a file that is read. */
const LARGEST = 16 * 1024 * 1024;

/** In OpenSSH's order; those for hardware tokens need an agent. */
const IDENTITIES = ['id_rsa', 'id_ecdsa', 'id_ed25519'];

function folder(): string {
  return join(homedir(), '.ssh');
}

/** The lines of all files of known hosts. */
export function knownHostsText(): string {
  const files = [join(folder(), 'known_hosts'), join(folder(), 'known_hosts2'), '/etc/ssh/ssh_known_hosts'];
  return files.map((file) => contentOf(file)?.toString('utf8') ?? '').join('\n');
}

/** The private keys that OpenSSH tries by itself: the name of each, and what is in its file. */
export function identities(): { readonly name: string; readonly key: Buffer }[] {
  return IDENTITIES.flatMap((name) => {
    const key = contentOf(join(folder(), name));
    return key === null ? [] : [{ name: `~/.ssh/${name}`, key }];
  });
}

function contentOf(file: string): Buffer | null {
  try {
    const { size } = statSync(file);
    return size <= LARGEST ? readFileSync(file) : null;
  } catch {
    return null;
  }
}
