/** A source as a tree that is asked asynchronously, and takes a turn of the event loop for each answer. */
import type { AsyncEntry, AsyncTree, Source, SourceDirectory } from '../../src/index.ts';
import { type Bytes, below } from '../../src/names/bytes.ts';
import { AT_ROOT, namesOn, type RootPath } from '../../src/names/paths.ts';
import { Budget } from '../../src/workspace/budget.ts';
import { systemError } from './disk-answers.ts';
import { readAll } from './entries.ts';

export type Asked = 'list' | 'walk' | 'describe' | 'readFile' | 'readLink';

export interface AsyncTreeOptions {
  /** Called before each question; what it returns is waited for, and what it throws is the answer. */
  readonly before?: (question: Asked, path: string) => unknown;
  /** Entries of a page. @default all */
  readonly page?: number;
  /** Which optional questions it has. @default all */
  readonly has?: readonly ('walk' | 'describe' | 'readLink')[];
  readonly listsDetails?: boolean;
  readonly revision?: string;
}

export function asyncTree(source: Source, options: AsyncTreeOptions = {}): AsyncTree & { counts: Map<Asked, number> } {
  const { page = Number.POSITIVE_INFINITY, has = ['walk', 'describe', 'readLink'], listsDetails = false } = options;
  const counts = new Map<Asked, number>();
  const ask = async <T>(question: Asked, path: string, answer: () => T): Promise<T> => {
    counts.set(question, (counts.get(question) ?? 0) + 1);
    await new Promise(setImmediate);
    await options.before?.(question, path);
    return answer();
  };
  const tree: AsyncTree & { counts: Map<Asked, number> } = {
    counts,
    realPath: source.realPath,
    aliases: source.aliases,
    listsDetails,
    revision: options.revision,
    async *list(path) {
      const all = await ask('list', path, () => entriesIn(at(path), listsDetails));
      yield all.slice(0, page);
      for (let from = page; from < all.length; from += page) {
        yield await ask('list', path, () => all.slice(from, from + page));
      }
    },
    readFile: (path) =>
      ask('readFile', path, () => {
        const { directory, name } = parentOf(path);
        const content = directory.readFile(name, Number.POSITIVE_INFINITY);
        if (content !== null && typeof content !== 'string') throw systemError('EACCES', 'read');
        return content === null ? null : Buffer.from(content, 'latin1');
      }),
  };
  return {
    ...tree,
    ...(has.includes('walk')
      ? {
          async *walk(path: RootPath) {
            const all: AsyncEntry[] = [];
            const visit = (directory: SourceDirectory, prefix: Bytes) => {
              for (const entry of entriesIn(directory, listsDetails)) {
                const inner = below(prefix, entry.name);
                all.push({ ...entry, name: inner });
                const found = entry.type === 'dir' ? directory.lookup(entry.name) : null;
                if (found?.kind === 'directory') visit(found.directory, inner);
              }
            };
            await ask('walk', path, () => visit(at(path), '' as Bytes));
            for (let from = 0; from < all.length; from += 3) {
              await options.before?.('walk', all[from]?.name ?? '');
              yield all.slice(from, from + 3);
            }
          },
        }
      : {}),
    ...(has.includes('describe')
      ? {
          describe: (path: RootPath, names: readonly Bytes[]) =>
            ask('describe', path, () => names.map((name) => described(at(path), name))),
        }
      : {}),
    ...(has.includes('readLink')
      ? {
          readLink: (path: RootPath) =>
            ask('readLink', path, () => {
              const { directory, name } = parentOf(path);
              const found = directory.lookup(name);
              return found.kind === 'link' ? found.target : null;
            }),
        }
      : {}),
  };

  function at(path: RootPath): SourceDirectory {
    let here = source.root().directory;
    for (const name of namesOn(path)) {
      const found = here.lookup(name);
      if (found.kind === 'denied') throw systemError('EACCES', 'open');
      if (found.kind === 'not-a-directory') throw systemError('ENOTDIR', 'open');
      if (found.kind !== 'directory') throw systemError('ENOENT', 'open');
      here = found.directory;
    }
    return here;
  }

  function parentOf(path: RootPath): { directory: SourceDirectory; name: Bytes } {
    const names = namesOn(path);
    return {
      directory: at((names.slice(0, -1).join('/') as RootPath) || AT_ROOT),
      name: names.at(-1) as Bytes,
    };
  }
}

function entriesIn(directory: SourceDirectory, withDetails: boolean): AsyncEntry[] {
  const entries = readAll(directory.open(true, true), Budget.unlimited());
  return entries.namesOf(0, entries.count).map((name, i) => {
    const details = withDetails ? described(directory, name) : null;
    return details ?? { name, type: entries.typeAt(i) };
  });
}

function described(directory: SourceDirectory, name: Bytes): AsyncEntry | null {
  const metadata = directory.metadata(name);
  if (metadata === null) return null;
  if (metadata === 'refused') throw systemError('EACCES', 'lstat');
  const { type, size, modified, mode, user, group, target } = metadata;
  return {
    ...{ name, type, size, modified },
    ...{ mode: mode ?? undefined, user: user ?? undefined, group: group ?? undefined, target: target ?? undefined },
  };
}
