/** `agent-ls/mcp`: the server as a program embeds it. */
import { join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { standard } from '../../src/dialects/standard.ts';
import { ListingError } from '../../src/index.ts';
import { createServer, type ServerOptions } from '../../src/mcp.ts';
import { movedClock } from '../support/clock.ts';
import { makeTree } from '../support/tree.ts';

afterEach(() => vi.restoreAllMocks());

async function connected(options: ServerOptions): Promise<Client> {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([createServer(options).connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  return client;
}

describe('createServer', () => {
  it('serves the tools of a dialect', async () => {
    const root = makeTree({ a: '' });
    const client = await connected({ roots: [root], dialect: 'codex', structured: true });
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['list_dir']);
    expect(await client.callTool({ name: 'list_dir', arguments: { dir_path: root } })).toMatchObject({
      content: [{ type: 'text', text: `Absolute path: ${root}\na` }],
      structuredContent: { text: `Absolute path: ${root}\na` },
    });
  });

  it('hands a cancellation on to the reading, which ends there', async () => {
    const names = Array.from({ length: 3000 }, (_, i) => [`file-${i}`, ''] as const);
    const client = await connected({ roots: [makeTree(Object.fromEntries(names))] });
    // Time flies: the reading pauses whenever it may.
    let time = 0;
    movedClock(() => 10 * time++);
    const controller = new AbortController();
    const [ls] = standard.tools;
    const { call: called } = ls;
    const replied = vi.spyOn(ls, 'call').mockImplementation((...words) => {
      controller.abort();
      return called(...words);
    });
    const call = client.callTool({ name: 'LS', arguments: {} }, { signal: controller.signal });
    await expect(call).rejects.toThrow();
    const cancelled = { text: expect.stringContaining('cancelled') };
    await vi.waitFor(() => expect(replied).toHaveResolvedWith(expect.objectContaining(cancelled)));
  });

  it('does not open what is not a directory', () => {
    expect(() => createServer({ roots: [join(makeTree({}), 'none')] })).toThrow(ListingError);
  });

  it.each([
    [{}, 'roots must be a list of one or more paths of directories.'],
    [{ roots: [] }, 'roots must be a list of one or more paths of directories.'],
    [{ roots: [''] }, 'roots must be a list of one or more paths of directories.'],
    [{ roots: '.' }, 'roots must be a list of one or more paths of directories.'],
    [{ roots: ['.'], dialect: 'gemin' }, 'Unknown dialect "gemin". Did you mean'],
    [{ roots: ['.'], structured: 1 }, 'structured must be a boolean.'],
    [{ roots: ['.'], maxCharacters: 10 }, 'maxCharacters must be an integer, 1000 or more.'],
    [{ roots: ['.'], structure: true }, "createServer has no option 'structure'. Did you mean"],
  ])('%j is misuse', (options, reason) => {
    expect(() => createServer(options as unknown as ServerOptions)).toThrow(reason);
  });
});
