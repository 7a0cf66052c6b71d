/** A directory of the disk, copied into memory with all that is known of it. */
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { typeOf } from '../../src/disk/disk-reader.ts';
import { fsPath } from '../../src/disk/fs-path.ts';
import { type MemorySource, memorySource } from '../../src/index.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import { quoted } from '../../src/names/quote.ts';

/** The copy is known by the same path. */
export function inMemory(root: string): MemorySource {
  const source = memorySource({}, { root });
  copy('');
  return source;

  function copy(directory: string): void {
    for (const name of readdirSync(fsPath(`${root}/${directory}`), 'latin1')) {
      const path = `${directory}${name}`;
      const absolute = fsPath(`${root}/${path}`);
      const stats = lstatSync(absolute);
      const { size, mtimeMs: modified, mode, uid: user, gid: group } = stats;
      const type = typeOf(stats);
      source.set(quoted(path as Bytes), {
        ...{ type, size, modified, mode, user, group },
        ...(type === 'link' ? { link: quoted(readlinkSync(absolute, 'latin1') as Bytes) } : {}),
        ...(type === 'file' ? { content: readFileSync(absolute) } : {}),
      });
      if (type === 'dir') copy(`${path}/`);
    }
  }
}
