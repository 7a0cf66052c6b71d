/**
 * Writes what is below a directory by WebAssembly; see `assembly/subtree.ts`. Every directory is opened from the descriptor of
 * the one above, and no link is followed.
 */
import type { Bytes } from '../bytes.ts';
import type { EntryBuffer } from '../reader.ts';
import type { Subtree, SubtreeCounts, SubtreeForm, Unwritten } from '../subtree.ts';
import { Assembly, LONGEST_NAME, STATES } from './assembly.ts';
import type { SystemCalls } from './system-calls.ts';

/** The words of a frame: its descriptor, the length of its path, where its items are, how many, the next, its records. */
const FRAME = 6;

/** In the place of the byte behind each line. */
const NAMES = -1;

/** More levels than there can be. */
const ALL_LEVELS = 0x7fffffff;

/** Makes a directory of a descriptor, at a path from where the subtree begins. */
type Adopt<Directory> = (descriptor: number, path: Bytes) => Directory;

/** Null where the directory `name` is out of the ordinary. */
export function writeBelow<Directory>(
  calls: SystemCalls,
  parent: number,
  name: Bytes,
  form: SubtreeForm,
  adopt: Adopt<Directory>,
): Subtree<Directory> | null {
  const assembly = Assembly.for(calls);
  if (assembly === null) return null;
  const { code, bytes } = assembly;
  const { prefix, end, levels, hidesDotfiles, types } = form;
  const isShort = prefix.length <= code.LONGEST_PATH.value && name.length <= LONGEST_NAME;
  if (isShort) {
    bytes.write(`${name}\0`, code.NAME.value, 'latin1');
    bytes.write(prefix, code.PATH.value, 'latin1');
    const most = Math.min(levels, ALL_LEVELS);
    const choice = hidesDotfiles ? types | code.HIDE_DOTFILES.value : types;
    const state = code.begin(parent, prefix.length, end ?? NAMES, most, choice);
    if (STATES[state] === 'done') return new SubtreeWriter(assembly, calls, prefix.length, adopt);
  }
  assembly.release();
  return null;
}

class SubtreeWriter<Directory> implements Subtree<Directory> {
  #assembly: Assembly | null;
  readonly #calls: SystemCalls;
  readonly #prefix: number;
  readonly #adopt: Adopt<Directory>;
  /** Whether its descriptors are somebody else's. */
  #isTakenOver = false;

  constructor(assembly: Assembly, calls: SystemCalls, prefix: number, adopt: Adopt<Directory>) {
    this.#assembly = assembly;
    this.#calls = calls;
    this.#prefix = prefix;
    this.#adopt = adopt;
  }

  get #held(): Assembly {
    // Its memory may already be another's.
    if (this.#assembly === null) throw new Error('a subtree was used after it was closed');
    return this.#assembly;
  }

  proceed(isDue: () => boolean): (typeof STATES)[number] {
    this.#held.isDue = isDue;
    return STATES[this.#held.code.proceed()] as (typeof STATES)[number];
  }

  get lines(): Buffer {
    return this.#held.lines;
  }

  get index(): Uint32Array {
    return this.#held.index;
  }

  counted(): SubtreeCounts {
    return this.#held.counted();
  }

  takeOver(): readonly Unwritten<Directory>[] {
    const assembly = this.#held;
    this.#isTakenOver = true;
    const path = assembly.code.PATH.value + this.#prefix;
    return this.#frames().map(([descriptor = 0, length = 0, items = 0, count = 0, next = 0]) => {
      const name = assembly.textAt(path, Math.max(0, length - 1 - this.#prefix));
      const append = (entries: EntryBuffer) => assembly.appendItems(items, next, count, entries);
      return { directory: this.#adopt(descriptor, name), path: name, appendTo: append };
    });
  }

  /** The words of each. */
  #frames(): Uint32Array[] {
    const { code, words } = this.#held;
    const first = code.FRAMES.value / 4;
    return Array.from({ length: code.frames() }, (_, i) => words.slice(first + FRAME * i, first + FRAME * (i + 1)));
  }

  close(): void {
    if (this.#assembly === null) return;
    if (!this.#isTakenOver) for (const [descriptor = 0] of this.#frames()) this.#calls.close(descriptor);
    this.#assembly.release();
    this.#assembly = null;
  }
}
