/** What is done between two pauses, in bytes: about a millisecond. Whatever its length, an entry counts as so many. */
const WORK = 256 * 1024;
const ENTRY = 64;

/** Lets others have a turn while many entries are read. Bytes count, because there may be few entries with long names. */
export class Turns {
  #work = 0;

  /** Counts an entry of so many bytes. Returns a promise to wait for if a pause is due. */
  after(bytes: number): Promise<void> | undefined {
    this.#work += ENTRY + bytes;
    if (this.#work < WORK) return undefined;
    this.#work = 0;
    return new Promise(setImmediate);
  }
}
