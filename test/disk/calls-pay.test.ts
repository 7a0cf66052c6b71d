/** When direct system calls are loaded: modules are loaded anew, because a process that has them uses them. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { bytesOf } from '../../src/names/bytes.ts';
import type { SubtreeForm } from '../../src/workspace/subtree.ts';
import { makeTree } from '../support/tree.ts';

const form: SubtreeForm<never> = {
  ...{ prefix: bytesOf('p/'), end: 10, types: 0xf, levels: 9, hidesDotfiles: false },
  ...{ followLink: null, orderOf: null, rules: null },
};

beforeEach(() => vi.resetModules());

async function directoryWith(inner: number) {
  const root = makeTree(Object.fromEntries(Array.from({ length: inner }, (_, i) => [`wide/${i}/f`, ''])));
  const { pinByDescriptor, pinUntilCallsPay } = await import('../../src/disk/pinned-by-descriptor.ts');
  const { loadedSystemCalls, systemCalls } = await import('../../src/disk/system-calls.ts');
  const directory = pinUntilCallsPay(bytesOf(root));
  if (directory === null) throw new Error('the root is a link');
  return { root, directory, pinByDescriptor, loadedSystemCalls, systemCalls };
}

describe.runIf(process.platform === 'linux')('direct system calls', () => {
  it('are loaded for a directory that has very many in it', async () => {
    const { root, directory, loadedSystemCalls, systemCalls } = await directoryWith(70);
    const subtree = directory.writeBelow?.(bytesOf('wide'), form) ?? null;
    // Some file systems do not count links.
    const isCounted = statSync(join(root, 'wide')).nlink > 1;
    expect(loadedSystemCalls()).toBe(isCounted ? systemCalls() : null);
    expect(subtree === null).toBe(loadedSystemCalls() === null);
    if (subtree !== null) {
      expect(subtree.proceed(() => false)).toBe('done');
      expect(Buffer.from(subtree.lines).toString()).toContain('p/69/f\n');
      subtree.close();
    }
    directory.close();
  });

  it('are not loaded for what was read without them on purpose', async () => {
    const { root, directory, pinByDescriptor, loadedSystemCalls, systemCalls } = await directoryWith(1);
    const openOften = (opener: ReturnType<typeof pinByDescriptor>) => {
      for (let i = 0; i < 70; i++) {
        const found = opener?.lookup(bytesOf('wide'));
        if (found?.kind === 'directory') found.directory.close();
      }
    };
    openOften(pinByDescriptor(bytesOf(root)));
    directory.lookup(bytesOf('wide'));
    expect(loadedSystemCalls()).toBeNull();
    openOften(directory);
    expect(loadedSystemCalls()).toBe(systemCalls());
    directory.close();
  });

  it('are not loaded for a few, or for what is no directory', async () => {
    const { directory, loadedSystemCalls } = await directoryWith(20);
    for (const name of ['wide', 'none']) expect(directory.writeBelow?.(bytesOf(name), form) ?? null).toBeNull();
    expect(loadedSystemCalls()).toBeNull();
    directory.close();
  });
});
