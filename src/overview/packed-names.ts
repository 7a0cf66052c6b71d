/**
 * Stores the names of files as bytes. Most names of a large tree are never shown, so strings are created only on
 * demand.
 */
import type { Bytes } from '../names/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import type { Steps } from './steps.ts';

/** Bytes that are unpacked in one step. */
const BLOCK = 2 ** 14;

/** The names of all directories in one buffer, each followed by NUL. */
export class NameStore {
  #bytes = Buffer.allocUnsafeSlow(1 << 14);
  #used = 0;

  get used(): number {
    return this.#used;
  }

  /** Allocated bytes. */
  get size(): number {
    return this.#bytes.length;
  }

  add({ bytes, starts, ends }: EntryBuffer, at: number): void {
    const [start, end] = [starts[at] as number, ends[at] as number];
    if (this.#used + end - start >= this.#bytes.length) this.#grow(end - start);
    const own = this.#bytes;
    let used = this.#used;
    for (let i = start; i < end; i++) own[used++] = bytes[i] as number;
    own[used++] = 0;
    this.#used = used;
  }

  /** Returns the names between two positions, each followed by NUL. */
  between(from: number, to: number): string {
    return this.#bytes.toString('latin1', from, to);
  }

  #grow(more: number): void {
    const larger = Buffer.allocUnsafeSlow(2 * (this.#bytes.length + more));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}

/** The names of one directory. They form several runs, because a walk visits a subdirectory right after its name. */
export class PackedNames {
  readonly #store: NameStore;
  readonly #runs: number[] = [];

  constructor(store: NameStore) {
    this.#store = store;
  }

  add(from: number, to: number): void {
    if (from < to) this.#runs.push(from, to);
  }

  /** All names, each with a NUL before and after it. */
  get text(): string {
    let text = '\0';
    for (let i = 0; i < this.#runs.length; i += 2) {
      text += this.#store.between(this.#runs[i] as number, this.#runs[i + 1] as number);
    }
    return text;
  }

  unpacked(): Bytes[] {
    const { text } = this;
    return text === '\0' ? [] : (text.slice(1, -1).split('\0') as Bytes[]);
  }

  /** Does the same in steps. */
  *unpackedInSteps(): Steps<Bytes[]> {
    const names: Bytes[] = [];
    for (let i = 0; i < this.#runs.length; i += 2) {
      let rest = '';
      const end = this.#runs[i + 1] as number;
      for (let at = this.#runs[i] as number; at < end; at += BLOCK) {
        const parts = (rest + this.#store.between(at, Math.min(at + BLOCK, end))).split('\0');
        rest = parts.pop() as string;
        for (const name of parts) names.push(name as Bytes);
        yield;
      }
    }
    return names;
  }
}
