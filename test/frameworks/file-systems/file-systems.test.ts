/** Virtual file systems as they are on npm: memfs, and the one of just-bash. */
import { Bash } from 'just-bash';
import { Volume } from 'memfs';
import { describe, expect, it } from 'vitest';
import { type FileSystemLike, list, openWorkspace, tree } from '../../../src/index.ts';

const FILES = { '/repo/src/a.ts': 'abc', '/repo/src/deep/b.ts': '', '/repo/README.md': '# x', '/etc/secret': 'x' };

const SYSTEMS: Readonly<Record<string, () => Promise<FileSystemLike>>> = {
  memfs: async () => {
    const volume = Volume.fromJSON(FILES);
    volume.symlinkSync('src', '/repo/in');
    volume.symlinkSync('/etc', '/repo/out');
    return volume.promises as unknown as FileSystemLike;
  },
  'just-bash': async () => {
    const { fs } = new Bash({ files: FILES });
    await fs.symlink('src', '/repo/in');
    await fs.symlink('/etc', '/repo/out');
    return fs as unknown as FileSystemLike;
  },
};

describe.each(Object.entries(SYSTEMS))('%s', (_, make) => {
  it('is listed, mapped and confined as a disk', async () => {
    const workspace = await openWorkspace('/repo', { fs: await make() });
    const { entries } = await list({ depth: Infinity, metadata: true }, workspace);
    expect(entries.map(({ path, type, metadata }) => [path, type, metadata.target])).toEqual([
      ['in', 'link', 'src'],
      ['src', 'dir', undefined],
      ['src/deep', 'dir', undefined],
      ['src/deep/b.ts', 'file', undefined],
      ['src/a.ts', 'file', undefined],
      ['out', 'link', '/etc'],
      ['README.md', 'file', undefined],
    ]);
    expect(entries.find(({ name }) => name === 'a.ts')?.metadata.size).toBe(3);
    expect((await tree({}, workspace)).text).toContain('README.md');
    expect((await list({ path: 'in' }, workspace)).entries).toHaveLength(2);
    await expect(list({ path: 'out' }, workspace)).rejects.toMatchObject({ kind: 'outside' });
    await expect(list({ path: '../etc' }, workspace)).rejects.toMatchObject({ kind: 'outside' });
    await expect(list({ path: 'none' }, workspace)).rejects.toMatchObject({ kind: 'missing' });
  });
});
