import * as six from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import * as five from 'ai-5';
import { MockLanguageModelV2 } from 'ai-5/test';
import * as seven from 'ai-7';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/ai-sdk.ts';
import { CALLS, CANCELLED, project } from '../support/adapters.ts';
import { modelThatCalls } from './mock-model.ts';

const call = (input: unknown) =>
  ({ type: 'tool-call', toolCallId: '1', toolName: 'LS', input: JSON.stringify(input) }) as const;
const done = { type: 'text', text: 'done' } as const;

/** Each version with a model that calls `LS` once, and then is content. */
const VERSIONS = {
  5: {
    sdk: five,
    model: (input: unknown) => {
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      return new MockLanguageModelV2({
        doGenerate: [
          { content: [call(input)], finishReason: 'tool-calls', usage, warnings: [] },
          { content: [done], finishReason: 'stop', usage, warnings: [] },
        ] as never,
      });
    },
  },
  6: {
    sdk: six,
    model: (input: unknown) => {
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      const reason = (unified: string) => ({ unified, raw: undefined });
      return new MockLanguageModelV3({
        doGenerate: [
          { content: [call(input)], finishReason: reason('tool-calls'), usage, warnings: [] },
          { content: [done], finishReason: reason('stop'), usage, warnings: [] },
        ] as never,
      });
    },
  },
  7: { sdk: seven, model: (input: unknown) => modelThatCalls(input) },
};

interface Sdk {
  generateText(request: object): Promise<{ steps: readonly { toolResults: readonly { output: unknown }[] }[] }>;
  stepCountIs(count: number): unknown;
}

describe.each(Object.entries(VERSIONS))('agent-ls/ai-sdk in generateText of version %s', (_, { sdk, model }) => {
  const { generateText, stepCountIs } = sdk as unknown as Sdk;
  const asking = (input: unknown) => {
    const asked = model(input);
    return { asked, calls: asked.doGenerateCalls as readonly { prompt: readonly unknown[]; tools: unknown }[] };
  };

  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const { asked, calls } = asking(input);
    const { steps } = await generateText({
      ...{ model: asked, prompt: 'List.', tools: await tools(project()), stopWhen: stepCountIs(2) },
    });
    expect(calls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolName: 'LS', output: { type: isError ? 'error-text' : 'text', value: text } }],
    });
    // For an interface there is the answer as data.
    if (!isError) expect(steps[0]?.toolResults[0]?.output).toMatchObject({ text, answer: { status: 'success' } });
  });

  it('declares the tools that were chosen, under their names', async () => {
    const { asked, calls } = asking({});
    const given = await tools(project(), { only: ['Tree'], names: { Tree: 'map' } });
    await generateText({ model: asked, prompt: 'List.', tools: given });
    expect(calls[0]?.tools).toMatchObject([{ type: 'function', name: 'map', inputSchema: { type: 'object' } }]);
  });
});

it('a call of agent-ls/ai-sdk ends with the request', async () => {
  const controller = new AbortController();
  const outputs: unknown[] = [];
  const request = seven.generateText({
    model: modelThatCalls({}),
    prompt: 'List.',
    tools: await tools(project()),
    stopWhen: seven.isStepCount(2),
    abortSignal: controller.signal,
    onToolExecutionStart: () => controller.abort(),
    onToolExecutionEnd: ({ toolOutput }) => {
      outputs.push(toolOutput);
    },
  });
  await expect(request).rejects.toThrow();
  expect(outputs).toMatchObject([{ type: 'tool-error', error: { message: CANCELLED } }]);
});
