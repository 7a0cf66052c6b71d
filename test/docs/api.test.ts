import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiPage } from './api-page.ts';
import { API_PAGE, PROJECT } from './pages.ts';

it('docs/api.md has every export as it is declared', async () => {
  await expect(apiPage()).toMatchFileSnapshot(join(PROJECT, API_PAGE));
});

it('every type that a declaration names is declared on the page, or is everybody’s', () => {
  const code = [...apiPage().matchAll(/^```ts\n([^]*?)\n```$/gm)].map(([, text = '']) => text).join('\n');
  const declared = new Set([...code.matchAll(/^(?:function|const|class|interface|type) (\w+)/gm)].map(([, name]) => name));
  const named = code.replaceAll(/\/\*\*[^]*?\*\/|\/\/.*|'[^'\n]*'/g, '').matchAll(/(?<![.\w])[A-Z]\w+/g);
  expect([...new Set([...named].map(([name]) => name))].filter((name) => !declared.has(name)).sort()).toEqual([]);
});
