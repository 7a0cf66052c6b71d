/** Roots elsewhere that fail, hang, or answer with something else: each call is answered, and nobody else has to wait. */
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { call, openWorkspace, sandboxSource, tree, type Workspace } from '../../src/index.ts';
import { SANDBOXES } from '../support/sandboxes.ts';
import { FILE_SYSTEM, SANDBOX_KINDS } from '../support/sources.ts';
import { makeTree } from '../support/tree.ts';

const PROJECT = { 'src/a.ts': '', 'src/b.ts': '', 'README.md': '' };

/** Both tools answer, and no answer is a stack trace. */
async function expectAnswers(workspace: Workspace): Promise<void> {
  using _ = workspace;
  for (const ask of [call('standard', {}, workspace, SHORT), tree({}, workspace, SHORT)]) {
    const answer = await ask;
    expect(answer.text).not.toMatch(/\n\s+at |TypeError|undefined|\[object/);
  }
}

const SHORT = { timeLimit: 200 };
const HANGING = new Promise<never>(() => {});

const FAULTS: Readonly<Record<string, () => unknown>> = {
  'fails with no reason': () => Promise.reject(new Error('boom')),
  'fails with something else than an error': () => Promise.reject('boom'),
  'fails at once': () => {
    throw Object.assign(new Error('boom'), { code: 'ECONNRESET' });
  },
  hangs: () => HANGING,
  'gives nothing': async () => undefined,
  'gives a number': async () => 5,
  'gives a text': async () => 'garbage',
  'gives something else than entries': async () => [null, 5, {}, { name: 7 }, { name: '' }, { path: '/etc/passwd' }],
};

describe.each(Object.entries(FAULTS))('what %s', (_, fault) => {
  it('is answered where it is a file system', async () => {
    const root = makeTree(PROJECT);
    const faulty = { ...fs.promises, readdir: fault } as unknown as typeof fs.promises;
    await expectAnswers(await openWorkspace(root, { fs: faulty }));
  });

  it.each(Object.keys(SANDBOXES))('is answered where it is a sandbox like %s', async (name) => {
    const faulty = {
      E2B: { files: { list: fault, read: fault } },
      Daytona: { fs: { listFiles: fault, downloadFile: fault } },
      Vercel: { runCommand: fault, readFileToBuffer: fault },
    }[name] as unknown as Parameters<typeof sandboxSource>[0];
    await expectAnswers(await openWorkspace(sandboxSource(faulty, { root: '/home/user' })));
  });
});

it.each([FILE_SYSTEM, ...SANDBOX_KINDS].map((kind) => [kind.name, kind] as const))(
  '%s answers 64 calls at once',
  async (_, kind) => {
    using workspace = await kind.open(PROJECT);
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_, i) =>
        i % 2 === 0 ? tree({}, workspace) : call('standard', { path: 'src' }, workspace),
      ),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(2);
    expect(answers.every(({ status }) => status === 'success')).toBe(true);
  },
);
