import {
  Agent,
  invokeFunctionTool,
  type Model,
  type ModelRequest,
  RunContext,
  Runner,
  Usage,
} from '@openai/agents-core';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { agentTools, chatTools, tools } from '../../src/faces/adapters/openai.ts';
import { CALLS, CANCELLED, project } from '../support/adapters.ts';

const aborted = { signal: AbortSignal.abort() };

/** What the SDK sent, as the API would see it. */
function clientAndRequests() {
  const requests: Record<string, unknown>[] = [];
  const fetch = async (_: unknown, init?: { body?: unknown }) => {
    requests.push(JSON.parse(String(init?.body)));
    return Response.json({ output: [], choices: [] });
  };
  return { client: new OpenAI({ apiKey: 'none', fetch: fetch as never }), requests };
}

describe('agent-ls/openai for the Responses API', () => {
  const call = (input: unknown) => ({ name: 'LS', call_id: 'c1', arguments: JSON.stringify(input) });

  it.each(CALLS)('%s', async (_, input, text) => {
    const ls = await tools(project());
    expect(await ls.run(call(input))).toEqual({ type: 'function_call_output', call_id: 'c1', output: text });
  });

  it('declares the tool, and not as strict', async () => {
    const { client, requests } = clientAndRequests();
    const ls = await tools(project());
    await client.responses.create({ model: 'x', input: [await ls.run(call({}))], tools: ls.tools });
    const rest = { type: 'function', strict: false, parameters: { type: 'object' } };
    expect(requests).toMatchObject([
      {
        tools: [
          { name: 'LS', ...rest },
          { name: 'Tree', ...rest },
          { name: 'Find', ...rest },
        ],
      },
    ]);
  });

  it('ends with the signal', async () => {
    expect((await (await tools(project())).run(call({}), aborted)).output).toBe(CANCELLED);
  });

  it('answers a call of a tool that is not there', async () => {
    const { output } = await (await tools(project())).run({ ...call({}), name: 'ls' });
    expect(output).toBe("There is no tool 'ls'. Did you mean 'LS'? The tools are: LS, Tree, Find.");
  });

  it.each([
    ['{"path": ', /^Parameters must be a JSON object/],
    ['', /^Listed 2 entries/],
  ])('answers the arguments %j', async (text, answer) => {
    const { output } = await (await tools(project())).run({ ...call({}), arguments: text });
    expect(output).toMatch(answer);
  });
});

describe('agent-ls/openai for chat completions', () => {
  const call = (input: unknown) => ({ id: 'c1', function: { name: 'LS', arguments: JSON.stringify(input) } });

  it.each(CALLS)('%s', async (_, input, text) => {
    const ls = await chatTools(project());
    expect(await ls.run(call(input))).toEqual({ role: 'tool', tool_call_id: 'c1', content: text });
  });

  it('declares the tool', async () => {
    const { client, requests } = clientAndRequests();
    const ls = await chatTools(project());
    await client.chat.completions.create({ model: 'x', messages: [await ls.run(call({}))], tools: ls.tools });
    const parameters = { type: 'object' };
    expect(requests).toMatchObject([
      {
        tools: [
          { type: 'function', function: { name: 'LS', parameters } },
          { type: 'function', function: { name: 'Tree', parameters } },
          { type: 'function', function: { name: 'Find', parameters } },
        ],
      },
    ]);
  });

  it('ends with the signal', async () => {
    expect((await (await chatTools(project())).run(call({}), aborted)).content).toBe(CANCELLED);
  });
});

/** Calls `LS` once, and then is content. */
class ModelThatCalls implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #input: unknown;

  constructor(input: unknown) {
    this.#input = input;
  }

  async getResponse(request: ModelRequest) {
    this.requests.push(request);
    const call = { type: 'function_call', callId: 'c1', name: 'LS', arguments: JSON.stringify(this.#input) } as const;
    const done = {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'done' }],
    } as const;
    return { usage: new Usage(), output: [this.requests.length === 1 ? call : done] as never[] };
  }

  getStreamedResponse(): never {
    throw new Error('not asked for');
  }
}

describe('agent-ls/openai in an agent of the Agents SDK', () => {
  it.each(CALLS)('%s', async (_, input, text) => {
    const model = new ModelThatCalls(input);
    const agent = new Agent({ name: 'lister', model, tools: await agentTools(project()) });
    await new Runner({ tracingDisabled: true }).run(agent, 'List.');
    expect(model.requests[0]?.tools).toMatchObject([
      { type: 'function', name: 'LS', strict: false },
      { type: 'function', name: 'Tree', strict: false },
      { type: 'function', name: 'Find', strict: false },
    ]);
    const [, second] = model.requests;
    expect([...(second?.input ?? [])].at(-1)).toMatchObject({
      type: 'function_call_result',
      name: 'LS',
      output: { type: 'text', text },
    });
  });

  it('ends with the signal', async () => {
    const [tool] = await agentTools(project());
    if (tool === undefined) throw new Error('no tool');
    const answer = await invokeFunctionTool({ tool, runContext: new RunContext(), input: '{}', details: aborted });
    expect(answer).toBe(CANCELLED);
  });
});
