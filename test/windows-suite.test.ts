/** Each test file of the rooms runs on Windows (`npm run test:systems`), or says why it does not. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Suite {
  readonly rooms: readonly string[];
  readonly run: readonly string[];
  readonly notRun: Readonly<Record<string, string>>;
}

const here = (path: string) => new URL(path, import.meta.url);
const { rooms, run, notRun }: Suite = JSON.parse(readFileSync(here('systems/windows/suite.json'), 'utf8'));

it('each file is listed once', () => {
  const files = rooms.flatMap((room) =>
    readdirSync(here(`${room}/`), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${room}/${name.replaceAll('\\', '/')}`),
  );
  expect([...run, ...Object.keys(notRun)].sort()).toEqual(files.sort());
});

it('each file that does not run has a reason', () => {
  for (const reason of Object.values(notRun)) expect(reason).toMatch(/^\w+ \w+/);
});
