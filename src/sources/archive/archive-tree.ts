/** An archive as a tree. Its list of entries is read once, and again when the file has changed. */
import { type Bytes, lastNameOf, parentOf } from '../../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../names/paths.ts';
import { unlessAborted } from '../../workspace/clock.ts';
import { codedError, codedFailure, ListingError } from '../../workspace/listing-error.ts';
import { SkippedFile } from '../../workspace/source.ts';
import { pagesOf, Turns } from '../asking.ts';
import type { AskOptions, AsyncEntry } from '../loading/async-tree.ts';
import type { LevelTree, WalkedLevel } from '../loading/bulk-walk.ts';
import { ArchiveIndex } from './archive-index.ts';
import type { OpenFile, ReadArchive } from './archived.ts';

/** A file on the disk, which can be opened again. */
interface ArchiveFile {
  readonly realPath: Bytes;
  /** Returns a text that changes when the file does; rejects if the file is gone. */
  version(): Promise<string>;
  open(): Promise<OpenFile>;
}

/** Milliseconds for which reading continues when no call waits for it: the next call may need it. */
const PATIENCE = 30_000;
/** What an entry counts as between two pauses, in bytes: it takes longer than one that is only copied. */
const BYTES_OF_ENTRY = 256;

export function archiveTree(file: ArchiveFile, read: ReadArchive) {
  let last: ReturnType<typeof start> | null = null;

  function close(): void {
    last?.stop.abort();
    last = null;
  }

  async function current() {
    const version = await file.version();
    if (last?.version === version) return last;
    // Whoever waits for the file as it was gets all of it, rather than a part that looks damaged.
    if (last?.waiting === 0) last.stop.abort();
    last = start(version);
    return last;
  }

  async function indexFor({ signal }: AskOptions): Promise<ArchiveIndex> {
    const reading = await current();
    reading.waiting++;
    const leave = () => {
      reading.waiting--;
      if (reading.waiting > 0) return;
      setTimeout(() => reading.waiting === 0 && reading.stop.abort(), PATIENCE).unref();
    };
    await unlessAborted(reading.done, signal).finally(leave);
    return reading.index;
  }

  function start(version: string) {
    const index = new ArchiveIndex();
    const stop = new AbortController();
    const forget = () => {
      if (last?.index === index) last = null;
    };
    const done = fill(index, stop.signal).catch((error) => {
      if (error instanceof ListingError) throw error;
      // Reading that was cancelled because no call waited for it starts again with the next call.
      if (stop.signal.aborted) forget();
      index.failure = 'the archive is damaged, or is not what its name says';
    });
    done.catch(forget);
    return { version, index, done, stop, waiting: 0 };
  }

  async function fill(index: ArchiveIndex, signal: AbortSignal): Promise<void> {
    const opened = await file.open();
    try {
      const turns = new Turns();
      for await (const entry of read(opened, signal)) {
        await index.add(entry);
        if (index.isFull) {
          index.failure = `the archive has too many entries: of these, ${index.count.toLocaleString('en')} were read`;
          return;
        }
        const turn = turns.after(BYTES_OF_ENTRY + entry.path.length);
        if (turn !== undefined) await turn;
        signal.throwIfAborted();
      }
    } finally {
      await opened.close();
    }
  }

  return {
    realPath: file.realPath,
    listsDetails: true,
    async *list(path: RootPath, options: AskOptions): AsyncGenerator<readonly AsyncEntry[]> {
      const index = await indexFor(options);
      const level = index.level(path);
      if (level === null && index.failure === null) throw codedError('ENOENT', 'not in the archive');
      yield* pagesOf(level?.entries() ?? [], ({ name }) => name.length);
      if (index.failure !== null) throw incomplete(index.failure);
      if (level?.bounds.failure) throw level.bounds.failure;
    },
    async *walkLevels(path: RootPath, options: AskOptions): AsyncGenerator<readonly WalkedLevel[]> {
      const index = await indexFor(options);
      for await (const page of pagesOf(index.levelsIn(path), (one) => one.path.length)) {
        // If some of the archive is missing, the directory itself has to be listed, which says so.
        yield index.failure === null ? page : page.filter((one) => one.path !== '');
      }
      if (index.failure !== null) throw incomplete(index.failure);
    },
    async describe(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<(AsyncEntry | null)[]> {
      const level = (await indexFor(options)).level(path);
      return names.map((name) => (name === '.' ? { name, type: 'dir' } : (level?.find(name) ?? null)));
    },
    async readFile(path: RootPath, largest: number, options: AskOptions): Promise<Uint8Array | SkippedFile | null> {
      const index = await indexFor(options);
      const entry = index.level(parentOf(path))?.find(lastNameOf(path)) ?? null;
      if (entry === null) return null;
      if ((entry.size ?? 0) > largest) return SkippedFile.largerThan(largest);
      return index.contentOf(path) ?? SkippedFile.unreadable;
    },
    /** Rejects if nothing can be read from the archive. Waits only for the first entry. */
    async check(signal: AbortSignal): Promise<void> {
      const { index, done } = await current();
      signal.addEventListener('abort', close);
      // The signal is that of opening: it is aborted some time later, too, when there is nothing to give up any more.
      await Promise.race([done, index.hasSome]).finally(() => signal.removeEventListener('abort', close));
      if (index.failure === null || index.level(AT_ROOT)?.count !== 0) return;
      close();
      throw new ListingError('failed', `${index.failure}; none of it could be read`);
    },
    get notes(): readonly string[] {
      return last?.index.notes ?? [];
    },
    close,
  } satisfies LevelTree & Record<string, unknown>;
}

const incomplete = (reason: string): ListingError => codedFailure('EBADARCHIVE', reason);
