/** Another machine that fails, through a proxy before a real sshd: whatever happens is answered, and tells no secret. */
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { call, openWorkspace, tree, type Workspace } from '../../../src/index.ts';
import { FaultyProxy } from '../../support/faulty-proxy.ts';
import { type SshServer, sshServer } from '../../support/servers.ts';
import { makeTree } from '../../support/tree.ts';

const server = await sshServer();
const ssh = () => join(process.env.HOME as string, '.ssh');
const ENTRIES = 1500;

function told(value: unknown): string {
  const text = value instanceof Error ? `${value.message}\n${value.stack}` : JSON.stringify(value);
  expect(text).not.toContain('PRIVATE KEY');
  expect(text).not.toContain('hunter2');
  return value instanceof Error ? value.message : text;
}

const failureOf = (address: string) => openWorkspace(address).catch((error: unknown) => error);

describe.skipIf(server === null)('another machine', () => {
  let proxy: FaultyProxy;

  beforeAll(async () => {
    const { port, publicKey } = server as SshServer;
    proxy = await FaultyProxy.before(port);
    appendFileSync(join(ssh(), 'known_hosts'), `[127.0.0.1]:${proxy.port} ${publicKey}\n`);
  });
  afterEach(() => {
    proxy.fault = 'none';
  });
  afterAll(() => proxy.stop());

  const address = (root: string, port = proxy.port) => `ssh://${server?.user}@127.0.0.1:${port}${root}`;

  /** A directory with many entries. */
  async function opened(): Promise<Workspace> {
    const root = makeTree(Object.fromEntries(Array.from({ length: ENTRIES }, (_, i) => [`f${i}`, ''])));
    chmodSync(dirname(root), 0o755);
    const workspace = await openWorkspace(address(root));
    onTestFinished(() => workspace.close());
    return workspace;
  }

  it('that cuts the connection in the middle gives what came before, and is asked anew', async () => {
    const workspace = await opened();
    proxy.fault = { cutAfter: 60_000 };
    const answer = await call('standard', {}, workspace);
    expect(answer.status).toBe('partial');
    expect(told(answer)).toContain('reading failed in the middle');
    proxy.fault = 'none';
    expect((await call('standard', {}, workspace)).text).toContain(`Total: ${ENTRIES} items`);
  });

  it('that sends something else is not believed', async () => {
    const workspace = await opened();
    proxy.fault = { garbageAfter: 0 };
    expect((await call('standard', {}, workspace)).status).toBe('error');
    proxy.fault = 'none';
    expect((await call('standard', {}, workspace)).text).toContain(`Total: ${ENTRIES} items`);
  });

  it('that says nothing more is not waited for beyond the time limit', async () => {
    const workspace = await opened();
    proxy.fault = { silentAfter: 0 };
    const nothing = await call('standard', {}, workspace, { timeLimit: 300 });
    expect(nothing.error?.code).toBe('TIMEOUT');
    expect((await tree({}, workspace, { timeLimit: 300 })).error?.code).toBe('TIMEOUT');
  });

  it('whose connection was lost meanwhile is connected again', async () => {
    const workspace = await opened();
    proxy.cut();
    await pause(50);
    expect((await call('standard', {}, workspace)).text).toContain(`Total: ${ENTRIES} items`);
  });

  it('that is slow is waited for', async () => {
    const workspace = await opened();
    proxy.fault = { delay: 20 };
    expect((await call('standard', {}, workspace)).text).toContain(`Total: ${ENTRIES} items`);
  });

  it('that is not known is refused, with what to do', async () => {
    const stranger = await FaultyProxy.before((server as SshServer).port);
    const failure = await failureOf(address('/', stranger.port));
    expect(told(failure)).toMatch(/is not a known host \(it shows the key SHA256:.*connect once with `ssh -p \d+ 127/);
    await stranger.stop();
  });

  it('with another key than it had is refused', async () => {
    const changed = await FaultyProxy.before((server as SshServer).port);
    const other = 'AAAAC3NzaC1lZDI1NTE5AAAAIIpHrhJ1K09fXx3Jp76zYOkveIoADdWVK5CoCjVUCXJg';
    appendFileSync(join(ssh(), 'known_hosts'), `[127.0.0.1]:${changed.port} ssh-ed25519 ${other}\n`);
    expect(told(await failureOf(address('/', changed.port)))).toContain('differs from the one in known_hosts');
    await changed.stop();
  });

  it('that knows no key of the user says which were tried', async () => {
    const key = join(ssh(), 'id_ed25519');
    renameSync(key, `${key}.away`);
    const failure = await failureOf(address('/'));
    renameSync(`${key}.away`, key);
    expect(told(failure)).toContain(`accepts no key of '${server?.user}'; agent-ls tries the agent at SSH_AUTH_SOCK`);
  });

  it('is not asked with a key that has a passphrase, which is told', async () => {
    const key = join(ssh(), 'id_ed25519');
    renameSync(key, `${key}.away`);
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', 'hunter2', '-f', key]);
    const failure = await failureOf(address('/'));
    rmSync(`${key}.pub`);
    renameSync(`${key}.away`, key);
    expect(told(failure)).toContain('~/.ssh/id_ed25519 cannot be read; a key with a passphrase needs an agent');
  });

  it('accepts the keys of an agent', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agent-ls-agent-'));
    const socket = join(folder, 'socket');
    const agent = spawn('ssh-agent', ['-D', '-a', socket], { stdio: 'ignore' });
    const key = join(ssh(), 'id_ed25519');
    const copy = join(folder, 'key');
    cpSync(key, copy);
    chmodSync(copy, 0o600);
    for (let tries = 0; tries < 100; tries++) {
      try {
        execFileSync('ssh-add', ['-q', copy], { env: { ...process.env, SSH_AUTH_SOCK: socket }, stdio: 'ignore' });
        break;
      } catch {
        await pause(50);
      }
    }
    renameSync(key, `${key}.away`);
    vi.stubEnv('SSH_AUTH_SOCK', socket);
    try {
      const workspace = await openWorkspace(address('/'));
      expect((await call('standard', {}, workspace)).status).toBe('success');
      workspace.close();
    } finally {
      vi.stubEnv('SSH_AUTH_SOCK', '');
      renameSync(`${key}.away`, key);
      agent.kill();
      rmSync(folder, { recursive: true });
    }
  });

  it('that does not speak SSH is told', async () => {
    const stand = createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => stand.listen(0, '127.0.0.1', resolve));
    const failure = await failureOf(address('/', (stand.address() as { port: number }).port));
    stand.close();
    expect(told(failure)).toMatch(/127\.0\.0\.1 (did not answer as an SSH server|closed the connection)/);
  });

  it.each([
    ['a port where nobody listens', 'ssh://127.0.0.1:1/', '127.0.0.1 refuses the connection (ECONNREFUSED)'],
    ['a name that nobody has', 'ssh://agent-ls.invalid/', 'agent-ls.invalid cannot be found by that name'],
    ['a password in an address', 'ssh://user:hunter2@127.0.0.1/', 'passwords are not accepted in ssh://'],
    ['an address that is none', 'ssh:///path', 'an address of another machine is ssh://[USER@]HOST[:PORT]/PATH'],
    ['an option in the place of a host', 'ssh://-oProxyCommand=x/', 'an address of another machine is'],
  ])('tells of %s', async (_, wrong, message) => {
    expect(told(await failureOf(wrong))).toContain(message);
  });

  it.each([
    ['/nonexistent-agent-ls', 'missing', "'/nonexistent-agent-ls' on 127.0.0.1 does not exist"],
    ['/etc/passwd', 'not-a-directory', "'/etc/passwd' on 127.0.0.1 is not a directory"],
  ])('has no root at %s', async (path, kind, message) => {
    expect(await failureOf(address(path))).toMatchObject({ name: 'ListingError', kind, message });
  });
});
