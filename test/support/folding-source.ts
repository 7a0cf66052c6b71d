/** A tree as on a disk that ignores case: every spelling of a name finds the entry, and reading gives the stored one. */
import { memorySource } from '../../src/index.ts';
import { type Bytes, below } from '../../src/names/bytes.ts';
import type { RootPath } from '../../src/names/paths.ts';
import { EntryBuffer } from '../../src/workspace/reader.ts';
import type { LookupResult, Source, SourceDirectory } from '../../src/workspace/source.ts';
import { folded } from '../../src/workspace/stored-name.ts';

/** `aliases` are short names, such as `PROGRA~1`, of stored ones. */
export function foldingSource(tree: Record<string, string>, aliases: Record<string, string> = {}): Source {
  const inner = memorySource(tree);
  return {
    realPath: inner.realPath,
    aliases: inner.aliases,
    root: () => {
      const root = inner.root();
      return { ...root, directory: folding(root.directory, root.directory.path, aliases) };
    },
  };
}

function folding(directory: SourceDirectory, path: RootPath, aliases: Record<string, string>): SourceDirectory {
  const entries = new EntryBuffer();
  directory.open(true, true).read(entries, { steps: 0, entriesRead: 0, isDue: false });
  const names = entries.namesOf(0, entries.count);
  const find = (name: Bytes) =>
    names.find((one) => folded(one) === folded((aliases[name.toUpperCase()] ?? name) as Bytes)) ?? name;
  return {
    path,
    identity: directory.identity,
    mayFold: true,
    lookup: (name): LookupResult => {
      const found = directory.lookup(find(name));
      if (found.kind !== 'directory') return found;
      // As the kernel has it: by the name that it was asked for.
      return { kind: 'directory', directory: folding(found.directory, below(path, name), aliases) };
    },
    up: () => null,
    open: (withTypes, atOnce) => directory.open(withTypes, atOnce),
    readFile: (name, largest) => directory.readFile(find(name), largest),
    metadata: (name) => {
      const metadata = directory.metadata(name === '.' ? name : find(name));
      return metadata === null || metadata === 'refused' ? metadata : { ...metadata, inode: names.indexOf(find(name)) };
    },
    stamp: () => null,
    close: () => directory.close(),
  };
}
