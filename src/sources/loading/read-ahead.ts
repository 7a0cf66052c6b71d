/**
 * Loads directories before a walk reaches them, several at a time: over a network the round trip takes longer than the
 * reading.
 */
import { type Bytes, below } from '../../names/bytes.ts';
import type { RootPath } from '../../names/paths.ts';
import type { CallLoads } from './call-loads.ts';

/** The most directories that are loaded ahead and not read yet. */
const MAX_UNREAD = 64;

/** The most entries of a directory that is loaded ahead; a larger one is loaded when the walk reaches it. */
const MAX_ENTRIES = 5000;

export type ReadAhead = ReturnType<typeof readAhead>;

export function readAhead(loads: CallLoads, atATime: number) {
  /** The next one comes last: a walk reads everything below a directory before the directories after it. */
  const waiting: RootPath[] = [];
  const unread = new Set<RootPath>();
  let underWay = 0;

  function pump(): void {
    while (underWay < atATime && unread.size < MAX_UNREAD) {
      const path = waiting.pop();
      if (path === undefined) return;
      load(path);
    }
  }

  function load(path: RootPath): void {
    if (loads.level(path) !== null || loads.isUnderWay(`level ${path}`)) return;
    underWay++;
    unread.add(path);
    const loading = loads.once(`level ${path}`, async () => void (await loads.loadLevel(path, MAX_ENTRIES)));
    const done = () => {
      underWay--;
      pump();
    };
    // A directory that fails here is requested again when the walk reaches it, and its error is reported then.
    loading.then(done, done);
  }

  return {
    /** Queues directories that a walk will read in this order. */
    expect(directory: RootPath, names: readonly Bytes[]): void {
      for (const name of names.toReversed()) waiting.push(below(directory, name));
      pump();
    },
    /** Called when the walk reads a directory. */
    reached(path: RootPath): void {
      if (unread.delete(path)) pump();
    },
  };
}
