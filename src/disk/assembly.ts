/** An instance of the WebAssembly code of `assembly/`, with its memory. Idle instances are reused. */
import type { Bytes } from '../names/bytes.ts';
import { EntryBuffer } from '../workspace/reader.ts';
import { ASSEMBLY_CODE } from './assembly-code.ts';
import type { SystemCalls } from './system-calls.ts';

interface Runtime {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

let compiled: object | undefined;

type Choice = 'HIDE_DOTFILES' | 'JUDGE' | 'FOLLOW' | 'ANY_NAME';

/** Numbers that the code exports: addresses and limits. */
type Constants = Readonly<
  Record<
    'COUNTERS' | 'NAME' | 'PATH' | 'LONGEST_PATH' | 'LINES' | 'FRAMES' | 'INDEX' | Choice,
    { readonly value: number }
  >
>;

interface Code extends Constants {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** The number of open directories, and the addresses after the lines and the index that were written last. */
  readonly depth: { readonly value: number };
  readonly line: { readonly value: number };
  readonly index: { readonly value: number };
  begin(parent: number, path: number, end: number, levels: number, choice: number): number;
  proceed(): number;
}

/** Called by the code if there are rules; see `assembly/subtree.ts`. */
export interface RulesAt {
  enter(descriptor: number, path: number, hasFiles: number, table: number): number;
  setDirectory(path: number): number;
  judge(name: number, length: number, type: number): number;
}

export const STATES = ['done', 'paused', 'obstacle'] as const;
export const LONGEST_NAME = 255;

export class Assembly {
  readonly code: Code;
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  rules: RulesAt | null = null;
  /** Returns 1 if a link leads to a directory, 0 if not, and a negative number for an obstacle. */
  followLink: (descriptor: number, path: number, name: number, length: number) => number = () => -1;
  /** Sorts items whose names may have any bytes. Returns a negative number for an obstacle. */
  sortByKey: (items: number, count: number) => number = () => -1;
  /** Holds an entry that is judged. */
  readonly entry = new EntryBuffer(LONGEST_NAME + 1, 1);
  /** The paths, with a slash at the end, of directories in which everything is hidden. */
  readonly hiddenOnly: Bytes[] = [];
  isDue = never;

  /** Throws if WebAssembly is disabled in Node, or memory is too low. */
  private constructor(calls: SystemCalls) {
    const rules = (): RulesAt => this.rules as RulesAt;
    const nameAt = (at: number) => this.bytesAt(at, LONGEST_NAME + 1);
    const { WebAssembly } = globalThis as unknown as { WebAssembly: Runtime };
    compiled ??= new WebAssembly.Module(Buffer.from(ASSEMBLY_CODE, 'base64'));
    const imports = {
      calls: {
        open: (parent: number, name: number) => calls.openNamed(parent, nameAt(name)),
        read: (descriptor: number, to: number, size: number) => calls.readEntries(descriptor, this.bytesAt(to, size)),
        isDue: () => this.isDue(),
        followLink: (...link: Parameters<Assembly['followLink']>) => this.followLink(...link),
        sortByKey: (...items: Parameters<Assembly['sortByKey']>) => this.sortByKey(...items),
        close: (descriptor: number) => calls.close(descriptor),
        noteHiddenOnly: (path: number) => this.hiddenOnly.push(this.textAt(this.code.PATH.value, path)),
      },
      rules: {
        enter: (...place: Parameters<RulesAt['enter']>) => rules().enter(...place),
        setDirectory: (path: number) => rules().setDirectory(path),
        judge: (...entry: Parameters<RulesAt['judge']>) => rules().judge(...entry),
      },
    };
    this.code = new WebAssembly.Instance(compiled, imports).exports as Code;
    this.bytes = Buffer.from(this.code.memory.buffer);
    this.words = new Uint32Array(this.code.memory.buffer);
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
    this.rules = null;
    this.isDue = never;
    this.hiddenOnly.length = 0;
    if (idle.length < MAX_IDLE) idle.push(this);
  }

  bytesAt(address: number, length: number): Buffer {
    return this.bytes.subarray(address, address + length);
  }

  textAt(address: number, length: number): Bytes {
    return this.bytes.toString('latin1', address, address + length) as Bytes;
  }
}

const never = () => false;

/** Only many simultaneous calls need more instances. */
const MAX_IDLE = 4;

const idle: Assembly[] = [];
let isMissing = false;
/** True if instantiation has ever succeeded, so that it may succeed again. */
let hasBeen = false;
