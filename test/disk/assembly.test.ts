import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Assembly } from '../../src/disk/assembly.ts';
import { systemCalls } from '../../src/disk/system-calls.ts';

it('the WebAssembly is what its source compiles to; if not, `node scripts/assembly.js` makes it anew', async () => {
  const project = new URL('../../', import.meta.url);
  const { assembled } = await import(new URL('scripts/assembly.js', project).href);
  for (const { file, content } of await assembled()) {
    expect(readFileSync(new URL(file, project), 'utf8'), file).toBe(content);
  }
});

const calls = systemCalls();

it.runIf(calls !== null)('a few that serve nobody are kept for the next, however many there were', () => {
  const take = (count: number) => Array.from({ length: count }, () => calls && Assembly.for(calls));
  const many = take(6);
  for (const one of many) one?.release();
  const again = take(6);
  expect(new Set(again).size).toBe(6);
  expect(again.filter((one) => many.includes(one))).toHaveLength(4);
  for (const one of again) one?.release();
});
