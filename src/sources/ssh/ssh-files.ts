/** Reads OpenSSH's known hosts and the user's keys. Nothing else in `~/.ssh` is read, least of all its `config`. */
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The largest file that is read, in bytes. */
const LARGEST = 16 * 1024 * 1024;

/** In OpenSSH's order. Keys on hardware tokens need an agent. */
const IDENTITIES = ['id_rsa', 'id_ecdsa', 'id_ed25519'];

function folder(): string {
  return join(homedir(), '.ssh');
}

export function knownHostsText(): string {
  const files = [join(folder(), 'known_hosts'), join(folder(), 'known_hosts2'), '/etc/ssh/ssh_known_hosts'];
  return files.map((file) => contentOf(file)?.toString('utf8') ?? '').join('\n');
}

/** Returns the private keys that OpenSSH tries by default: the name and the content of each file. */
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
