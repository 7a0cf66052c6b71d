/** The built command on real servers: it answers, and ends. */
import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makeBucket, putObjects, type S3Server, s3Server, sshServer } from '../support/servers.ts';
import { makeTree } from '../support/tree.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.cjs', import.meta.url));
const ssh = await sshServer();
const s3 = await s3Server();

/** What it writes, and its status. */
function agentLs(...words: string[]): Promise<{ status: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (bytes) => output.push(bytes));
  child.stderr.on('data', (bytes) => errors.push(bytes));
  return new Promise((resolve) => {
    child.on('close', (status) =>
      resolve({ status, output: Buffer.concat(output).toString(), errors: Buffer.concat(errors).toString() }),
    );
  });
}

describe.skipIf(ssh === null)('another machine', () => {
  it('is listed, mapped, and asked by a tool', async () => {
    const root = makeTree({ 'src/a.ts': '', 'README.md': '' });
    chmodSync(dirname(root), 0o755);
    const address = `ssh://${ssh?.user}@127.0.0.1:${ssh?.port}${root}`;
    expect(await agentLs(address)).toEqual({ status: 0, output: 'src/\nREADME.md\n', errors: '' });
    expect((await agentLs('tree', address)).output).toBe('# .: 2 files, 2 shown\nREADME.md\n src/ a.ts\n');
    expect((await agentLs('call', '--root', address, '--text', '{"path":"scr"}')).output).toContain(
      "Did you mean 'src'?",
    );
    const missing = await agentLs(`${address}/nothing`);
    expect(missing).toMatchObject({ status: 1, output: '' });
    expect(missing.errors).toContain(`'${root}/nothing' on 127.0.0.1 does not exist`);
  });
});

describe.skipIf(s3 === null)('a bucket', () => {
  it('is listed, mapped, and asked by a tool', async () => {
    await makeBucket('agent-ls-command');
    await putObjects(s3 as S3Server, 'agent-ls-command', [
      ['logs/a.log', 'x'],
      ['logs//b', ''],
      ['readme.md', ''],
    ]);
    expect(await agentLs('s3://agent-ls-command')).toEqual({ status: 0, output: 'logs/\nreadme.md\n', errors: '' });
    expect((await agentLs('tree', 's3://agent-ls-command')).output).toBe(
      '# .: 3 files, 3 shown\nreadme.md\n logs/ a.log\n  "%"/ b\n',
    );
    expect((await agentLs('call', '--root', 's3://agent-ls-command', '--text', '{"path":"logs/%"}')).output).toContain(
      'logs/%/b',
    );
  });
});
