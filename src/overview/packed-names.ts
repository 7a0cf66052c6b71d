/** The names of files as bytes. Most names of a large tree are never shown, so strings are created only on demand. */
import type { Bytes } from '../names/bytes.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { HANDFUL } from '../workspace/steps.ts';
import type { Steps } from './steps.ts';

/** The names of one directory. They form several runs, because a walk visits a subdirectory right after its name. */
export class PackedNames {
  /** Has the names of all directories. */
  readonly #store: EntryBuffer;
  readonly #runs: { readonly from: number; to: number }[] = [];

  constructor(store: EntryBuffer) {
    this.#store = store;
  }

  /** Adds the name at a position in the store. */
  add(at: number): void {
    const last = this.#runs.at(-1);
    if (last?.to === at) last.to++;
    else this.#runs.push({ from: at, to: at + 1 });
  }

  unpacked(): Bytes[] {
    return this.#runs.flatMap(({ from, to }) => this.#store.namesOf(from, to));
  }

  *unpackedInSteps(): Steps<Bytes[]> {
    const names: Bytes[] = [];
    for (const { from, to } of this.#runs) {
      for (let at = from; at < to; at += HANDFUL.entries) {
        for (const name of this.#store.namesOf(at, Math.min(at + HANDFUL.entries, to))) names.push(name);
        yield;
      }
    }
    return names;
  }
}
