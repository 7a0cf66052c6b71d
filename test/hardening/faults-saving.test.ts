/** The observation truncator where nothing can be saved: a full disk, a root that may not be written to. */
import type { PathLike } from 'node:fs';
import { readdirSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createToolbox } from '../../src/faces/library/toolbox.ts';
import { truncateObservation } from '../../src/protocol/truncate.ts';
import { validateResponse } from '../../src/protocol/validate.ts';
import { asNobody } from '../support/nobody.ts';
import { makeTree } from '../support/tree.ts';

/** What the system says at the steps of a save from now on. */
const disk = vi.hoisted(() => ({ mkdir: '', open: '', write: '', readdir: '' }));
const refusal = vi.hoisted(() => (code: string) => Object.assign(new Error(`${code}: '/proc/self/fd/9'`), { code }));

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof promises>();
  return {
    ...real,
    mkdir: (path: PathLike, options: object) =>
      disk.mkdir === '' ? real.mkdir(path, options) : Promise.reject(refusal(disk.mkdir)),
    readdir: (path: PathLike) => (disk.readdir === '' ? real.readdir(path) : Promise.reject(refusal(disk.readdir))),
    async open(path: PathLike, flags: string | number, mode?: number) {
      if (disk.open !== '' && flags === 'wx') throw refusal(disk.open);
      const handle = await real.open(path, flags, mode);
      if (disk.write === '' || flags !== 'wx') return handle;
      // Some of it finds room.
      await handle.write('half');
      handle.writeFile = () => Promise.reject(refusal(disk.write));
      return handle;
    },
  };
});

const RESULT = { status: 'success', data: { content: 'line\n'.repeat(5000) }, text: 'much' } as const;
const WHOLE = { ...RESULT, stats: { time_ms: 5 }, context: { cwd: '.', params_input: { a: 1 } } };

function expectUnsaved(answer: unknown, code: string): void {
  expect(validateResponse(answer)).toEqual({ valid: true, violations: [] });
  expect(answer).toMatchObject({
    status: 'partial',
    text: expect.stringContaining(`The full output could not be saved (${code}); only the preview is left.`),
    data: { truncated: true, preview: expect.stringContaining('line') },
    stats: { time_ms: 5 },
    context: WHOLE.context,
  });
  expect(answer).not.toHaveProperty('data.truncation.full_output_path');
  expect(JSON.stringify(answer)).not.toContain('/proc/');
}

describe('the truncator', () => {
  it.each([
    ['mkdir', 'ENOSPC'],
    ['mkdir', 'EROFS'],
    ['open', 'ENOSPC'],
    ['open', 'EDQUOT'],
    ['open', 'EMFILE'],
    ['write', 'ENOSPC'],
    ['write', 'EIO'],
  ] as const)('answers when %s fails with %s, and leaves nothing half done', async (step, code) => {
    const root = makeTree({ 'tool-output': null });
    disk[step] = code;
    onTestFinished(() => {
      disk[step] = '';
    });
    expectUnsaved(await truncateObservation(WHOLE, { tool: 'T', root }), code);
    expect(readdirSync(join(root, 'tool-output'))).toEqual([]);
  });

  it('keeps what it saved when old files cannot be looked for', async () => {
    const root = makeTree({});
    disk.readdir = 'EIO';
    onTestFinished(() => {
      disk.readdir = '';
    });
    const answer = await truncateObservation(WHOLE, { tool: 'T', root });
    expect(answer).toMatchObject({ data: { truncation: { full_output_path: expect.any(String) } } });
    expect(readdirSync(join(root, 'tool-output'))).toHaveLength(1);
  });

  it('answers when the root may not be written to', async () => {
    const root = makeTree({ d: null });
    const answer = await asNobody(root, ['.'], () => truncateObservation(WHOLE, { tool: 'T', root }), 0o555);
    expectUnsaved(answer, 'EACCES');
    expect(readdirSync(root)).toEqual(['d']);
  });

  it('does so in a toolbox, too', async () => {
    const root = makeTree({});
    disk.write = 'ENOSPC';
    onTestFinished(() => {
      disk.write = '';
    });
    const toolbox = createToolbox({ root, tools: { Much: async () => WHOLE } });
    expectUnsaved(await toolbox.run('Much', { a: 1 }), 'ENOSPC');
  });
});
