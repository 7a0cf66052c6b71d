import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/anthropic.ts';
import { CALLS, CANCELLED, project } from '../support/adapters.ts';

describe('agent-ls/anthropic', () => {
  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const ls = await tools(project());
    expect(await ls.run({ id: 'u1', name: 'LS', input })).toEqual({
      type: 'tool_result',
      tool_use_id: 'u1',
      content: text,
      ...(isError ? { is_error: true } : {}),
    });
  });

  it('ends with the signal', async () => {
    const ls = await tools(project());
    const { content, is_error } = await ls.run({ id: 'u1', name: 'LS', input: {} }, { signal: AbortSignal.abort() });
    expect([content, is_error]).toEqual([CANCELLED, true]);
  });
});

/** A model that calls a tool once, and then is content; and what it was asked. */
function clientWhoseModelCalls(name: string, input: unknown) {
  const requests: { messages: { content: unknown }[]; tools: unknown }[] = [];
  const fetch = async (_: unknown, init?: { body?: unknown }) => {
    requests.push(JSON.parse(String(init?.body)));
    const isFirst = requests.length === 1;
    const content = isFirst ? { type: 'tool_use', id: 'u1', name, input } : { type: 'text', text: 'done' };
    const stop_reason = isFirst ? 'tool_use' : 'end_turn';
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [content], stop_reason };
    return Response.json({ ...message, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } });
  };
  return { client: new Anthropic({ apiKey: 'none', fetch: fetch as never, maxRetries: 0 }), requests };
}

const asked = { model: 'x', max_tokens: 100, messages: [{ role: 'user' as const, content: 'List.' }] };

describe('agent-ls/anthropic in a message', () => {
  it('is its declaration alone, and takes its result', async () => {
    const { client, requests } = clientWhoseModelCalls('LS', {});
    const ls = await tools(project());
    const content = [await ls.run({ id: 'u1', name: 'LS', input: {} })];
    await client.messages.create({ ...asked, messages: [{ role: 'user', content }], tools: ls.tools });
    const rest = { description: expect.any(String), input_schema: expect.objectContaining({ type: 'object' }) };
    expect(requests[0]?.tools).toEqual([
      { name: 'LS', ...rest },
      { name: 'Tree', ...rest },
      { name: 'Find', ...rest },
    ]);
  });
});

describe("agent-ls/anthropic in the SDK's tool runner", () => {
  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const { client, requests } = clientWhoseModelCalls('LS', input);
    const ls = await tools(project());
    await client.beta.messages.toolRunner({ ...asked, tools: ls.tools });
    expect(requests[0]?.tools).toEqual(JSON.parse(JSON.stringify(ls.tools)));
    expect(requests[1]?.messages.at(-1)?.content).toEqual([
      isError
        ? { type: 'tool_result', tool_use_id: 'u1', content: `Error: ${text}`, is_error: true }
        : { type: 'tool_result', tool_use_id: 'u1', content: text },
    ]);
  });

  it("does not write 'Error: ' twice", async () => {
    const { client, requests } = clientWhoseModelCalls('list_directory', { path: '.' });
    const ls = await tools(project(), { dialect: 'gemini' });
    await client.beta.messages.toolRunner({ ...asked, tools: ls.tools });
    expect(requests[1]?.messages.at(-1)?.content).toMatchObject([
      { content: 'Error: Invalid parameters provided. Reason: Path must be absolute: .', is_error: true },
    ]);
  });

  it('ends with the signal', async () => {
    const [tool] = (await tools(project())).tools;
    await expect(tool?.run({}, { signal: AbortSignal.abort() })).rejects.toThrow(CANCELLED);
  });
});
