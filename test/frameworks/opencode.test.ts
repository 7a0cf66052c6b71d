/** The plugin in opencode itself: its program, started in a project, with a model that a local server stands for. */
import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tool } from '@opencode-ai/plugin';
import { expect, it } from 'vitest';
import { tools } from '../../src/faces/adapters/opencode.ts';
import { LISTED, project, REFUSED } from '../support/adapters.ts';
import { addTree, emptyDirectory, makeTree } from '../support/tree.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));

it('agent-ls/opencode has the shape of a plugin’s tools, and refuses nothing before the tool does', async () => {
  const { LS } = await tools(project(), { schema: tool.schema });
  const args = tool.schema.object(LS?.args ?? {});
  expect(tool.schema.toJSONSchema(args)).toMatchObject({
    properties: { path: { type: 'string' }, limit: { type: 'integer', maximum: 200 }, ignore: { type: 'array' } },
  });
  const context = { abort: new AbortController().signal };
  expect(await LS?.execute(args.parse({}), context)).toBe(LISTED);
  await expect(LS?.execute(args.parse({ limit: 'many' }), context)).rejects.toThrow(REFUSED);
});

it('agent-ls/opencode in opencode', async () => {
  const requests: { tools?: { function: { name: string } }[]; messages: { content: unknown }[] }[] = [];
  const api = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    const offers = body.tools?.some((one: { function: { name: string } }) => one.function.name === 'LS') ?? false;
    if (offers) requests.push(body);
    const calls = offers && requests.length === 1;
    const call = { index: 0, id: 'c1', type: 'function', function: { name: 'LS', arguments: '{"path":"src"}' } };
    const delta = calls ? { role: 'assistant', tool_calls: [call] } : { role: 'assistant', content: 'done' };
    const chunk = (choice: object) => `data: ${JSON.stringify({ id: 'x', model: 'm', choices: [choice] })}\n\n`;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunk({ index: 0, delta, finish_reason: null }));
    response.write(chunk({ index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }));
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  const baseURL = `http://127.0.0.1:${(api.address() as AddressInfo).port}/v1`;
  const model = { m: { name: 'm', tool_call: true } };
  const scripted = { npm: '@ai-sdk/openai-compatible', options: { baseURL, apiKey: 'none' }, models: model };
  const root = makeTree({ 'src/a.ts': '' });
  addTree(root, { '.opencode/plugin/': null });
  const settings = { model: 'scripted/m', small_model: 'scripted/m', provider: { scripted } };
  writeFileSync(join(root, 'opencode.json'), JSON.stringify(settings));
  writeFileSync(
    join(root, '.opencode/plugin/agent-ls.js'),
    `import { tool } from ${JSON.stringify(join(HERE, 'node_modules/@opencode-ai/plugin/dist/tool.js'))};
     import { tools } from ${JSON.stringify(join(HERE, '../../dist/faces/adapters/opencode.js'))};
     export const AgentLs = async ({ directory }) => ({ tool: await tools(directory, { schema: tool.schema }) });`,
  );
  const folder = readdirSync(join(HERE, 'node_modules')).find(
    (name) => name.startsWith('opencode-') && !name.endsWith('-ai'),
  );
  const command = join(HERE, 'node_modules', folder ?? 'opencode-is-not-installed', 'bin/opencode');
  const child = spawn(command, ['run', 'List.'], { cwd: root, env: { ...process.env, HOME: emptyDirectory() } });
  await new Promise((resolve) => child.on('close', resolve));
  api.close();
  expect(requests[0]?.tools?.map((one) => one.function.name)).toEqual(expect.arrayContaining(['LS', 'Tree']));
  expect(requests[1]?.messages.at(-1)?.content).toContain("Listed 1 entries in 'src'");
});
