import { generateText, isStepCount } from 'ai-7';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/ai-sdk.ts';
import { CALLS, CANCELLED, project } from '../support/adapters.ts';
import { modelThatCalls } from './mock-model.ts';

describe('agent-ls/ai-sdk in generateText', () => {
  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const model = modelThatCalls(input);
    await generateText({ model, prompt: 'List.', tools: await tools(project()), stopWhen: isStepCount(2) });
    expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ toolName: 'LS', output: { type: isError ? 'error-text' : 'text', value: text } }],
    });
  });

  it('declares the tool', async () => {
    const model = modelThatCalls({});
    await generateText({ model, prompt: 'List.', tools: await tools(project(), { dialect: 'codex' }) });
    expect(model.doGenerateCalls[0]?.tools).toMatchObject([
      { type: 'function', name: 'list_dir', inputSchema: { type: 'object', required: ['dir_path'] } },
    ]);
  });

  it('ends with the request', async () => {
    const controller = new AbortController();
    const outputs: unknown[] = [];
    const request = generateText({
      model: modelThatCalls({}),
      prompt: 'List.',
      tools: await tools(project()),
      stopWhen: isStepCount(2),
      abortSignal: controller.signal,
      onToolExecutionStart: () => controller.abort(),
      onToolExecutionEnd: ({ toolOutput }) => {
        outputs.push(toolOutput);
      },
    });
    await expect(request).rejects.toThrow();
    expect(outputs).toMatchObject([{ type: 'tool-error', error: { message: CANCELLED } }]);
  });
});
