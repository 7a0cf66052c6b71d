import { agent } from '@llamaindex/workflow';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/llamaindex.ts';
import { CALLS, project } from '../support/adapters.ts';

/** A model that calls `LS` once, and then is content; and what it was asked. */
function modelThatCalls(input: unknown) {
  const requests: { messages: { content: unknown; options?: unknown }[]; tools?: { metadata: { name: string } }[] }[] =
    [];
  const llm = {
    ...{ supportToolCall: true, metadata: { model: 'x', contextWindow: 1000, temperature: 0, topP: 1 } },
    chat: async (request: (typeof requests)[number]) => {
      requests.push({ ...request, messages: [...request.messages] });
      const toolCall = [{ id: '1', name: 'LS', input }];
      const isFirst = requests.length === 1;
      return (async function* () {
        yield { delta: isFirst ? '' : 'done', raw: null, options: isFirst ? { toolCall } : {} };
      })();
    },
  };
  return { llm: llm as never, requests };
}

describe('agent-ls/llamaindex in an agent', () => {
  it.each(CALLS)('%s', async (_, input, text) => {
    const { llm, requests } = modelThatCalls(input);
    await agent({ llm, tools: (await tools(project())) as never[] }).run('List.');
    expect(requests[0]?.tools?.map(({ metadata }) => metadata.name)).toEqual(['LS', 'Tree', 'Find']);
    const answered = requests[1]?.messages.at(-1);
    // LlamaIndex writes a tool's text as JSON, without the quotes.
    expect(String(answered?.content)).toContain(JSON.stringify(text).slice(1, -1));
  });
});
