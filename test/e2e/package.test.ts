/** The built package, as another package imports it. `npm test` builds it first. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const project = fileURLToPath(new URL('../..', import.meta.url));
const { exports } = JSON.parse(readFileSync(`${project}/package.json`, 'utf8'));
const entries = Object.keys(exports).filter((entry) => entry !== './package.json');

it.each(entries)('%s has its types', (entry) => {
  expect(existsSync(`${project}/${exports[entry].types}`)).toBe(true);
});

it('what is exported can be imported', () => {
  const script = `
    const found = {};
    for (const entry of ${JSON.stringify(entries)}) {
      const module = await import('agent-ls' + entry.slice(1));
      found[entry] = Object.keys(module);
    }
    console.log(JSON.stringify(found));
  `;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: project });
  expect(JSON.parse(String(stdout))).toEqual({
    '.': expect.arrayContaining(['call', 'list', 'openWorkspace']),
    './tools': ['tools', 'toolsOf'],
    './ai-sdk': ['tools'],
    './openai': ['agentTools', 'chatTools', 'tools'],
    './anthropic': ['tools'],
    './gemini': ['tools'],
    './langchain': ['tools'],
    './mastra': ['tools'],
    './mcp': ['createServer'],
  });
});
