/**
 * The user experience of proposal 0015, on the trees that it shows. What the document fixes is held character by
 * character; the order of the entries is the contract's, by name, which its drawings do not follow. The example with a
 * pattern stands in `mycode-pattern.test.ts`.
 */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dialects } from '../../src/dialects/index.ts';
import { openWorkspace } from '../../src/faces/library/open-workspace.ts';
import { makeTree } from '../support/tree.ts';

async function textOf(root: string, params: object): Promise<string> {
  const workspace = await openWorkspace(root);
  const { answer, text } = await dialects.mycode.call(params, workspace, {});
  workspace.close();
  expect(answer.success).toBe(true);
  return text;
}

it('Basic Directory Listing', async () => {
  const root = makeTree({
    'src/index.ts': '',
    'src/cli/ui.ts': '',
    'src/agent': null,
    'src/providers': null,
    'src/session': null,
    'src/tools': null,
  });
  expect(`${await textOf(root, { path: 'src' })}\n`).toBe(`\
Contents of src/:
├── agent/
├── cli/
├── index.ts
├── providers/
├── session/
└── tools/

6 items (1 file, 5 directories)
`);
});

it('Detailed Listing with Metadata: rows as drawn, horizontal lines as long as the rows', async () => {
  const root = makeTree({ 'src/tools/builtin/bash.ts': 'not counted: only one level is listed' });
  const local = (day: number, hour: number, minute: number) => new Date(2024, 0, day, hour, minute);
  const tools = join(root, 'src/tools');
  const file = (name: string, size: number, time: Date) => {
    writeFileSync(join(tools, name), 'x'.repeat(size));
    utimesSync(join(tools, name), time, time);
  };
  file('index.ts', 1.2 * 1024, local(15, 10, 30));
  file('types.ts', 2.8 * 1024, local(14, 15, 45));
  file('registry.ts', 4.1 * 1024, local(15, 9, 20));
  utimesSync(join(tools, 'builtin'), local(15, 11, 0), local(15, 11, 0));
  expect(`${await textOf(root, { path: 'src/tools', long: true })}\n`).toBe(`\
┌─ src/tools/ ─────────────────────────────────────┐
│ Name            Type   Size     Modified         │
├──────────────────────────────────────────────────┤
│ builtin/        dir    -        2024-01-15 11:00 │
│ index.ts        file   1.2 KB   2024-01-15 10:30 │
│ registry.ts     file   4.1 KB   2024-01-15 09:20 │
│ types.ts        file   2.8 KB   2024-01-14 15:45 │
└──────────────────────────────────────────────────┘

Summary: 3 files, 1 directory, 8.1 KB total
`);
});

it('Tree View for Recursive Listing: depth 2 shows two levels', async () => {
  const files = {
    '.': ['index.ts'],
    cli: ['index.ts', 'ui.ts', 'session-picker.ts'],
    agent: ['agent.ts', 'types.ts', 'index.ts'],
    providers: ['index.ts', 'types.ts', 'openai.ts', 'anthropic.ts', 'gemini.ts'],
    tools: ['index.ts', 'types.ts'],
    'tools/builtin': ['bash.ts', 'read.ts'],
  };
  const root = makeTree({});
  for (const [directory, names] of Object.entries(files)) {
    mkdirSync(join(root, 'src', directory), { recursive: true });
    for (const name of names) writeFileSync(join(root, 'src', directory, name), '');
  }
  expect(`${await textOf(root, { path: 'src', recursive: true, depth: 2 })}\n`).toBe(`\
src/
├── agent/
│   ├── agent.ts
│   ├── index.ts
│   └── types.ts
├── cli/
│   ├── index.ts
│   ├── session-picker.ts
│   └── ui.ts
├── index.ts
├── providers/
│   ├── anthropic.ts
│   ├── gemini.ts
│   ├── index.ts
│   ├── openai.ts
│   └── types.ts
└── tools/
    ├── builtin/
    ├── index.ts
    └── types.ts
`);
});
