import { Agent } from '@voltagent/core';
import { MockLanguageModelV3 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/voltagent.ts';
import { CALLS, project } from '../support/adapters.ts';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const reason = (unified: string) => ({ unified, raw: undefined });

describe('agent-ls/voltagent in an agent', () => {
  it.each(CALLS)('%s', async (_, input, text) => {
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'LS', input: JSON.stringify(input) };
    const model = new MockLanguageModelV3({
      doGenerate: [
        { content: [call], finishReason: reason('tool-calls'), usage, warnings: [] },
        { content: [{ type: 'text', text: 'done' }], finishReason: reason('stop'), usage, warnings: [] },
      ] as never,
    });
    const given = (await tools(project())) as never[];
    const agent = new Agent({ name: 'lister', instructions: 'List.', model, tools: given, maxSteps: 3 });
    await agent.generateText('List.');
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([{ name: 'LS' }, { name: 'Tree' }, { name: 'Find' }]);
    const answered = JSON.stringify(model.doGenerateCalls[1]?.prompt.at(-1));
    expect(answered).toContain(JSON.stringify(text).slice(1, -1));
  });
});
