/** What is expected of a directory that is held: which of its directories are read next. */
import type { Expected } from './expected.ts';
import type { ReadingThread } from './reading-thread.ts';

export class Expectations {
  directories: Expected | null = null;
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

  end(): void {
    this.#thread = this.directories?.close() ?? this.#thread;
    this.directories = null;
  }

  /** The directory is closed: by the thread, if it may just be opening something from it. */
  close(descriptor: number, close: (descriptor: number) => void): void {
    this.end();
    if (this.#thread === null) close(descriptor);
    else this.#thread.close(descriptor);
  }
}
