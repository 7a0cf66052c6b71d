/** A connection, opened when needed. The host must be known, and a key suffice: nobody can be asked for a password. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { userInfo } from 'node:os';
import type { Client, ConnectConfig, PublicKeyAuthMethod } from 'ssh2';
import { codedError, codedFailure, ListingError, systemCode } from '../../workspace/listing-error.ts';
import type { KeyVerdict, KnownKey } from './known-hosts.ts';
import { fingerprintOf, identities, judgeKey, knownHostsText, knownKeys, SSH_PORT } from './known-hosts.ts';
import { openSession, type SftpSession } from './sftp.ts';
import type { SshAddress } from './ssh-address.ts';

type Ssh2 = Pick<typeof import('ssh2'), 'Client' | 'utils'>;

/** Milliseconds within which a connection must be established. A call that has less time does not wait that long. */
const PATIENCE = 20_000;
/** Milliseconds of silence while requests are pending, after which a connection is not used again. */
const SILENCE = 5_000;

export type SshConnection = ReturnType<typeof sshConnection>;

export function sshConnection(ssh2: Ssh2, { host, port, user }: SshAddress) {
  let current: Promise<SftpSession> | null = null;
  let client: Client | null = null;
  let isClosed = false;
  /** The signals, one per call, that have a listener. */
  const watched = new WeakSet<AbortSignal>();

  function session(): Promise<SftpSession> {
    if (current === null) {
      const opening = open();
      current = opening;
      const forget = () => {
        if (current === opening) current = null;
      };
      opening.then((opened) => opened.whenEnded(forget), forget);
    }
    return current;
  }

  function endIfSilent(): void {
    const reason = codedError('ETIMEDOUT', 'the machine does not answer any more');
    current?.then((opened) => opened.silence > SILENCE && opened.end(reason)).catch(() => {});
  }

  async function open(): Promise<SftpSession> {
    const socket = await connected(host, port);
    const own = new ssh2.Client();
    client = own;
    try {
      await login(own, socket);
      const channel = await new Promise<import('ssh2').ClientChannel>((resolve, reject) => {
        own.subsys('sftp', (error, found) => (error ? reject(new ListingError('failed', NO_SFTP)) : resolve(found)));
      });
      // The connection keeps the process alive only while requests are pending.
      const opened = await openSession(channel, (isIdle) => (isIdle ? socket.unref() : socket.ref()));
      opened.whenEnded(() => own.destroy());
      if (isClosed) opened.end(codedError('ECONNABORTED', 'the workspace is closed'));
      return opened;
    } catch (error) {
      own.destroy();
      socket.destroy();
      throw error;
    }
  }

  function login(own: Client, sock: Socket): Promise<void> {
    const known = knownKeys(knownHostsText(), host, port);
    const username = user ?? userInfo().username;
    const keys = keysOf(ssh2, username);
    const { SSH_AUTH_SOCK: agent } = process.env;
    const agents = agent ? [{ type: 'agent', username, agent }] : [];
    let refused: ListingError | null = null;
    const config: ConnectConfig = {
      sock,
      username,
      readyTimeout: PATIENCE,
      hostVerifier: (key: Buffer) => {
        const verdict = judgeKey(known, key);
        if (verdict !== 'known') refused = new ListingError('failed', whyNot(verdict, key, host, port));
        return verdict === 'known';
      },
      authHandler: [...agents, ...keys.usable] as NonNullable<ConnectConfig['authHandler']> & unknown[],
      ...preferring(known),
    };
    return new Promise((resolve, reject) => {
      own.once('ready', resolve);
      own.on('error', (error: Error & { level?: string }) =>
        reject(refused ?? failureOf(error, host, username, keys.encrypted)),
      );
      own.once('close', () =>
        reject(refused ?? new ListingError('failed', `${host} closed the connection before the login was done`)),
      );
      own.connect(config);
    });
  }

  return {
    /** Sends a request. If the call is aborted after a long silence, the connection is dropped. */
    async ask<T>(question: (session: SftpSession) => Promise<T>, signal: AbortSignal): Promise<T> {
      if (!watched.has(signal)) {
        watched.add(signal);
        signal.addEventListener('abort', endIfSilent, { once: true });
      }
      return question(await session());
    },
    close(): void {
      isClosed = true;
      client?.destroy();
      client = null;
    },
  };
}

/** Returns the user's keys, and the names of those that cannot be used without their passphrase. */
function keysOf(ssh2: Ssh2, username: string): { usable: PublicKeyAuthMethod[]; encrypted: string[] } {
  const usable: PublicKeyAuthMethod[] = [];
  const encrypted: string[] = [];
  for (const { name, key } of identities()) {
    const parsed = ssh2.utils.parseKey(key);
    if (parsed instanceof Error) encrypted.push(name);
    else usable.push({ type: 'publickey', username, key: parsed });
  }
  return { usable, encrypted };
}

function whyNot(verdict: KeyVerdict, key: Buffer, host: string, port: number): string {
  const command = `ssh ${port === SSH_PORT ? '' : `-p ${port} `}${host}`;
  const seen = `it shows the key ${fingerprintOf(key)}`;
  if (verdict === 'revoked') return `the key of ${host} is revoked in known_hosts (${seen})`;
  if (verdict === 'changed') {
    return `the key of ${host} differs from the one in known_hosts, so it may be another machine (${seen}); find out why, then correct ~/.ssh/known_hosts`;
  }
  return `${host} is not a known host (${seen}); connect once with \`${command}\` and accept its key, or add it to ~/.ssh/known_hosts`;
}

function failureOf(error: Error & { level?: string }, host: string, username: string, encrypted: string[]): Error {
  const code = systemCode(error);
  if (error.level === 'client-authentication' || error.level === 'agent') {
    const names = encrypted.join(', ');
    const locked = names === '' ? '' : ` (${names} cannot be read; a key with a passphrase needs an agent)`;
    const tried = 'the agent at SSH_AUTH_SOCK and the keys id_rsa, id_ecdsa and id_ed25519 of ~/.ssh';
    return new ListingError('failed', `${host} accepts no key of '${username}'${locked}; agent-ls tries ${tried}`);
  }
  if (error.level === 'client-timeout') return codedError('ETIMEDOUT', 'timed out');
  if (code !== '') return unreachable(code, host);
  return new ListingError('failed', `${host} did not answer as an SSH server`);
}

const NO_SFTP = 'the machine does not offer SFTP; its sshd needs a line `Subsystem sftp internal-sftp`';

/** Prefers known types of keys: of its several keys, a server presents the one that is requested first. */
function preferring(known: readonly KnownKey[]): Pick<ConnectConfig, 'algorithms'> {
  const types = new Set(known.filter(({ isRevoked }) => !isRevoked).map(({ type }) => type));
  const isPreferred = (algorithm: string) => types.has(algorithm.startsWith('rsa-sha2-') ? 'ssh-rsa' : algorithm);
  const preferred = HOST_KEYS.filter(isPreferred);
  if (preferred.length === 0) return {};
  const serverHostKey = [...preferred, ...HOST_KEYS.filter((algorithm) => !isPreferred(algorithm))];
  return { algorithms: { serverHostKey } };
}

const HOST_KEYS = [
  ...(['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'] as const),
  ...(['rsa-sha2-512', 'rsa-sha2-256'] as const),
];

async function connected(host: string, port: number): Promise<Socket> {
  const socket = connect({ host, port, keepAlive: true, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE) });
  } catch (error) {
    socket.destroy();
    throw unreachable(systemCode(error) === 'ABORT_ERR' ? 'ETIMEDOUT' : systemCode(error), host);
  }
  socket.on('error', () => {});
  return socket;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'refuses the connection'],
  ['ENOTFOUND', 'cannot be found by that name'],
  ['EAI_AGAIN', 'cannot be found by that name'],
  ['ETIMEDOUT', 'does not answer'],
]);

function unreachable(code: string, host: string): Error {
  const reason = `${host} ${REASONS.get(code) ?? 'cannot be reached'} (${code})`;
  return codedFailure(code, `${reason}; check its name and port`);
}
