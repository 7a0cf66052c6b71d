/**
 * Direct system calls through koffi, if that is installed. Directories are read into a buffer, without an object or a
 * string for each name, and entries are accessed from their directory's descriptor, without a path.
 *
 * They are used only on systems where the structures below were tested. Even there, their results are compared with
 * Node's own once, before anything relies on them.
 */
import { constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants as system } from 'node:os';
import type { Bytes } from '../names/bytes.ts';
import { typeOfMode } from '../workspace/reader.ts';
import type { Metadata, Stamp } from '../workspace/source.ts';

/** Opens a file or directory without permission to read it. Node has no constant for it. */
export const O_PATH = 0o10000000;

/**
 * Flags of `statx`: query the descriptor itself, follow no link, return all that `stat` does. Then the size of its
 * result in bytes, and the positions, in words, of the seconds of the last change and of the last modification.
 */
const STATX = { emptyPath: 0x1000, noFollow: 0x100, basicStats: 0x7ff, size: 256, changed: 24, modified: 28 } as const;

const { EINTR, ENOTDIR, ENAMETOOLONG, ENOSYS } = system.errno;

const TESTED = new Set(['linux arm64', 'linux x64']);

/** The environment variable that disables the calls for all workspaces of the process. */
const SWITCH = 'AGENT_LS_NO_SYSTEM_CALLS';

/** Makes a path relative to the working directory of the process. Only absolute paths are used with it. */
const AT_FDCWD = -100;

const O_CLOEXEC = 0o2000000;
const DIRECTORY = constants.O_DIRECTORY | constants.O_NOFOLLOW | O_CLOEXEC;
/** Non-blocking: if a pipe is put in the file's place after all, the call must not wait for a writer. */
const FILE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | O_CLOEXEC;

const SYS_OPENAT2 = 437;
const RESOLVE_NO_MAGICLINKS = 0x2;
const RESOLVE_NO_SYMLINKS = 0x4;
const RESOLVE_BENEATH = 0x8;
/** `struct open_how`: flags, mode, resolve. */
const TO_PASS_BENEATH = Buffer.from(
  BigUint64Array.of(
    BigInt(DIRECTORY | O_PATH),
    0n,
    BigInt(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS),
  ).buffer,
);

const S_IFMT = 0o170000;
const S_IFDIR = 0o040000;

/** The size in bytes of the longest path, with its terminator. */
const PATH_SIZE = 4096;

type Call = (...args: (number | Buffer)[]) => number;

interface Koffi {
  load(library: null): { func(name: string, result: string, parameters: string[]): Call };
  errno(): number;
}

/** The system's metadata of an entry. The target of a link is read separately. */
interface Described extends Metadata {
  readonly mode: number;
  readonly user: number;
  readonly group: number;
  target: Bytes | null;
}

/** The calls. A call that fails returns its error number, negated. */
export class SystemCalls {
  readonly #koffi: Koffi;
  readonly #openat: Call;
  readonly #close: Call;
  readonly #getdents: Call;
  readonly #statx: Call;
  readonly #readlinkat: Call;
  readonly #read: Call;
  readonly #fstatfs: Call;
  readonly #syscall: Call;
  /** False once the kernel has turned out to be too old for `openat2`. */
  #hasBeneath = true;
  readonly #name = Buffer.alloc(PATH_SIZE);
  /** Receives results. The words of a `struct statx` are the same on all processors; those tested are little-endian. */
  readonly #result = Buffer.alloc(PATH_SIZE);
  readonly #words = new Uint32Array(this.#result.buffer, this.#result.byteOffset, STATX.size / 4);

  constructor(koffi: Koffi) {
    const libc = koffi.load(null);
    this.#koffi = koffi;
    this.#openat = libc.func('openat', 'int', ['int', 'void *', 'int']);
    this.#close = libc.func('close', 'int', ['int']);
    this.#getdents = libc.func('getdents64', 'long', ['int', 'void *', 'size_t']);
    this.#statx = libc.func('statx', 'int', ['int', 'void *', 'int', 'uint', 'void *']);
    this.#readlinkat = libc.func('readlinkat', 'long', ['int', 'void *', 'void *', 'size_t']);
    this.#read = libc.func('read', 'long', ['int', 'void *', 'size_t']);
    this.#fstatfs = libc.func('fstatfs', 'int', ['int', 'void *']);
    // The C library has no function for `openat2`.
    this.#syscall = libc.func('syscall', 'long', ['long', 'int', 'void *', 'void *', 'size_t']);
  }

  /** Opens the directory `name` for reading. No link is followed. */
  openDirectory(parent: number, name: Bytes): number {
    return this.#open(parent, name, DIRECTORY);
  }

  /** Opens the directory `name` to pass through it, which needs no permission to read it. */
  openToPass(parent: number, name: Bytes): number {
    return this.#open(parent, name, DIRECTORY | O_PATH);
  }

  /** Does the same for the directory at a path. No link is followed anywhere on it. */
  openToPassBeneath(parent: number, path: Bytes): number {
    if (!this.#hasBeneath || !this.#put(path)) return -ENOSYS;
    const { length } = TO_PASS_BENEATH;
    const result = this.#outcome(this.#syscall(SYS_OPENAT2, parent, this.#name, TO_PASS_BENEATH, length));
    this.#hasBeneath = result !== -ENOSYS;
    return result;
  }

  openFile(parent: number, name: Bytes): number {
    return this.#open(parent, name, FILE);
  }

  /** Opens an open directory once more, through its link in `/proc`, the only link that is followed. */
  openHeld(descriptor: number): number {
    return this.#open(AT_FDCWD, `/proc/self/fd/${descriptor}` as Bytes, constants.O_DIRECTORY | O_CLOEXEC);
  }

  openRoot(): number {
    return this.#open(AT_FDCWD, '/' as Bytes, DIRECTORY | O_PATH);
  }

  /** Does the same as `openDirectory`, for a name in a buffer, followed by a 0. */
  openNamed(parent: number, name: Buffer): number {
    return this.#openAt(parent, name, DIRECTORY);
  }

  #open(parent: number, name: Bytes, flags: number): number {
    return this.#put(name) ? this.#openAt(parent, this.#name, flags) : -ENAMETOOLONG;
  }

  #openAt(parent: number, name: Buffer, flags: number): number {
    return this.#repeated(() => this.#openat(parent, name, flags));
  }

  close(descriptor: number): void {
    // The descriptor is closed even if the call reports an error.
    this.#close(descriptor);
  }

  /** Reads entries as `struct linux_dirent64` records; returns the number of bytes read, 0 if there are no more. */
  readEntries(descriptor: number, buffer: Buffer): number {
    return this.#repeated(() => this.#getdents(descriptor, buffer, buffer.length));
  }

  readFile(descriptor: number, buffer: Buffer): number {
    return this.#repeated(() => this.#read(descriptor, buffer, buffer.length));
  }

  /** Returns the metadata of the entry `name`; '' is the descriptor itself. A link is not followed. */
  describe(parent: number, name: Bytes): Described | number {
    const result = this.#ask(parent, name);
    if (result < 0) return result;
    return describedIn(this.#words);
  }

  /** Returns the identity of an open directory, and the times of its last changes. */
  stamp(descriptor: number): WordStamp | number {
    return this.stampAt(descriptor, '' as Bytes);
  }

  /** Does the same for a directory at a path below; no link is followed at its end. Fails if it is not a directory. */
  stampAt(descriptor: number, path: Bytes): WordStamp | number {
    const result = this.#ask(descriptor, path);
    if (result < 0) return result;
    if (((this.#words[7] as number) & S_IFMT) !== S_IFDIR) return -ENOTDIR;
    return new WordStamp(this.#words);
  }

  /** Returns the number of hard links; 0 if it was removed. */
  links(descriptor: number): number {
    const result = this.#ask(descriptor, '' as Bytes);
    return result < 0 ? result : (this.#words[4] as number);
  }

  #ask(parent: number, name: Bytes): number {
    if (!this.#put(name)) return -ENAMETOOLONG;
    const flags = name === '' ? STATX.emptyPath : STATX.noFollow;
    return this.#repeated(() => this.#statx(parent, this.#name, flags, STATX.basicStats, this.#result));
  }

  readLink(parent: number, name: Bytes): Bytes | number {
    if (!this.#put(name)) return -ENAMETOOLONG;
    const length = this.#outcome(this.#readlinkat(parent, this.#name, this.#result, this.#result.length));
    return length < 0 ? length : (this.#result.toString('latin1', 0, length) as Bytes);
  }

  /** Returns the magic number of the file system. */
  fileSystem(descriptor: number): number {
    const result = this.#outcome(this.#fstatfs(descriptor, this.#result));
    return result < 0 ? result : (this.#words[0] as number);
  }

  /** Stores a name for the next call; false if it is too long for the system, or contains a NUL. */
  #put(name: Bytes): boolean {
    if (name.length >= PATH_SIZE || name.includes('\0')) return false;
    this.#name[this.#name.write(name, 'latin1')] = 0;
    return true;
  }

  /** Makes a call, again if a signal interrupts it. */
  #repeated(call: () => number): number {
    for (;;) {
      const result = this.#outcome(call());
      if (result !== -EINTR) return result;
    }
  }

  #outcome(result: number): number {
    return result < 0 ? -this.#koffi.errno() : result;
  }
}

/** Keeps words. Perf: making a bigint costs several times as much as comparing the words that it consists of. */
class WordStamp implements Stamp {
  readonly #major: number;
  readonly #minor: number;
  readonly #lowInode: number;
  readonly #highInode: number;
  readonly #changed: number;
  readonly #changedRest: number;
  readonly #modified: number;
  readonly #modifiedRest: number;

  constructor(words: Uint32Array) {
    this.#major = words[34] as number;
    this.#minor = words[35] as number;
    this.#lowInode = words[8] as number;
    this.#highInode = words[9] as number;
    this.#changed = secondsAt(words, STATX.changed);
    this.#changedRest = words[26] as number;
    this.#modified = secondsAt(words, STATX.modified);
    this.#modifiedRest = words[30] as number;
  }

  get dev(): bigint {
    return deviceOf(BigInt(this.#major), BigInt(this.#minor));
  }

  /** The device as a plain number, which is enough to compare it. */
  get device(): number {
    return 2 ** 20 * this.#major + this.#minor;
  }

  get ino(): bigint {
    return BigInt(this.#lowInode) + (BigInt(this.#highInode) << 32n);
  }

  get mtimeNs(): bigint {
    return nanoseconds(this.#modified, this.#modifiedRest);
  }

  get ctimeNs(): bigint {
    return nanoseconds(this.#changed, this.#changedRest);
  }

  equals(other: Stamp): boolean {
    return (
      other instanceof WordStamp &&
      this.#lowInode === other.#lowInode &&
      this.#highInode === other.#highInode &&
      this.#major === other.#major &&
      this.#minor === other.#minor &&
      this.#modified === other.#modified &&
      this.#modifiedRest === other.#modifiedRest &&
      this.#changed === other.#changed &&
      this.#changedRest === other.#changedRest
    );
  }
}

function describedIn(words: Uint32Array): Described {
  const mode = (words[7] as number) & 0xffff;
  return {
    type: typeOfMode(mode),
    size: (words[10] as number) + 2 ** 32 * (words[11] as number),
    modified: 1000 * secondsAt(words, STATX.modified) + (words[30] as number) / 1e6,
    mode,
    user: words[5] as number,
    group: words[6] as number,
    target: null,
    inode: (words[8] as number) + 2 ** 32 * (words[9] as number),
    links: words[4] as number,
    changed: 1000 * secondsAt(words, STATX.changed) + (words[26] as number) / 1e6,
  };
}

function nanoseconds(seconds: number, rest: number): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(rest);
}

function secondsAt(words: Uint32Array, word: number): number {
  return (words[word] as number) + 2 ** 32 * ((words[word + 1] as number) | 0);
}

/** Encodes a device as `stat` does, so that the two can be compared. */
function deviceOf(major: bigint, minor: bigint): bigint {
  return ((major & 0xfffn) << 8n) | (minor & 0xffn) | ((major >> 12n) << 44n) | ((minor >> 8n) << 20n);
}

const CODES = new Map(Object.entries(system.errno).map(([code, number]) => [number, code]));

/** Returns the code of a failed call: `ENOENT`. */
export function codeOf(result: number): string {
  return CODES.get(-result) ?? `E${-result}`;
}

/** Makes a system error like those that Node throws. */
export function systemError(result: number, call: string): Error {
  const code = codeOf(result);
  return Object.assign(new Error(`${code}: ${call}`), { code, errno: result, syscall: call });
}

let known: SystemCalls | null | undefined;

export function loadedSystemCalls(): SystemCalls | null {
  return known ?? null;
}

/** Returns null if there are none: koffi is not installed or does not work here, or they are disabled. */
export function systemCalls(): SystemCalls | null {
  if (known === undefined) known = isOff() ? null : load();
  return known;
}

function isOff(): boolean {
  return !TESTED.has(`${process.platform} ${process.arch}`) || (process.env[SWITCH] ?? '') !== '';
}

function load(): SystemCalls | null {
  try {
    const calls = new SystemCalls(createRequire(import.meta.url)('koffi') as Koffi);
    return isRight(calls) ? calls : null;
  } catch {
    return null;
  }
}

/** Returns true if the calls and Node agree about the system's root directory. */
function isRight(calls: SystemCalls): boolean {
  const descriptor = calls.openRoot();
  if (descriptor < 0) return false;
  try {
    const [stamp, described] = [calls.stamp(descriptor), calls.describe(descriptor, '' as Bytes)];
    if (typeof stamp === 'number' || typeof described === 'number') return false;
    const { dev, ino, mtimeNs, ctimeNs, mode, uid } = statSync('/', { bigint: true });
    const isSame = stamp.dev === dev && stamp.ino === ino && stamp.mtimeNs === mtimeNs && stamp.ctimeNs === ctimeNs;
    return isSame && BigInt(described.mode) === mode && BigInt(described.user) === uid;
  } finally {
    calls.close(descriptor);
  }
}
