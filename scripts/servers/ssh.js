/**
 * A private SSH server: OpenSSH's `sshd` on 127.0.0.1, with SFTP only and its own keys.
 *
 *     const server = await startSsh();         // null if its programs are missing
 *     server.user, server.port, server.key, server.knownHosts
 *     await server.stop();
 *
 * If root starts it, it runs as `nobody`. A server without privileges needs neither an account of its own nor a folder
 * below /run, and tests can make directories unreadable for it.
 */
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { environmentIn, installed } from './packages.js';
import { freePorts, Processes } from './processes.js';

const NOBODY = 65534;

export async function startSsh() {
  const place = installed('ssh');
  if (place === null) return null;
  const [port] = await freePorts(1);
  const processes = new Processes(place.environment);
  try {
    return await start(processes, readableByAll(place.root, processes.folder), port);
  } catch (error) {
    await processes.stop();
    throw error;
  }
}

/** Copies the programs for `nobody`, who cannot read a cache in another user's home. */
function readableByAll(root, folder) {
  if (root === '/') return root;
  const copy = join(folder, 'programs');
  for (const name of ['usr/sbin', 'usr/lib', 'lib']) {
    cpSync(join(root, name), join(copy, name), { recursive: true, verbatimSymlinks: true });
  }
  return copy;
}

async function start(processes, root, port) {
  const isRoot = process.getuid?.() === 0;
  const { folder } = processes;
  chmodSync(folder, 0o755);
  const own = join(folder, 'server');
  mkdirSync(own);
  const hostKey = join(own, 'host');
  const key = join(folder, 'user');
  for (const file of [hostKey, key]) await processes.run('ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-f', file);
  const authorized = join(own, 'authorized');
  writeFileSync(authorized, readFileSync(`${key}.pub`), { mode: 0o644 });
  const file = join(own, 'sshd_config');
  writeFileSync(
    file,
    [
      [`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${hostKey}`, 'PidFile none'],
      [`AuthorizedKeysFile ${authorized}`, 'StrictModes no', 'PasswordAuthentication no', 'UsePAM yes'],
      ['Subsystem sftp internal-sftp', 'ForceCommand internal-sftp', 'MaxStartups 200', 'MaxSessions 200', ''],
    ]
      .flat()
      .join('\n'),
  );
  if (isRoot) for (const name of [own, hostKey, `${hostKey}.pub`, authorized, file]) chownSync(name, NOBODY, NOBODY);
  const privileges = isRoot ? [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  // sshd executes itself again for each connection, so it needs its absolute path.
  processes.start(join(root, 'usr/sbin/sshd'), ['-D', '-e', '-f', file], privileges, environmentIn(root));
  await processes.listening(port);
  const knownHosts = join(folder, 'known_hosts');
  const publicKey = readFileSync(`${hostKey}.pub`, 'utf8').split(' ').slice(0, 2).join(' ');
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${publicKey}\n`);
  return {
    port,
    user: isRoot ? 'nobody' : userInfo().username,
    /** The file of the private key. */
    key,
    knownHosts,
    publicKey,
    /** A folder for files of the tests, which is removed with the server. */
    folder,
    stop: () => processes.stop(),
  };
}
