import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the WebAssembly is what its source compiles to; if not, `node scripts/assembly.js` makes it anew', async () => {
  const { assemblyCode } = await import(new URL('../../../scripts/assembly.js', import.meta.url).href);
  const file = new URL('../../../src/workspace/disk/assembly-code.ts', import.meta.url);
  expect(readFileSync(file, 'utf8')).toBe(await assemblyCode());
});
