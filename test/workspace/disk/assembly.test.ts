import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('the WebAssembly is what its source compiles to; if not, `node scripts/assembly.js` makes it anew', async () => {
  const project = new URL('../../../', import.meta.url);
  const { assembled } = await import(new URL('scripts/assembly.js', project).href);
  for (const { file, content } of await assembled()) {
    expect(readFileSync(new URL(file, project), 'utf8'), file).toBe(content);
  }
});
