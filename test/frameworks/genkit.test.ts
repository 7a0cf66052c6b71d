import { genkit } from 'genkit';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/genkit.ts';
import { LISTED, project, REFUSED } from '../support/adapters.ts';

/** A model that calls `LS` once, and then is content; and what it was asked. */
function modelThatCalls(input: unknown) {
  const ai = genkit({});
  const requests: { messages: { content: { toolResponse?: { output?: unknown } }[] }[]; tools?: unknown }[] = [];
  const model = ai.defineModel({ name: 'scripted', supports: { tools: true, multiturn: true } }, async (request) => {
    requests.push(JSON.parse(JSON.stringify(request)));
    const part = requests.length === 1 ? { toolRequest: { name: 'LS', ref: '1', input } } : { text: 'done' };
    return { message: { role: 'model', content: [part] }, finishReason: 'stop' };
  });
  return { ai, model, requests };
}

describe('agent-ls/genkit in generate', () => {
  it('runs', async () => {
    const { ai, model, requests } = modelThatCalls({});
    await ai.generate({ model, prompt: 'List.', tools: await tools(project(), { ai }) });
    expect(requests[0]?.tools).toMatchObject([{ name: 'LS' }, { name: 'Tree' }, { name: 'Find' }]);
    expect(requests[1]?.messages.at(-1)?.content[0]?.toolResponse?.output).toBe(LISTED);
  });

  it('says what is wrong with a parameter that its schema allows', async () => {
    const { ai, model } = modelThatCalls({ path: '..' });
    const request = ai.generate({ model, prompt: 'List.', tools: await tools(project(), { ai }) });
    await expect(request).rejects.toThrow('Access denied');
    expect(REFUSED).toContain('limit');
  });
});
