/** Sources that do what no disk does when it is asked to: fail, answer something else, take their time. */
import { type DirectoryReader, type Source, type SourceDirectory, type SourceRoot, Unloaded } from '../../src/index.ts';
import type { Bytes } from '../../src/names/bytes.ts';
import type { LookupResult } from '../../src/workspace/source.ts';
import { systemError } from './disk-answers.ts';

/** `read` is asked each time that entries are read, the others once. */
export type Question = 'root' | 'lookup' | 'up' | 'open' | 'read' | 'readFile' | 'metadata' | 'stamp' | 'close';

/**
 * Called before each question, with the path from the root that it is about and what else was said; what it throws is the
 * answer, and so is what it returns, unless that is undefined.
 */
export type Interference = (question: Question, path: string, ...words: readonly unknown[]) => unknown;

/** The same source, with somebody in between. */
export function odd(source: Source, interfere: Interference): Source {
  const ask = <T>(question: Question, path: string, answer: () => T, ...words: readonly unknown[]): T => {
    const other = interfere(question, path, ...words);
    return other === undefined ? answer() : (other as T);
  };

  return {
    realPath: source.realPath,
    aliases: source.aliases,
    pathStyle: source.pathStyle ?? 'posix',
    root: () =>
      ask('root', '', (): SourceRoot => {
        const root = source.root();
        return { directory: directoryOf(root.directory), outside: root.outside, release: () => root.release() };
      }),
    close: () => source.close?.(),
  };

  function directoryOf(real: SourceDirectory): SourceDirectory {
    const at = (name: Bytes) => (name === '.' ? real.path : real.path === '' ? name : `${real.path}/${name}`);
    return {
      path: real.path,
      get identity() {
        return real.identity;
      },
      get descriptor() {
        return real.descriptor ?? null;
      },
      lookup: (name) =>
        ask('lookup', at(name), (): LookupResult => {
          const found = real.lookup(name);
          return found.kind === 'directory' ? { kind: 'directory', directory: directoryOf(found.directory) } : found;
        }),
      up: () =>
        ask('up', real.path, () => {
          const above = real.up();
          return above === null ? null : directoryOf(above);
        }),
      open: (withTypes, atOnce) =>
        ask('open', real.path, () => readerOf(real, real.open(withTypes, atOnce)), withTypes, atOnce),
      readFile: (name, largest) => ask('readFile', at(name), () => real.readFile(name, largest)),
      metadata: (name) => ask('metadata', at(name), () => real.metadata(name)),
      stamp: () => ask('stamp', real.path, () => real.stamp()),
      close: () => ask('close', real.path, () => real.close()),
    };
  }

  function readerOf({ path }: SourceDirectory, real: DirectoryReader): DirectoryReader {
    return { read: (batch, budget) => ask('read', path, () => real.read(batch, budget)), close: () => real.close() };
  }
}

/** Fails with a system code: all questions of a kind, or those about one path. */
export function failing(source: Source, question: Question, code: string, path?: string): Source {
  return odd(source, (asked, at) => {
    if (asked === question && (path === undefined || path === at)) throw systemError(code, question);
  });
}

/** Counts the questions of each kind. */
export function counting(source: Source): { source: Source; counts: Partial<Record<Question, number>> } {
  const counts: Partial<Record<Question, number>> = {};
  const counted = odd(source, (question) => {
    counts[question] = (counts[question] ?? 0) + 1;
  });
  return { source: counted, counts };
}

/**
 * Every directory and every file has to be loaded before it is asked, for each root that is pinned anew; and the root
 * itself. Loads are counted by what they load.
 */
export function slowly(source: Source): { source: Source; loads: Map<string, number> } {
  const loads = new Map<string, number>();
  let isRootLoaded = false;
  const load = (what: string, done: () => void): never => {
    throw new Unloaded(async () => {
      await new Promise(setImmediate);
      loads.set(what, (loads.get(what) ?? 0) + 1);
      done();
    });
  };
  const slow: Source = {
    realPath: source.realPath,
    aliases: source.aliases,
    pathStyle: source.pathStyle ?? 'posix',
    root() {
      if (!isRootLoaded) load('the root', () => (isRootLoaded = true));
      const known = new Set<string>();
      const careful = odd(source, (question, path) => {
        if (question === 'root' || question === 'up' || question === 'stamp' || question === 'close') return;
        // A directory's entries are loaded with it, a file's content by itself.
        const isFile = question === 'readFile';
        const directory = question === 'open' || question === 'read' ? path : path.replace(/\/?[^/]*$/, '');
        for (const one of isFile ? [`${directory}/`, path] : [`${directory}/`]) {
          if (!known.has(one)) load(one, () => known.add(one));
        }
      });
      isRootLoaded = false;
      return careful.root();
    },
    close: () => source.close?.(),
  };
  return { source: slow, loads };
}
