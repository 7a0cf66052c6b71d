/**
 * Finds the keys that a host may have in OpenSSH's `known_hosts` (sshd(8), "SSH_KNOWN_HOSTS FILE FORMAT").
 *
 *     example.org,192.0.2.7 ssh-ed25519 AAAA…      plain names and patterns (`*.example.org`, `!no.example.org`)
 *     [example.org]:2222 ssh-ed25519 AAAA…         a port other than 22
 *     |1|salt|hash ssh-ed25519 AAAA…               a hashed name
 *     @revoked * ssh-ed25519 AAAA…                 a key that no host may have
 *
 * Lines with `@cert-authority` are skipped: host certificates are not supported.
 */
import { createHash, createHmac } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { compileGlob, matchesGlob } from '../../git/wildmatch.ts';

/** The default port, which addresses and `known_hosts` leave out. */
export const SSH_PORT = 22;

export type KnownKey = ReturnType<typeof knownKeys>[number];

/** Returns the known keys of a host, in base64, as it sends them. `text` is that of all files together. */
export function knownKeys(text: string, host: string, port: number) {
  const name = port === SSH_PORT ? host.toLowerCase() : `[${host.toLowerCase()}]:${port}`;
  return text.split('\n').flatMap((line) => {
    const words = line.trim().split(/[ \t]+/);
    const mark = words[0]?.startsWith('@') ? words.shift() : null;
    const [hosts, type, key] = words;
    if (hosts === undefined || hosts.startsWith('#') || type === undefined || key === undefined) return [];
    if (mark !== null && mark !== '@revoked') return [];
    return isNamed(hosts, name) ? [{ type, key, isRevoked: mark === '@revoked' }] : [];
  });
}

export type KeyVerdict = 'known' | 'unknown' | 'changed' | 'revoked';

export function judgeKey(known: readonly KnownKey[], key: Buffer): KeyVerdict {
  const shown = key.toString('base64');
  const isShown = (one: KnownKey) => withoutPadding(one.key) === withoutPadding(shown);
  if (known.some((one) => one.isRevoked && isShown(one))) return 'revoked';
  if (known.some(isShown)) return 'known';
  return known.some(({ isRevoked }) => !isRevoked) ? 'changed' : 'unknown';
}

export function fingerprintOf(key: Buffer): string {
  return `SHA256:${withoutPadding(createHash('sha256').update(key).digest('base64'))}`;
}

const withoutPadding = (base64: string): string => base64.replace(/(?<!=)=+$/, '');

function isNamed(hosts: string, name: string): boolean {
  if (hosts.startsWith('|')) return isHashOf(hosts, name);
  const patterns = hosts.toLowerCase().split(',');
  /** Only `*` and `?` are special. */
  const isMatched = (pattern: string) => {
    const glob = compileGlob(pattern.replace(/[[\\]/g, '\\$&'), false);
    return glob !== null && matchesGlob(glob, name, { steps: 0 });
  };
  if (patterns.some((pattern) => pattern.startsWith('!') && isMatched(pattern.slice(1)))) return false;
  return patterns.some((pattern) => !pattern.startsWith('!') && isMatched(pattern));
}

function isHashOf(hashed: string, name: string): boolean {
  const [, version, salt, hash] = hashed.split('|');
  if (version !== '1' || salt === undefined || hash === undefined) return false;
  const actual = createHmac('sha1', Buffer.from(salt, 'base64')).update(name).digest('base64');
  return withoutPadding(actual) === withoutPadding(hash);
}

const LARGEST = 16 * 1024 * 1024;

export function knownHostsText(): string {
  const files = [...['known_hosts', 'known_hosts2'].map(ownFile), '/etc/ssh/ssh_known_hosts'];
  return files.map((file) => contentOf(file)?.toString('utf8') ?? '').join('\n');
}

/** Returns the private keys that OpenSSH tries by default, in its order. Keys on hardware tokens need an agent. */
export function identities(): { readonly name: string; readonly key: Buffer }[] {
  return ['id_rsa', 'id_ecdsa', 'id_ed25519'].flatMap((name) => {
    const key = contentOf(ownFile(name));
    return key === null ? [] : [{ name: `~/.ssh/${name}`, key }];
  });
}

/** Nothing else in `~/.ssh` is read, least of all its `config`. */
function ownFile(name: string): string {
  return join(homedir(), '.ssh', name);
}

function contentOf(file: string): Buffer | null {
  try {
    return statSync(file).size <= LARGEST ? readFileSync(file) : null;
  } catch {
    return null;
  }
}
