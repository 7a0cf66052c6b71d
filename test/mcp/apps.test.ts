/** `agent-ls mcp --apps`: what it offers to clients of MCP Apps. In a real browser it is in test/view/apps.test.js. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { makeTree } from '../support/tree.ts';
import { COMMAND, INITIALIZE, INITIALIZED, startRaw } from './clients.ts';

const URI = 'ui://agent-ls/app.html';
const MIME_TYPE = 'text/html;profile=mcp-app';

async function asked(words: readonly string[], ...requests: [method: string, params: object][]) {
  const server = startRaw([makeTree({ a: '' }), ...words]);
  server.say(INITIALIZE, INITIALIZED);
  const answers: Record<string, unknown>[] = [await server.response(0)];
  for (const [at, [method, params]] of requests.entries()) {
    server.say({ jsonrpc: '2.0', id: at + 1, method, params });
    answers.push(await server.response(at + 1));
  }
  server.child.stdin.end();
  await server.exited;
  return answers;
}

describe('agent-ls mcp --apps', () => {
  it('offers a page that needs nothing else, and names it in its tools', async () => {
    const [start, tools, list, read] = await asked(
      ['--apps'],
      ['tools/list', {}],
      ['resources/list', {}],
      ['resources/read', { uri: URI }],
    );
    expect(start).toMatchObject({ result: { capabilities: { tools: {}, resources: {} } } });
    expect(tools).toMatchObject({
      result: { tools: ['LS', 'Tree', 'Find'].map((name) => ({ name, _meta: { ui: { resourceUri: URI } } })) },
    });
    expect(list).toMatchObject({ result: { resources: [{ uri: URI, mimeType: MIME_TYPE }] } });
    const { contents } = (read as { result: { contents: { text: string; mimeType: string }[] } }).result;
    expect(contents).toMatchObject([{ uri: URI, mimeType: MIME_TYPE }]);
    const page = contents[0]?.text ?? '';
    expect(page).toMatch(/^<!doctype html>/);
    // One script, and nothing that is loaded from elsewhere.
    expect(page.match(/<\/?script/g)).toEqual(['<script', '</script']);
    expect(page).not.toMatch(/<link|<script src|@import|url\(/);
  });

  it('has no other resource', async () => {
    const [, read] = await asked(['--apps'], ['resources/read', { uri: 'file:///etc/passwd' }]);
    expect(read).toMatchObject({ error: { code: -32602, message: `There is no such resource. Known: ${URI}.` } });
  });

  it('offers nothing unless it is asked to', async () => {
    const [start, tools] = await asked([], ['tools/list', {}]);
    expect((start as { result: { capabilities: object } }).result.capabilities).toEqual({ tools: {} });
    expect(JSON.stringify(tools)).not.toContain('ui://');
  });

  it('is for the standard dialect', () => {
    const words = [COMMAND, 'mcp', '--apps', '--dialect', 'gemini'];
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', input: '' });
    expect([status, stderr]).toEqual([2, expect.stringContaining('--apps is for the tools of the standard dialect.')]);
  });
});
