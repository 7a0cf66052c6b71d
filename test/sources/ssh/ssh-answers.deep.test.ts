/** A directory on another machine, which a real sshd serves: the answers are those of the disk. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { call, list, openWorkspace, tree } from '../../../src/index.ts';
import { expectSameAnswers, rowsFor } from '../../support/disk-and-elsewhere.ts';
import { sshServer } from '../../support/servers.ts';
import { addTree, makeTree, type TreeLiteral } from '../../support/tree.ts';

const server = await sshServer();
const addressOf = (path: string) => `ssh://${server?.user}@127.0.0.1:${server?.port}${path}`;

/** A tree that the server's user may read; its root. */
function served(literal: TreeLiteral): string {
  const root = makeTree(literal);
  chmodSync(dirname(root), 0o755);
  return root;
}

describe.skipIf(server === null)('through SFTP', () => {
  const rows = rowsFor(() => true, 60);

  it.each(rows)('the answers are those of the disk: $id', async (row) => {
    await expectSameAnswers(row, async (_, root) => addressOf(root));
  });

  it('names stay bytes', async () => {
    const root = served({ plain: '' });
    const name = Buffer.from('caf\xe9', 'latin1');
    mkdirSync(Buffer.concat([Buffer.from(`${root}/`), name]));
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name, Buffer.from('/inside')]), '');
    using workspace = await openWorkspace(addressOf(root));
    const { text } = await call('standard', {}, workspace);
    expect(text.split('\n').slice(3)).toEqual(['"caf\\xe9"/', 'plain']);
    const inner = await call('standard', { path: '"caf\\xe9"' }, workspace);
    expect(inner.text.split('\n').slice(3)).toEqual(['"caf\\xe9/inside"']);
  });

  it('sizes, modes and times are told, and owners are not', async () => {
    const root = served({ 'a.txt': 'four' });
    chmodSync(join(root, 'a.txt'), 0o640);
    using workspace = await openWorkspace(addressOf(root));
    const { entries } = await call('mycode', { long: true }, workspace);
    expect(entries).toMatchObject([{ name: 'a.txt', size: 4, permissions: '-rw-r-----' }]);
    const listing = await list({ metadata: true }, workspace);
    expect(listing.entries[0]?.metadata).toMatchObject({ owner: '?', group: '?' });
  });

  it('what may not be read is told, and the rest is there', async () => {
    const root = served({ 'open/a': '', 'locked/b': '' });
    chmodSync(join(root, 'locked'), 0o700);
    using workspace = await openWorkspace(addressOf(root));
    expect((await call('codex', { dir_path: root, depth: 2 }, workspace)).content).toContain(
      'Could not read 1 director',
    );
    const { status, error } = await call('standard', { path: 'locked' }, workspace);
    expect([status, error?.code]).toEqual(['error', 'ACCESS_DENIED']);
    chmodSync(join(root, 'locked'), 0o755);
  });

  it('links are followed inside of the root alone', async () => {
    const root = served({ 'inside/a': '', to: { link: 'inside' }, out: { link: '..' }, away: { link: '/etc' } });
    using workspace = await openWorkspace(addressOf(root));
    expect((await call('standard', { path: 'to' }, workspace)).text).toContain('inside/a');
    for (const path of ['out', 'away', 'to/../..', '/etc', `${root}/../x`]) {
      expect((await call('standard', { path }, workspace)).error?.code).toBe('ACCESS_DENIED');
    }
  });

  it('a directory that is replaced by a link out gives nothing of what is there', async () => {
    const root = served({ 'swapped/a': '' });
    addTree(dirname(root), { 'outside/secret': '' });
    chmodSync(join(dirname(root), 'outside'), 0o755);
    const { sshTree } = await import('../../../src/sources/ssh/ssh-tree.ts');
    const { sshConnection } = await import('../../../src/sources/ssh/ssh-connection.ts');
    const { parseSshAddress } = await import('../../../src/sources/ssh/ssh-address.ts');
    const { default: ssh2 } = await import('ssh2');
    const connection = sshConnection(ssh2, parseSshAddress(addressOf(root)));
    // What a tree is asked after somebody looked: by then a link stands in the place of the directory.
    const remote = sshTree(connection, root as never, []);
    symlinkSync('../outside', join(root, 'link'));
    const { signal } = new AbortController();
    const listed = async () => {
      for await (const page of remote.list('link' as never, { signal })) return page;
    };
    await expect(listed()).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(remote.describe('link' as never, ['secret'] as never, { signal })).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(remote.readFile('link/secret' as never, 100, { signal })).rejects.toMatchObject({ code: 'ENOENT' });
    remote.close();
  });

  it('the home is where a path begins that names none', async () => {
    using workspace = await openWorkspace(`ssh://${server?.user}@127.0.0.1:${server?.port}`);
    expect(workspace.realPath.startsWith('/')).toBe(true);
  });

  it('64 calls at once are answered', async () => {
    const root = served(Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`d${i}/f${i}`, ''])));
    using workspace = await openWorkspace(addressOf(root));
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        i % 2 === 0 ? tree({}, workspace) : call('standard', { path: `d${i % 8}` }, workspace),
      ),
    );
    expect(answers.every(({ status }) => status === 'success')).toBe(true);
  });
});
