/**
 * The real servers that a file of tests starts for itself, where this machine has their programs
 * (`node scripts/servers/packages.js` brings them). Where it has not, the tests are skipped, and say so.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, vi } from 'vitest';

interface Server {
  stop(): Promise<void>;
}

export interface S3Server extends Server {
  readonly port: number;
  /** What a user of it has set. */
  readonly environment: Readonly<Record<string, string>>;
  /** Adds keys that can be listed, and not read, to a bucket in which `sample` was put. */
  fill(sample: string, keys: readonly string[]): Promise<void>;
}

export interface SshServer extends Server {
  readonly port: number;
  readonly user: string;
  readonly key: string;
  readonly knownHosts: string;
  readonly publicKey: string;
  readonly folder: string;
}

/** Plain programs, without types: they run without being compiled. */
async function started<T extends Server>(file: string, start: string): Promise<T | null> {
  const module = (await import(new URL(`../../scripts/servers/${file}`, import.meta.url).href)) as Record<
    string,
    () => Promise<T | null>
  >;
  const server = (await module[start]?.()) ?? null;
  if (server === null)
    console.warn(
      `${start}: its programs are missing, so these tests are skipped (node scripts/servers/packages.js brings them).`,
    );
  else afterAll(() => server.stop());
  return server;
}

/** Null where it is missing. Its users' environment is that of this process until the tests of the file are done. */
export async function s3Server(): Promise<S3Server | null> {
  const server = await started<S3Server>('s3.js', 'startS3');
  if (server === null) return null;
  for (const [name, value] of Object.entries(server.environment)) vi.stubEnv(name, value);
  vi.stubEnv('AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED', 'true');
  afterAll(() => {
    vi.unstubAllEnvs();
  });
  return server;
}

/** Null where it is missing. The home of this process knows the server, and has a key for it. */
export async function sshServer(): Promise<SshServer | null> {
  const server = await started<SshServer>('ssh.js', 'startSsh');
  if (server === null) return null;
  const home = mkdtempSync(join(tmpdir(), 'agent-ls-home-'));
  mkdirSync(join(home, '.ssh'));
  cpSync(server.key, join(home, '.ssh', 'id_ed25519'));
  cpSync(server.knownHosts, join(home, '.ssh', 'known_hosts'));
  vi.stubEnv('HOME', home);
  vi.stubEnv('SSH_AUTH_SOCK', '');
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true });
  });
  return server;
}

/** Makes a bucket that everybody may write into, so that a test need not sign a thousand requests. */
export async function makeBucket(name: string): Promise<void> {
  const { CreateBucketCommand, S3Client } = await import('@aws-sdk/client-s3');
  const client = new S3Client({ forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: name, ACL: 'public-read-write' }));
  client.destroy();
}

export async function putObjects(
  { port }: S3Server,
  bucket: string,
  objects: readonly (readonly [key: string, content: string])[],
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const put = ([key, content]: readonly [string, string]) =>
    new Promise<void>((resolve, reject) => {
      const path = `/${bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
      const body = Buffer.from(content);
      const headers = { 'content-length': body.length };
      request({ agent, host: '127.0.0.1', port, method: 'PUT', path, headers }, (answer) => {
        answer.resume();
        if (answer.statusCode === 200) answer.on('end', resolve);
        else reject(new Error(`${key}: ${answer.statusCode}`));
      })
        .on('error', reject)
        .end(body);
    });
  await Promise.all(objects.map(put));
  agent.destroy();
}
