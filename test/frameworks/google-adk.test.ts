import { BaseLlm, FunctionTool, InMemoryRunner, LlmAgent } from '@google/adk';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/google-adk.ts';
import { CALLS, project } from '../support/adapters.ts';

/** Calls `LS` once, and then is content. */
class ModelThatCalls extends BaseLlm {
  readonly requests: { contents: unknown[]; config?: { tools?: unknown } }[] = [];
  readonly #args: Record<string, unknown>;

  constructor(args: Record<string, unknown>) {
    super({ model: 'scripted' });
    this.#args = args;
  }

  override async *generateContentAsync(request: never): AsyncGenerator<never> {
    this.requests.push(JSON.parse(JSON.stringify(request)));
    const part =
      this.requests.length === 1 ? { functionCall: { id: '1', name: 'LS', args: this.#args } } : { text: 'done' };
    yield { content: { role: 'model', parts: [part] } } as never;
  }

  override async connect(): Promise<never> {
    throw new Error('not asked for');
  }
}

describe('agent-ls/google-adk in an agent', () => {
  it.each(CALLS)('%s', async (_, args, text, isError) => {
    const model = new ModelThatCalls(args);
    const given = await tools(project(), { FunctionTool });
    const agent = new LlmAgent({ name: 'lister', model, instruction: 'List.', tools: given as never[] });
    const runner = new InMemoryRunner({ agent, appName: 'test' });
    const session = await runner.sessionService.createSession({ appName: 'test', userId: 'u' });
    const newMessage = { role: 'user', parts: [{ text: 'List.' }] };
    for await (const _event of runner.runAsync({ userId: 'u', sessionId: session.id, newMessage }));
    expect(JSON.stringify(model.requests[0]?.config?.tools)).toContain('"type":"OBJECT"');
    const answered = JSON.stringify(model.requests[1]?.contents.at(-1));
    expect(answered).toContain(JSON.stringify(isError ? { error: text } : { output: text }).slice(1, -1));
  });
});
