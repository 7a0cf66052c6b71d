/** Access to the surroundings of a root on the disk. */

import type { Bytes } from '../names/bytes.ts';
import { sharedNames } from '../names/paths.ts';
import { splitPath } from '../workspace/argument.ts';
import type { Outside } from '../workspace/source.ts';
import { type DiskDirectory, metadataAt } from './disk-directory.ts';
import { exists, readPlainFile, realPath } from './plain-file.ts';

/** Everything is reached upwards from the held root, whatever has been put in the place of a parent. */
export function outsideOf(root: DiskDirectory, rootRealPath: Bytes): Outside {
  const rootNames = splitPath(rootRealPath).names;
  const fromRoot = (absolute: Bytes): string => {
    const { names } = splitPath(absolute);
    const shared = sharedNames(rootNames, names);
    const up = shared === 0 ? null : root.upwards(rootNames.length - shared);
    return up === null ? absolute : [up, ...names.slice(shared)].join('/');
  };
  return {
    exists: (path) => exists(fromRoot(path)),
    realPath: (path) => realPath(fromRoot(path)),
    readFile: (path, largest) => readPlainFile(fromRoot(path), largest),
    metadata: (path) => {
      const metadata = metadataAt(fromRoot(path));
      return metadata === 'refused' ? null : metadata;
    },
  };
}
