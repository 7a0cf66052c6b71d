/** One way to name roots, wherever one is accepted; and a local path that never becomes something else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, vi } from 'vitest';
import { runCommandLine } from '../../src/faces/cli/run.ts';
import { call, list, listDirectoryTool, openWorkspace, tree } from '../../src/index.ts';
import { createServer } from '../../src/mcp.ts';
import { optionalPackage } from '../../src/sources/asking.ts';
import { git, makeRepository } from '../support/git.ts';
import { isolateGit } from '../support/repository.ts';
import { noStreams } from '../support/streams.ts';
import { makeTree } from '../support/tree.ts';

isolateGit();

function makeProject(): string {
  const root = makeTree({ 'src/a.ts': 'abc', 'b.txt': '' });
  makeRepository(root);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'all');
  return root;
}

async function printed(...words: string[]): Promise<{ out: string; err: string; status: number }> {
  const [out, err]: [string[], string[]] = [[], []];
  const streams = {
    ...noStreams(),
    print: async (text: string) => void out.push(`${text}\n`),
    write: async (chunk: string | Uint8Array) => void out.push(Buffer.from(chunk as Uint8Array).toString()),
    complain: (text: string) => void err.push(text),
  };
  const status = await runCommandLine(words, streams as Parameters<typeof runCommandLine>[1]);
  return { out: out.join(''), err: err.join('\n'), status };
}

describe('a revision as a root', () => {
  it('is taken by the library, opened or by its address', async () => {
    const address = `git:${makeProject()}@HEAD`;
    expect((await list({}, address)).entries.map(({ name }) => name)).toEqual(['src', 'b.txt']);
    expect((await call('standard', { path: 'src' }, address)).status).toBe('success');
    expect((await tree({}, address)).text).toContain('a.ts');
    expect(() => listDirectoryTool(address)).toThrow('needs a workspace that is open');
  });

  it('is taken by the command, as PATH and as --root', async () => {
    const address = `git:${makeProject()}@HEAD`;
    expect(await printed(address)).toMatchObject({ out: 'src/\nb.txt\n', status: 0 });
    expect((await printed('-l', `${address}:src`)).out).toMatch(/^-rw-r--r-- .* 3 {2}- {2}a\.ts\n$/);
    expect((await printed('-R', address)).out).toBe('src/\nsrc/a.ts\nb.txt\n');
    expect((await printed('tree', address)).out).toContain('a.ts');
    expect((await printed('call', '{"path": "src"}', '--root', address, '--text')).out).toContain(
      "Listed 1 entries in 'src'",
    );
    expect(await printed(`${address}~9`)).toMatchObject({
      status: 1,
      err: expect.stringContaining("has no revision 'HEAD~9'"),
    });
  });

  it('is taken by the MCP server, and is never widened by what a client has', async () => {
    const root = makeProject();
    const server = createServer({ roots: [`git:${root}@HEAD`] });
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { roots: {} } });
    client.setRequestHandler('roots/list', () => ({
      roots: [{ uri: `file://${root}@HEAD/src` }, { uri: `file://${root}` }],
    }));
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    const { content } = await client.callTool({ name: 'LS', arguments: {} });
    expect(JSON.stringify(content)).toContain('b.txt');
    const outside = await client.callTool({ name: 'LS', arguments: { path: root } });
    expect(outside.isError).toBe(true);
    await client.close();
  });

  it('that is missing is told to whoever calls, by the server too', async () => {
    const server = createServer({ roots: [`git:${makeProject()}@none`] });
    const client = new Client({ name: 'test', version: '1' });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    const answer = await client.callTool({ name: 'LS', arguments: {} });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain("has no revision 'none'");
    await client.close();
  });
});

describe('a local path', () => {
  it('that looks like an address is one with ./ before it', async () => {
    const root = makeTree({ 'git:x@HEAD/inner.txt': '', 's3:/b/other.txt': '' });
    vi.spyOn(process, 'cwd').mockReturnValue(root);
    expect((await list({}, join(root, 'git:x@HEAD'))).entries.map(({ name }) => name)).toEqual(['inner.txt']);
    await expect(openWorkspace('git:x@HEAD')).rejects.toThrow('there is no git repository');
    vi.restoreAllMocks();
  });

  it('of a directory that is called like an archive is that directory', async () => {
    const root = makeTree({ 'a.zip/inner.txt': '' });
    expect((await list({}, join(root, 'a.zip'))).entries.map(({ name }) => name)).toEqual(['inner.txt']);
    expect((await printed(join(root, 'a.zip'))).out).toBe('inner.txt\n');
  });

  it('of an archive that is not there is missing', async () => {
    await expect(openWorkspace('/nonexistent/a.zip')).rejects.toMatchObject({ kind: 'missing' });
  });

  it('of an archive inside of a workspace is only a file', async () => {
    const root = makeTree({});
    writeFileSync(join(root, 'a.zip'), 'no zip');
    mkdirSync(join(root, 'b'));
    const answer = await call('standard', { path: 'a.zip' }, root);
    expect(answer.text).toContain('not a directory');
  });
});

describe('a package that is not installed', () => {
  it('is named with the command that installs it', async () => {
    const missing = () => import('agent-ls-no-such-package' as string);
    await expect(optionalPackage('no-such-package', missing)).rejects.toMatchObject({
      kind: 'failed',
      message: 'this needs a package that is not installed: npm install no-such-package',
    });
  });
});

describe('options', () => {
  it.each([
    [{ maxAge: -1 }, 'maxAge must be a number of milliseconds'],
    [{ maxAge: 'x' as unknown as number }, 'maxAge must be a number of milliseconds'],
    [{ fs: {} as never }, 'fs must have readdir, lstat and readFile'],
  ])('%j are refused', async (options, message) => {
    await expect(openWorkspace('/', options)).rejects.toThrow(message);
  });
});
