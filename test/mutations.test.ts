/** What `npm run mutate` changes is still there to be changed. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const script = new URL('../scripts/mutations.js', import.meta.url).href;
const { MUTATIONS } = (await import(script)) as { MUTATIONS: [file: string, from: string, to: string][] };

it.each(MUTATIONS)('%s holds %j', (file, from) => {
  expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).toContain(from);
});
