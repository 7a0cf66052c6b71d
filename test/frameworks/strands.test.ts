import { Agent, FunctionTool, Model } from '@strands-agents/sdk';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/strands.ts';
import { CALLS, project } from '../support/adapters.ts';

/** Calls `LS` once, and then is content. */
class ModelThatCalls extends Model {
  readonly requests: { messages: unknown[]; options: unknown }[] = [];
  readonly #input: unknown;

  constructor(input: unknown) {
    super();
    this.#input = input;
  }

  updateConfig(): void {}

  getConfig() {
    return {};
  }

  async *stream(messages: unknown[], options: unknown): AsyncGenerator<never> {
    this.requests.push({ messages: JSON.parse(JSON.stringify(messages)), options });
    const isFirst = this.requests.length === 1;
    const events = isFirst
      ? [
          { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name: 'LS', toolUseId: '1' } },
          {
            type: 'modelContentBlockDeltaEvent',
            delta: { type: 'toolUseInputDelta', input: JSON.stringify(this.#input) },
          },
        ]
      : [
          { type: 'modelContentBlockStartEvent' },
          { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text: 'done' } },
        ];
    yield { type: 'modelMessageStartEvent', role: 'assistant' } as never;
    for (const event of events) yield event as never;
    yield { type: 'modelContentBlockStopEvent' } as never;
    yield { type: 'modelMessageStopEvent', stopReason: isFirst ? 'toolUse' : 'endTurn' } as never;
  }
}

describe('agent-ls/strands in an agent', () => {
  it.each(CALLS)('%s', async (_, input, text, isError) => {
    const model = new ModelThatCalls(input);
    const agent = new Agent({ model: model as never, tools: await tools(project(), { FunctionTool }), printer: false });
    await agent.invoke('List.');
    expect(JSON.stringify(model.requests[0]?.options)).toContain('"name":"LS"');
    const answered = JSON.stringify(model.requests[1]?.messages.at(-1));
    expect(answered).toContain(JSON.stringify(text).slice(1, -1));
    expect(answered).toContain(`"status":"${isError ? 'error' : 'success'}"`);
  });
});
