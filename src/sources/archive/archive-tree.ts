/** An archive as a tree. Its list of entries is read once, and again when the file has changed. */
import { type Bytes, lastNameOf, parentOf } from '../../names/bytes.ts';
import { AT_ROOT, type RootPath } from '../../names/paths.ts';
import { codedError, ListingError } from '../../workspace/listing-error.ts';
import { SkippedFile } from '../../workspace/source.ts';
import { pagesOf } from '../asking.ts';
import type { AskOptions, AsyncEntry } from '../loading/async-tree.ts';
import type { LevelTree, WalkedLevel } from '../loading/bulk-walk.ts';
import { Turns } from '../loading/turns.ts';
import { unlessAborted } from '../loading/unless-aborted.ts';
import { ArchiveIndex } from './archive-index.ts';
import type { OpenFile, ReadArchive } from './archived.ts';

/** A file on the disk, which can be opened again. */
interface ArchiveFile {
  readonly realPath: Bytes;
  /** Returns a text that changes when the file does; rejects if the file is gone. */
  version(): Promise<string>;
  open(): Promise<OpenFile>;
}

interface Reading {
  readonly version: string;
  readonly index: ArchiveIndex;
  readonly done: Promise<void>;
  readonly stop: AbortController;
  waiting: number;
}

/** Milliseconds for which reading continues when no call waits for it: the next call may need it. */
const PATIENCE = 30_000;

/** What an entry counts as between two pauses, in bytes: it takes longer than one that is only copied. */
const BYTES_OF_ENTRY = 256;

export class ArchiveTree implements LevelTree {
  readonly realPath: Bytes;
  readonly listsDetails = true;
  readonly #file: ArchiveFile;
  readonly #read: ReadArchive;
  #reading: Reading | null = null;

  constructor(file: ArchiveFile, read: ReadArchive) {
    this.#file = file;
    this.#read = read;
    this.realPath = file.realPath;
  }

  async *list(path: RootPath, options: AskOptions): AsyncIterable<readonly AsyncEntry[]> {
    const index = await this.#index(options);
    const level = index.level(path);
    if (level === null && index.failure === null) throw codedError('ENOENT', 'not in the archive');
    yield* pagesOf(level?.entries() ?? [], ({ name }) => name.length);
    if (index.failure !== null) throw incomplete(index.failure);
    if (level?.bounds.failure) throw level.bounds.failure;
  }

  async *walkLevels(path: RootPath, options: AskOptions): AsyncIterable<readonly WalkedLevel[]> {
    const index = await this.#index(options);
    for await (const page of pagesOf(index.levelsIn(path), (one) => one.path.length)) {
      // If some of the archive is missing, the directory itself has to be listed, which says so.
      yield index.failure === null ? page : page.filter((one) => one.path !== '');
    }
    if (index.failure !== null) throw incomplete(index.failure);
  }

  async describe(path: RootPath, names: readonly Bytes[], options: AskOptions): Promise<(AsyncEntry | null)[]> {
    const level = (await this.#index(options)).level(path);
    return names.map((name) => (name === '.' ? { name, type: 'dir' } : (level?.find(name) ?? null)));
  }

  async readFile(path: RootPath, largest: number, options: AskOptions): Promise<Uint8Array | SkippedFile | null> {
    const index = await this.#index(options);
    const entry = index.level(parentOf(path))?.find(lastNameOf(path)) ?? null;
    if (entry === null) return null;
    if ((entry.size ?? 0) > largest) return SkippedFile.largerThan(largest);
    return index.contentOf(path) ?? SkippedFile.unreadable;
  }

  /** Rejects if nothing can be read from the archive. Waits only for the first entry. */
  async check(signal: AbortSignal): Promise<void> {
    const { index, done } = await this.#current();
    const close = () => this.close();
    signal.addEventListener('abort', close);
    // The signal is that of opening: it is aborted some time later, too, when there is nothing to give up any more.
    await Promise.race([done, index.hasSome]).finally(() => signal.removeEventListener('abort', close));
    if (index.failure !== null && index.level(AT_ROOT)?.count === 0) {
      this.close();
      throw new ListingError('failed', `${index.failure}; none of it could be read`);
    }
  }

  get notes(): readonly string[] {
    return this.#reading?.index.notes ?? [];
  }

  close(): void {
    this.#reading?.stop.abort();
    this.#reading = null;
  }

  async #current(): Promise<Reading> {
    const version = await this.#file.version();
    if (this.#reading?.version !== version) {
      // Whoever waits for the file as it was gets all of it, rather than a part that looks damaged.
      if (this.#reading?.waiting === 0) this.#reading.stop.abort();
      this.#reading = this.#start(version);
    }
    return this.#reading;
  }

  async #index({ signal }: AskOptions): Promise<ArchiveIndex> {
    const reading = await this.#current();
    reading.waiting++;
    const leave = () => {
      reading.waiting--;
      if (reading.waiting > 0) return;
      setTimeout(() => reading.waiting === 0 && reading.stop.abort(), PATIENCE).unref();
    };
    await unlessAborted(reading.done, signal).finally(leave);
    return reading.index;
  }

  #start(version: string): Reading {
    const index = new ArchiveIndex();
    const stop = new AbortController();
    const done = this.#fill(index, stop.signal).catch((error) => {
      if (error instanceof ListingError) throw error;
      // Reading that was cancelled because no call waited for it starts again with the next call.
      if (stop.signal.aborted && this.#reading?.index === index) this.#reading = null;
      index.failure = 'the archive is damaged, or is not what its name says';
    });
    done.catch(() => {
      if (this.#reading?.index === index) this.#reading = null;
    });
    return { version, index, done, stop, waiting: 0 };
  }

  async #fill(index: ArchiveIndex, signal: AbortSignal): Promise<void> {
    const file = await this.#file.open();
    try {
      const turns = new Turns();
      for await (const entry of this.#read(file, signal)) {
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
      await file.close();
    }
  }
}

function incomplete(reason: string): ListingError {
  return Object.assign(new ListingError('failed', reason), { code: 'EBADARCHIVE' });
}
