/** A source that also tells what only a disk tells, or one that has to load: stamps of what is below, and what it is told itself. */
import type { Source, SourceDirectory } from '../../src/index.ts';
import { type Bytes, below } from '../../src/names/bytes.ts';
import type { Stamp } from '../../src/workspace/source.ts';

/** What it was told or asked, in words; and how many directories are held. */
export interface Noted {
  readonly words: string[];
  held: number;
  most: number;
}

/**
 * Reading a directory is noted as `read path`, a file as `file path`, and so is what it is told: `walk`, `expect`, `load`. Stamps of what is below are
 * asked of `plain`, for a source that does not answer everything.
 */
export function provable(source: Source, plain = source): { source: Source; noted: Noted } {
  const noted: Noted = { words: [], held: 0, most: 0 };
  const note = (...words: readonly unknown[]) => void noted.words.push(words.join(' ').trim());

  const directoryOf = (real: SourceDirectory): SourceDirectory => {
    noted.most = Math.max(noted.most, ++noted.held);
    return {
      path: real.path,
      identity: real.identity,
      lookup(name) {
        const found = real.lookup(name);
        return found.kind === 'directory' ? { kind: 'directory', directory: directoryOf(found.directory) } : found;
      },
      up() {
        const above = real.up();
        return above === null ? null : directoryOf(above);
      },
      open(withTypes, atOnce) {
        note('read', real.path);
        return real.open(withTypes, atOnce);
      },
      readFile(name, largest) {
        note('file', below(real.path, name));
        return real.readFile(name, largest);
      },
      metadata: (name) => real.metadata(name),
      stamp: () => real.stamp(),
      stampAt: (path) => stampAt(plain.root().directory, below(real.path, path)),
      beginWalk: (levels) => note('walk', real.path, levels),
      expect: (names) => note('expect', real.path, names.join(' ')),
      async loadMetadata(names) {
        await Promise.resolve();
        note('load', real.path, names.join(' '));
      },
      close() {
        noted.held--;
        real.close();
      },
    };
  };

  return {
    noted,
    source: {
      realPath: source.realPath,
      aliases: source.aliases,
      root() {
        const { directory, ...root } = source.root();
        // The root is released, not closed.
        const held = directoryOf(directory);
        noted.held--;
        return { ...root, directory: held };
      },
    },
  };
}

function stampAt(start: SourceDirectory, path: Bytes): Stamp | null {
  let here = start;
  for (const name of path.split('/')) {
    const found = here.lookup(name as Bytes);
    if (found.kind !== 'directory') return null;
    here = found.directory;
  }
  return here.stamp();
}
