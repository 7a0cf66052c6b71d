/** Known hosts are judged as ssh-keygen does, which is asked for each name. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, judgeKey, knownKeys } from '../../../src/sources/ssh/known-hosts.ts';
import { emptyDirectory } from '../../support/tree.ts';

const hasKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

const KEY = 'AAAAC3NzaC1lZDI1NTE5AAAAIEfDJeB3dik5sj66i//xciymuMTN4HWBp9C4kTqptWrE';
const OTHER = 'AAAAC3NzaC1lZDI1NTE5AAAAIIpHrhJ1K09fXx3Jp76zYOkveIoADdWVK5CoCjVUCXJg';
const key = Buffer.from(KEY, 'base64');

const LINES = `
# a comment, and a line that is not complete
example.org ssh-ed25519
plain.example,192.0.2.7 ssh-ed25519 ${KEY} with a comment
[ported.example]:2222 ssh-ed25519 ${KEY}
*.wild.example,!not.wild.example ssh-ed25519 ${KEY}
one?.example ssh-ed25519 ${KEY}
Upper.Example ssh-ed25519 ${KEY}
[2001:db8::1]:2022,2001:db8::2 ssh-ed25519 ${KEY}
@revoked revoked.example ssh-ed25519 ${KEY}
@cert-authority *.authority.example ssh-ed25519 ${KEY}
   spaced.example	ssh-ed25519	${KEY}
changed.example ssh-ed25519 ${OTHER}
`;

const HOSTS: readonly (readonly [host: string, port: number, verdict: string])[] = [
  ['plain.example', 22, 'known'],
  ['192.0.2.7', 22, 'known'],
  ['plain.example', 2222, 'unknown'],
  ['ported.example', 2222, 'known'],
  ['ported.example', 22, 'unknown'],
  ['a.wild.example', 22, 'known'],
  ['a.b.wild.example', 22, 'known'],
  ['not.wild.example', 22, 'unknown'],
  ['wild.example', 22, 'unknown'],
  ['one1.example', 22, 'known'],
  ['one11.example', 22, 'unknown'],
  ['upper.example', 22, 'known'],
  ['PLAIN.example', 22, 'known'],
  ['2001:db8::1', 2022, 'known'],
  ['2001:db8::2', 22, 'known'],
  ['revoked.example', 22, 'revoked'],
  ['x.authority.example', 22, 'unknown'],
  ['spaced.example', 22, 'known'],
  ['changed.example', 22, 'changed'],
  ['example.org', 22, 'unknown'],
  ['', 22, 'unknown'],
];

describe('the key of a host', () => {
  it.each(HOSTS)('of %s at port %i is %s', (host, port, verdict) => {
    expect(judgeKey(knownKeys(LINES, host, port), key)).toBe(verdict);
  });

  it.skipIf(!hasKeygen)('is found where its name is hashed', () => {
    const file = join(emptyDirectory(), 'known_hosts');
    writeFileSync(file, `hashed.example ssh-ed25519 ${KEY}\n[hashed.example]:2222 ssh-ed25519 ${OTHER}\n`);
    execFileSync('ssh-keygen', ['-H', '-f', file], { stdio: 'ignore' });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('hashed.example');
    expect(judgeKey(knownKeys(text, 'hashed.example', 22), key)).toBe('known');
    expect(judgeKey(knownKeys(text, 'hashed.example', 2222), key)).toBe('changed');
    expect(judgeKey(knownKeys(text, 'other.example', 22), key)).toBe('unknown');
  });

  it.skipIf(!hasKeygen)('is shown as ssh-keygen shows it', () => {
    const file = join(emptyDirectory(), 'key.pub');
    writeFileSync(file, `ssh-ed25519 ${KEY}\n`);
    expect(execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' })).toContain(fingerprintOf(key));
  });

  it('takes no time to find among patterns that were made for it', () => {
    const text = `${'*a'.repeat(2000)}b ssh-ed25519 ${KEY}\n`.repeat(20);
    expect(knownKeys(text, 'a'.repeat(4000), 22)).toEqual([]);
  });
});
