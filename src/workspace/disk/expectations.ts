/** What is expected of a directory that is held: which of its directories are read next, and what of its entries is asked. */
import type { Bytes } from '../bytes.ts';
import type { Expected } from './expected.ts';
import { ExpectedMetadata } from './expected-metadata.ts';
import type { ReadingThread, ThreadCalls } from './reading-thread.ts';

export class Expectations {
  directories: Expected | null = null;
  metadata: ExpectedMetadata | null = null;
  /** The thread that has opened the directory, or was asked to open something from it; null where there is none. */
  #thread: ReadingThread | null;

  constructor(thread: ReadingThread | null = null) {
    this.#thread = thread;
  }

  /** In place of all that was expected before. */
  expect(directories: Expected): void {
    this.end();
    this.directories = directories;
  }

  expectMetadata(parent: number, names: readonly Bytes[], more: number, calls: ThreadCalls): void {
    this.metadata ??= new ExpectedMetadata(parent);
    this.metadata.add(names, more, calls);
  }

  end(): void {
    for (const expected of [this.directories, this.metadata]) this.#thread = expected?.close() ?? this.#thread;
    this.directories = null;
    this.metadata = null;
  }

  /** The directory is closed: by the thread, if it may just be opening something from it. */
  close(descriptor: number, close: (descriptor: number) => void): void {
    this.end();
    if (this.#thread === null) close(descriptor);
    else this.#thread.close(descriptor);
  }
}
