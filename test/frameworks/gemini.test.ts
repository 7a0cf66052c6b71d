import { GoogleGenAI } from '@google/genai';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { tools } from '../../src/faces/adapters/gemini.ts';
import { CALLS, CANCELLED, project } from '../support/adapters.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('agent-ls/gemini', () => {
  it.each(CALLS)('%s', async (_, args, text, isError) => {
    const ls = await tools(project());
    expect(await ls.run({ id: 'f1', name: 'LS', args })).toEqual({
      functionResponse: { id: 'f1', name: 'LS', response: isError ? { error: text } : { output: text } },
    });
  });

  it('takes a call without an id and without arguments', async () => {
    const { functionResponse } = await (await tools(project())).run({ name: 'LS' });
    expect(functionResponse).toEqual({ name: 'LS', response: { output: expect.stringMatching(/^Listed 2/) } });
  });

  it('ends with the signal', async () => {
    const { functionResponse } = await (await tools(project())).run({ name: 'LS' }, { signal: AbortSignal.abort() });
    expect(functionResponse.response).toEqual({ error: CANCELLED });
  });

  it('declares the tool', async () => {
    const requests: { tools: unknown }[] = [];
    vi.stubGlobal('fetch', async (_: unknown, init: { body: string }) => {
      requests.push(JSON.parse(init.body));
      return Response.json({ candidates: [{ content: { role: 'model', parts: [{ text: 'done' }] } }] });
    });
    const ls = await tools(project());
    const parts = [await ls.run({ name: 'LS' })];
    const contents = [{ role: 'user', parts }];
    await new GoogleGenAI({ apiKey: 'none' }).models.generateContent({
      model: 'x',
      contents,
      config: { tools: ls.tools },
    });
    const parametersJsonSchema = { type: 'object' };
    expect(requests[0]?.tools).toMatchObject([
      {
        functionDeclarations: [
          { name: 'LS', parametersJsonSchema },
          { name: 'Tree', parametersJsonSchema },
          { name: 'Find', parametersJsonSchema },
        ],
      },
    ]);
  });

  it('leaves the calls of other tools to them', async () => {
    const ls = await tools(project());
    expect(await ls.callTool([{ name: 'Read' }, { name: 'LS' }])).toHaveLength(1);
  });
});

describe('agent-ls/gemini in automatic function calling', () => {
  it.each(CALLS)('%s', async (_, args, text, isError) => {
    const requests: { contents: { parts: unknown[] }[]; tools: unknown }[] = [];
    vi.stubGlobal('fetch', async (_: unknown, init: { body: string }) => {
      requests.push(JSON.parse(init.body));
      const part = requests.length === 1 ? { functionCall: { name: 'LS', args } } : { text: 'done' };
      return Response.json({ candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }] });
    });
    const ls = await tools(project());
    const ai = new GoogleGenAI({ apiKey: 'none' });
    const { text: said } = await ai.models.generateContent({ model: 'x', contents: 'List.', config: { tools: [ls] } });
    expect(said).toBe('done');
    expect(requests[0]?.tools).toEqual(JSON.parse(JSON.stringify(ls.tools)));
    expect(requests[1]?.contents.at(-1)?.parts).toEqual([
      { functionResponse: { name: 'LS', response: isError ? { error: text } : { output: text } } },
    ]);
  });
});
