/** What lies around a root on the disk. */
import { splitPath } from '../argument.ts';
import type { Bytes } from '../bytes.ts';
import { sharedNames } from '../paths.ts';
import type { Metadata, Outside, SkippedFile } from '../source.ts';
import { type DiskDirectory, metadataAt } from './disk-directory.ts';
import { exists, readPlainFile, realPath } from './plain-file.ts';

/** All of it is reached upwards from the root that is held, whatever stands in the place of a parent by now. */
export class DiskOutside implements Outside {
  readonly #root: DiskDirectory;
  readonly #names: readonly Bytes[];

  constructor(root: DiskDirectory, rootRealPath: Bytes) {
    this.#root = root;
    this.#names = splitPath(rootRealPath).names;
  }

  exists(path: Bytes): boolean {
    return exists(this.#fromRoot(path));
  }

  realPath(path: Bytes): Bytes | null {
    return realPath(this.#fromRoot(path));
  }

  readFile(path: Bytes, largest: number): Bytes | SkippedFile | null {
    return readPlainFile(this.#fromRoot(path), largest);
  }

  metadata(path: Bytes): Metadata | null {
    const metadata = metadataAt(this.#fromRoot(path));
    return metadata === 'refused' ? null : metadata;
  }

  #fromRoot(absolute: Bytes): string {
    const { names } = splitPath(absolute);
    const shared = sharedNames(this.#names, names);
    const up = shared === 0 ? null : this.#root.upwards(this.#names.length - shared);
    return up === null ? absolute : [up, ...names.slice(shared)].join('/');
  }
}
