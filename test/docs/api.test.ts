import { join } from 'node:path';
import { expect, it } from 'vitest';
import { apiPage, leftOut } from './api-page.ts';
import { API_PAGE, PROJECT } from './pages.ts';

it('docs/api.md has what a program calls, as it is declared', async () => {
  await expect(apiPage()).toMatchFileSnapshot(join(PROJECT, API_PAGE));
});

/** What belongs to the language, to Node or to a framework, and type parameters. */
const ELSEWHERE =
  'AbortController AbortSignal Answer ArrayBuffer AsyncGenerator AsyncIterable Awaited Buffer Date Error Iterable Listed Made Message Name Names Omit Only Options Params Partial Pick Promise Readonly Record Required Result ReturnType Schema Server Shape Symbol ToolMessage TypeError Uint32Array Uint8Array';
/** What a user neither makes nor takes apart. */
const INSIDE =
  'Budget DialectRules GivenPath Input Location OfferedOrder ParameterError ParamsIn Query Reply Steps Undiscounted Unfilled Visit';

it('a type that a declaration names is declared on the page', () => {
  const code = [...apiPage().matchAll(/^```ts\n([\s\S]*?)\n```$/gm)].map(([, text = '']) => text).join('\n');
  const declared = [...code.matchAll(/^(?:function|const|class|interface|type) (\w+)/gm)].map(([, name]) => name);
  const known = new Set([...declared, ...`${ELSEWHERE} ${INSIDE}`.split(' '), ...leftOut]);
  const named = code.replaceAll(/\/\*\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'/g, '').matchAll(/(?<![.\w])[A-Z]\w*[a-z]\w*/g);
  expect([...named].map(([name]) => name).filter((name) => !known.has(name))).toEqual([]);
});

it('every export has a description', () => {
  const bare = [...apiPage().matchAll(/^### `(\w+)`\n\n```ts$/gm)].map(([, name]) => name);
  expect(bare).toEqual([]);
});
