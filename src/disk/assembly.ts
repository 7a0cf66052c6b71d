/**
 * An instance of the WebAssembly code, with its memory: see `assembly/`. It makes direct system calls, and is fast from
 * the start. Idle instances are reused.
 */
import type { Bytes } from '../names/bytes.ts';
import { ENTRY_TYPES, type EntryBuffer, LEADS_TO_DIRECTORY } from '../workspace/reader.ts';
import type { SubtreeCounts } from '../workspace/subtree.ts';
import { type Constant, instantiated } from '../workspace/web-assembly.ts';
import { ASSEMBLY_CODE } from './assembly-code.ts';
import { STATX } from './kernel.ts';
import type { SystemCalls } from './system-calls.ts';

/** The exports of the code: functions, addresses and limits. */
interface Code {
  readonly memory: { readonly buffer: ArrayBuffer };
  written(): number;
  begin(parent: number, path: number, end: number, levels: number, choice: number): number;
  proceed(): number;
  frames(): number;
  indexed(): number;
  readLevel(descriptor: number, hidesDots: boolean): number;
  itemsAt(): number;
  sortLevel(): void;
  describeRows(descriptor: number, from: number, to: number): number;
  sizeColumns(): number;
  ownerCount(): number;
  writeRows(from: number, path: number, columns: number): number;
  readonly COUNTERS: Constant;
  readonly NAME: Constant;
  readonly PATH: Constant;
  readonly LONGEST_PATH: Constant;
  readonly LINES: Constant;
  readonly FRAMES: Constant;
  readonly INDEX: Constant;
  readonly HIDE_DOTFILES: Constant;
  readonly JUDGE: Constant;
  readonly OWNERS: Constant;
  readonly OWNER_SIZE: Constant;
  readonly MAX_ROWS: Constant;
  readonly LONGEST_LINE: Constant;
  readonly TIME_LENGTH: Constant;
}

/** Called by the code while it writes a long listing. The texts are written to an address. */
export interface TextsAt {
  permissions(mode: number, to: number): void;
  owner(user: number, group: number): void;
  time(modified: number, to: number): number;
  link(name: number, length: number, to: number): number;
}

/** Called by the code if there are rules; see `assembly/subtree.ts`. */
export interface RulesAt {
  enter(descriptor: number, path: number, hasFiles: number, table: number): number;
  setDirectory(path: number): number;
  judge(name: number, length: number, type: number): number;
}

export const STATES = ['done', 'paused', 'obstacle'] as const;
export const LONGEST_NAME = 255;

/** The number of counters: entries read, not selected, not opened; shown, by type; and hidden, by rule. */
const COUNTERS = 15;
/** The words of an item: the address of its name; the name's length, with the type in the upper bits; and its key. */
const ITEM = 4;
/** The bits of a type, with the marks of an `EntryBuffer`. */
const MARKS = 0xf;

export class Assembly {
  readonly code: Code;
  #bytes = Buffer.alloc(0);
  #words = new Uint32Array(0);
  texts: TextsAt | null = null;
  rules: RulesAt | null = null;
  /** Returns true if the call should yield. */
  isDue = never;

  private constructor(calls: SystemCalls) {
    const texts = (): TextsAt => this.texts as TextsAt;
    const rules = (): RulesAt => this.rules as RulesAt;
    const nameAt = (at: number) => this.bytesAt(at, LONGEST_NAME + 1);
    this.code = instantiated<Code>(ASSEMBLY_CODE, {
      calls: {
        open: (parent: number, name: number) => calls.openNamed(parent, nameAt(name)),
        read: (descriptor: number, to: number, size: number) => calls.readEntries(descriptor, this.bytesAt(to, size)),
        describe: (parent: number, name: number, to: number) =>
          calls.describeNamed(parent, nameAt(name), this.bytesAt(to, STATX.size)),
        isDue: () => this.isDue(),
        close: (descriptor: number) => calls.close(descriptor),
      },
      rules: {
        enter: (descriptor: number, path: number, hasFiles: number, table: number) =>
          rules().enter(descriptor, path, hasFiles, table),
        setDirectory: (path: number) => rules().setDirectory(path),
        judge: (name: number, length: number, type: number) => rules().judge(name, length, type),
      },
      texts: {
        permissions: (mode: number, to: number) => texts().permissions(mode, to),
        owner: (user: number, group: number) => texts().owner(user >>> 0, group >>> 0),
        time: (modified: number, to: number) => texts().time(modified, to),
        link: (name: number, length: number, to: number) => texts().link(name, length, to),
      },
    });
  }

  /** Returns null if WebAssembly is unavailable, or there is no memory for another instance. */
  static for(calls: SystemCalls): Assembly | null {
    if (isMissing) return null;
    try {
      const assembly = idle.pop() ?? new Assembly(calls);
      hasBeen = true;
      return assembly;
    } catch {
      isMissing = !hasBeen;
      return null;
    }
  }

  release(): void {
    this.texts = null;
    this.rules = null;
    this.isDue = never;
    if (idle.length < MAX_IDLE && this.code.memory.buffer.byteLength <= MAX_KEPT) idle.push(this);
  }

  /** When memory grows, its old buffer becomes empty and is replaced. */
  get bytes(): Buffer {
    if (this.#bytes.length === 0) this.#bytes = Buffer.from(this.code.memory.buffer);
    return this.#bytes;
  }

  get words(): Uint32Array {
    if (this.#words.length === 0) this.#words = new Uint32Array(this.code.memory.buffer);
    return this.#words;
  }

  bytesAt(address: number, length: number): Buffer {
    return this.bytes.subarray(address, address + length);
  }

  textAt(address: number, length: number): Bytes {
    return this.bytes.toString('latin1', address, address + length) as Bytes;
  }

  /** The lines that were written last, valid until more are written. */
  get lines(): Buffer {
    return this.bytesAt(this.code.LINES.value, this.code.written());
  }

  /** One word for each part of the lines that were written last. */
  get index(): Uint32Array {
    const first = this.code.INDEX.value / 4;
    return this.words.subarray(first, first + this.code.indexed() / 4);
  }

  /** Appends the entries for a range of the items at an address. */
  appendItems(items: number, from: number, to: number, entries: EntryBuffer): void {
    for (let i = from; i < to; i++) {
      const [name, length, type] = this.itemAt(items, i);
      entries.addPart(this.bytes, name, name + length, type);
    }
  }

  /** Returns the address and the length of an item's name, and its type. */
  itemAt(items: number, at: number): readonly [name: number, length: number, type: number] {
    const word = items / 4 + ITEM * at;
    const lengthAndType = this.words[word + 1] as number;
    return [this.words[word] as number, lengthAndType & 0xffff, (lengthAndType >>> 16) & MARKS];
  }

  markLinkToDirectory(items: number, at: number): void {
    const word = items / 4 + ITEM * at + 1;
    this.words[word] = (this.words[word] as number) | (LEADS_TO_DIRECTORY << 16);
  }

  /** Returns the counts since the previous call. */
  counted(): SubtreeCounts {
    const first = this.code.COUNTERS.value / 4;
    const [read = 0, unselected = 0, unopened = 0, ...rest] = this.words.slice(first, first + COUNTERS);
    this.words.fill(0, first, first + COUNTERS);
    return {
      read,
      unselected,
      unopened,
      shown: rest.slice(0, ENTRY_TYPES.length),
      hidden: rest.slice(ENTRY_TYPES.length),
    };
  }
}

const never = () => false;

/** The initial memory, in bytes. An instance whose memory has grown is not reused. */
const MAX_KEPT = 4 * 1024 * 1024;
/** Only many simultaneous calls need more instances. */
const MAX_IDLE = 4;

const idle: Assembly[] = [];
let isMissing = false;
/** True if instantiation has ever succeeded, so that it may succeed again. */
let hasBeen = false;
