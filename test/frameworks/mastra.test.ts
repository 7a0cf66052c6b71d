import { Agent } from '@mastra/core/agent';
import type { MockLanguageModelV4 } from 'ai-7/test';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type MastraTool, tools } from '../../src/faces/adapters/mastra.ts';
import { CALLS, CANCELLED, project } from '../support/adapters.ts';
import { modelThatCalls } from './mock-model.ts';

beforeAll(() => {
  vi.stubEnv('MASTRA_TELEMETRY_DISABLED', '1');
});

const agentWith = (model: MockLanguageModelV4, given: Record<string, MastraTool>) =>
  // Mastra's type for a model of version 4 asks for streams alone.
  new Agent({ id: 'lister', name: 'lister', instructions: 'List.', model: model as never, tools: given });

describe('agent-ls/mastra in an agent', () => {
  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const model = modelThatCalls(input);
    await agentWith(model, await tools(project())).generate('List.', { maxSteps: 2 });
    expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolName: 'LS', output: { type: isError ? 'error-text' : 'text', value: text } }],
    });
  });

  it('declares the tool as it is, also for a model that Mastra rewrites schemas for', async () => {
    const model = modelThatCalls({}, { provider: 'openai', modelId: 'gpt-5' });
    const given = await tools(project());
    await agentWith(model, given).generate('List.', { maxSteps: 2 });
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      { type: 'function', name: 'LS', inputSchema: JSON.parse(JSON.stringify(given.LS?.inputSchema)) },
      { type: 'function', name: 'Tree', inputSchema: JSON.parse(JSON.stringify(given.Tree?.inputSchema)) },
      { type: 'function', name: 'Find', inputSchema: JSON.parse(JSON.stringify(given.Find?.inputSchema)) },
    ]);
  });

  it('ends with the request', async () => {
    const controller = new AbortController();
    const { LS } = (await tools(project())) as { LS: MastraTool };
    const ends = vi.fn();
    const execute: MastraTool['execute'] = async (input, options) => {
      controller.abort();
      return LS.execute(input, options).catch((error) => ends(error.message));
    };
    const agent = agentWith(modelThatCalls({}), { LS: { ...LS, execute } });
    await agent.generate('List.', { maxSteps: 2, abortSignal: controller.signal });
    expect(ends.mock.calls).toEqual([[CANCELLED]]);
  });
});
