// What several tests of the protocol share: a sound envelope, and directories that go away after each test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';

/** A valid success, with whatever the test is about put over it. */
export function envelope(over: object = {}) {
  return {
    status: 'success',
    data: {},
    text: 'done',
    stats: { time_ms: 3 },
    context: { cwd: '.', params_input: {} },
    ...over,
  };
}

const made: string[] = [];

export async function temporaryRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'agent-ls-protocol-'));
  made.push(root);
  return root;
}

afterEach(async () => {
  for (const root of made.splice(0)) await rm(root, { recursive: true, force: true });
});
