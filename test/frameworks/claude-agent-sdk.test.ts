import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query } from '@anthropic-ai/claude-agent-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import { server } from '../../src/faces/adapters/claude-agent-sdk.ts';
import { CALLS, project } from '../support/adapters.ts';

const TOOL = 'mcp__files__LS';
let api: Server | null = null;
const home = mkdtempSync(join(tmpdir(), 'agent-ls-claude-'));
afterEach(() => api?.close());

/** Stands for the API: its model calls the tool once, and then is content. Keeps what it was asked. */
async function apiThatCalls(input: unknown) {
  const requests: { messages: { content: unknown }[]; tools?: { name: string }[] }[] = [];
  api = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const offersTool = body.tools?.some(({ name }: { name: string }) => name === TOOL) ?? false;
    if (offersTool) requests.push(body);
    const calls = offersTool && requests.length === 1;
    const block = calls ? { type: 'tool_use', id: 'u1', name: TOOL, input: {} } : { type: 'text', text: '' };
    const delta = calls
      ? { type: 'input_json_delta', partial_json: JSON.stringify(input) }
      : { type: 'text_delta', text: 'done' };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], stop_reason: null, usage };
    const events = [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  const listening = api;
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`, requests };
}

describe('agent-ls/claude-agent-sdk in a query', () => {
  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const { url, requests } = await apiThatCalls(input);
    const root = project();
    const messages = query({
      prompt: 'List.',
      options: {
        ...{ mcpServers: { files: await server(root) }, allowedTools: [TOOL], cwd: root, maxTurns: 3 },
        env: {
          ...{ ...process.env, HOME: home, ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none' },
          ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', ENABLE_TOOL_SEARCH: 'false' },
        },
      },
    });
    for await (const _message of messages);
    const answered = requests[1]?.messages.at(-1)?.content as { type: string; content: unknown; is_error?: boolean }[];
    const result = answered.find(({ type }) => type === 'tool_result');
    expect(JSON.stringify(result?.content)).toContain(JSON.stringify(text).slice(1, -1));
    expect(result?.is_error ?? false).toBe(isError);
  });
});

afterEach(() => rmSync(home, { recursive: true, force: true }));
