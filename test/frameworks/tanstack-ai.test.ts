import { chat } from '@tanstack/ai';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/tanstack-ai.ts';
import { CALLS, project } from '../support/adapters.ts';

/** A model that calls `LS` once, and then is content; and what it was asked. */
function adapterThatCalls(input: unknown) {
  const requests: { messages: unknown[]; tools: unknown }[] = [];
  const adapter = {
    ...{ kind: 'text', name: 'scripted', model: 'x', '~types': {} },
    async *chatStream({ messages, tools }: { messages: unknown[]; tools: unknown }) {
      requests.push(JSON.parse(JSON.stringify({ messages, tools })));
      const at = { timestamp: 1, model: 'x', threadId: 't', runId: 'r' };
      yield { type: 'RUN_STARTED', ...at };
      if (requests.length === 1) {
        yield { type: 'TOOL_CALL_START', toolCallId: '1', toolCallName: 'LS', toolName: 'LS', index: 0, ...at };
        yield { type: 'TOOL_CALL_ARGS', toolCallId: '1', delta: JSON.stringify(input), ...at };
        yield { type: 'TOOL_CALL_END', toolCallId: '1', toolCallName: 'LS', toolName: 'LS', input, ...at };
        yield { type: 'RUN_FINISHED', finishReason: 'tool_calls', ...at };
      } else {
        yield { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant', ...at };
        yield { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'done', content: 'done', ...at };
        yield { type: 'TEXT_MESSAGE_END', messageId: 'm', ...at };
        yield { type: 'RUN_FINISHED', finishReason: 'stop', ...at };
      }
    },
  };
  return { adapter: adapter as never, requests };
}

describe('agent-ls/tanstack-ai in chat', () => {
  it.each(CALLS)('%s', async (_, input, text) => {
    const { adapter, requests } = adapterThatCalls(input);
    const given = (await tools(project())) as never[];
    const stream = chat({ adapter, messages: [{ role: 'user', content: 'List.' }] as never, tools: given });
    for await (const _chunk of stream as AsyncIterable<unknown>);
    expect(requests[0]?.tools).toMatchObject([{ name: 'LS' }, { name: 'Tree' }, { name: 'Find' }]);
    expect(JSON.stringify(requests[1]?.messages.at(-1))).toContain(text.split('\n')[0]);
  });
});
