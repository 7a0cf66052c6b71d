/** Opens an archive by its path. */
import { open as openFile, realpath, stat } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { bytesOf } from '../../names/bytes.ts';
import type { Open } from '../asking.ts';
import { asyncSource } from '../loading/async-source.ts';
import { archiveTree } from './archive-tree.ts';
import type { ReadArchive } from './archived.ts';
import { tarReader } from './tar-archive.ts';
import { readZip } from './zip-archive.ts';
import { zstdDecompressor } from './zstd.ts';

const READERS: readonly (readonly [RegExp, ReadArchive])[] = [
  [/\.zip$/i, readZip],
  [/\.tar$/i, tarReader(() => null)],
  [/\.(?:tar\.gz|tgz)$/i, tarReader(() => createGunzip())],
  [/\.tar\.zst$/i, tarReader(zstdDecompressor)],
];

/** Returns null if there is no such file: a directory may have such a name, too. */
export const open: Open = async (path, { maxAge, signal }) => {
  const read = READERS.find(([name]) => name.test(path))?.[1];
  const stats = await stat(path).catch(() => null);
  if (read === undefined || !stats?.isFile()) return null;
  const real = await realpath(path);
  const file = {
    realPath: bytesOf(real),
    version: async () => {
      const { dev, ino, size, mtimeMs, ctimeMs } = await stat(real);
      return [dev, ino, size, mtimeMs, ctimeMs].join(' ');
    },
    open: () => openFile(real, 'r'),
  };
  const tree = archiveTree(file, read);
  // Reports a file that is not an archive, and a missing package.
  await tree.check(signal);
  return asyncSource(tree, { maxAge });
};
