/**
 * Writes what is below a directory by WebAssembly, which makes the system's own calls; see `assembly/subtree.ts`. Every
 * directory is opened from the descriptor of the one above, and no link is followed.
 */
import type { Bytes } from '../bytes.ts';
import type { EntryBuffer } from '../reader.ts';
import type { Subtree, SubtreeCounts, SubtreeForm, Unwritten } from '../subtree.ts';
import { SUBTREE_CODE } from './subtree-code.ts';
import type { SystemCalls } from './system-calls.ts';

/** What the code exports: functions, and the addresses of what both sides use. */
interface Code {
  readonly memory: { readonly buffer: ArrayBuffer };
  begin(parent: number, path: number, end: number, levels: number, byType: boolean, hidesDots: boolean): number;
  proceed(): number;
  written(): number;
  frames(): number;
  readonly COUNTERS: Address;
  readonly NAME: Address;
  readonly PATH: Address;
  readonly LONGEST_PATH: Address;
  readonly LINES: Address;
  readonly FRAMES: Address;
}

interface Address {
  readonly value: number;
}

/** Counters, in words: read, hidden, unopened, and one for each type. */
const COUNTERS = 7;
/** The words of a frame: its descriptor, the length of its path, where its items are, how many, the next, its records. */
const FRAME = 6;
/** The words of an item: where its name is; its length, and its type above that; its key. */
const ITEM = 4;

const STATES = ['done', 'paused', 'obstacle'] as const;

const LONGEST_NAME = 255;
/** More levels than there can be. */
const ALL_LEVELS = 0x7fffffff;

/** The code and its memory, which serve one subtree after the other. */
class Machine {
  readonly code: Code;
  readonly bytes: Buffer;
  readonly words: Uint32Array;

  constructor(calls: SystemCalls) {
    const { WebAssembly } = globalThis as unknown as { WebAssembly: Runtime };
    const { bytesAt } = this;
    this.code = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(SUBTREE_CODE, 'base64')), {
      calls: {
        open: (parent: number, name: number) => calls.openNamed(parent, bytesAt(name, LONGEST_NAME + 1)),
        read: (descriptor: number, to: number, size: number) => calls.readEntries(descriptor, bytesAt(to, size)),
        close: (descriptor: number) => calls.close(descriptor),
      },
    }).exports;
    this.bytes = Buffer.from(this.code.memory.buffer);
    this.words = new Uint32Array(this.code.memory.buffer);
  }

  readonly bytesAt = (address: number, length: number): Buffer => this.bytes.subarray(address, address + length);

  textAt(address: number, length: number): Bytes {
    return this.bytes.toString('latin1', address, address + length) as Bytes;
  }
}

interface Runtime {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: Code };
}

/** Machines that serve nobody. */
const idle: Machine[] = [];
let isMissing = false;

function machineFor(calls: SystemCalls): Machine | null {
  if (isMissing) return null;
  try {
    return idle.pop() ?? new Machine(calls);
  } catch {
    // Node may have been told to do without, or has too little memory.
    isMissing = true;
    return null;
  }
}

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
  const machine = machineFor(calls);
  if (machine === null) return null;
  const { code, bytes } = machine;
  const { prefix, end, levels, directoriesFirst, hidesDotfiles } = form;
  const isShort = prefix.length <= code.LONGEST_PATH.value && name.length <= LONGEST_NAME;
  if (isShort) {
    bytes.write(`${name}\0`, code.NAME.value, 'latin1');
    bytes.write(prefix, code.PATH.value, 'latin1');
    const most = Math.min(levels, ALL_LEVELS);
    const state = code.begin(parent, prefix.length, end, most, directoriesFirst, hidesDotfiles);
    if (STATES[state] === 'done') return new SubtreeWriter(machine, calls, prefix.length, adopt);
  }
  idle.push(machine);
  return null;
}

class SubtreeWriter<Directory> implements Subtree<Directory> {
  #machine: Machine | null;
  readonly #calls: SystemCalls;
  readonly #prefix: number;
  readonly #adopt: Adopt<Directory>;
  /** Whether its descriptors are somebody else's. */
  #isTakenOver = false;

  constructor(machine: Machine, calls: SystemCalls, prefix: number, adopt: Adopt<Directory>) {
    this.#machine = machine;
    this.#calls = calls;
    this.#prefix = prefix;
    this.#adopt = adopt;
  }

  get #held(): Machine {
    // Its memory may already be another's.
    if (this.#machine === null) throw new Error('a subtree was used after it was closed');
    return this.#machine;
  }

  proceed(): (typeof STATES)[number] {
    return STATES[this.#held.code.proceed()] as (typeof STATES)[number];
  }

  get lines(): Uint8Array {
    const { code, bytesAt } = this.#held;
    return bytesAt(code.LINES.value, code.written());
  }

  counted(): SubtreeCounts {
    const { code, words } = this.#held;
    const first = code.COUNTERS.value / 4;
    const [read = 0, hidden = 0, unopened = 0, ...written] = words.slice(first, first + COUNTERS);
    words.fill(0, first, first + COUNTERS);
    return { read, hidden, unopened, written };
  }

  takeOver(): readonly Unwritten<Directory>[] {
    const machine = this.#held;
    this.#isTakenOver = true;
    const path = machine.code.PATH.value + this.#prefix;
    return this.#frames().map(([descriptor = 0, length = 0, items = 0, count = 0, next = 0]) => {
      const name = machine.textAt(path, Math.max(0, length - 1 - this.#prefix));
      const append = (entries: EntryBuffer) => appendItems(machine, items / 4, next, count, entries);
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
    if (this.#machine === null) return;
    if (!this.#isTakenOver) for (const [descriptor = 0] of this.#frames()) this.#calls.close(descriptor);
    idle.push(this.#machine);
    this.#machine = null;
  }
}

function appendItems({ words, bytes }: Machine, items: number, from: number, to: number, entries: EntryBuffer): void {
  for (let i = from; i < to; i++) {
    const [name = 0, lengthAndType = 0] = words.subarray(items + ITEM * i);
    entries.addPart(bytes, name, name + (lengthAndType & 0xffff), lengthAndType >>> 16);
  }
}
