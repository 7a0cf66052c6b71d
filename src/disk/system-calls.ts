/**
 * Direct system calls through koffi, if that is installed: without an object, a string or a path for each name. They
 * are used only where the structures below were tested, and only after their results agreed with Node's own.
 */
import { constants, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants as system } from 'node:os';
import type { Bytes } from '../names/bytes.ts';
import { typeOfMode } from '../workspace/reader.ts';
import type { Stamp } from '../workspace/source.ts';

/** Opens a file or directory without permission to read it. Node has no constant for it. */
export const O_PATH = 0o10000000;

/**
 * Flags of `statx`: query the descriptor itself, follow no link, return all that `stat` does. Then the size of its
 * result in bytes, and the positions, in words, of the seconds of the last change and of the last modification.
 */
const STATX = { emptyPath: 0x1000, noFollow: 0x100, basicStats: 0x7ff, size: 256, changed: 24, modified: 28 } as const;

const { EINTR, ENAMETOOLONG, ENOSYS } = system.errno;

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
    // Without `O_NOFOLLOW`, with which a link at the end would look like a file.
    BigInt(constants.O_DIRECTORY | O_CLOEXEC | O_PATH),
    0n,
    BigInt(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS),
  ).buffer,
);

/** The size in bytes of the longest path, with its terminator. */
const PATH_SIZE = 4096;

type Arguments = (number | Buffer)[];

interface Call {
  (...args: Arguments): number;
  async(...args: [...Arguments, (error: unknown, returned: number) => void]): void;
}

interface Koffi {
  load(library: null): { func(name: string, result: string, parameters: string[]): Call };
  errno(): number;
}

export type SystemCalls = ReturnType<typeof callsThrough>;

/** The calls. A call that fails returns its error number, negated. */
function callsThrough(koffi: Koffi) {
  const libc = koffi.load(null);
  const openat = libc.func('openat', 'int', ['int', 'void *', 'int']);
  const closeIt = libc.func('close', 'int', ['int']);
  const getdents = libc.func('getdents64', 'long', ['int', 'void *', 'size_t']);
  const statx = libc.func('statx', 'int', ['int', 'void *', 'int', 'uint', 'void *']);
  const readlinkat = libc.func('readlinkat', 'long', ['int', 'void *', 'void *', 'size_t']);
  const read = libc.func('read', 'long', ['int', 'void *', 'size_t']);
  const fstatfs = libc.func('fstatfs', 'int', ['int', 'void *']);
  // The C library has no function for `openat2`.
  const syscall = libc.func('syscall', 'long', ['long', 'int', 'void *', 'void *', 'size_t']);
  /** False once the kernel has turned out to be too old for `openat2`. */
  let hasBeneath = true;
  const given = Buffer.alloc(PATH_SIZE);
  /** Receives results. The words of a `struct statx` are the same on all processors; those tested are little-endian. */
  const result = Buffer.alloc(PATH_SIZE);
  const words = new Uint32Array(result.buffer, result.byteOffset, STATX.size / 4);

  /** Stores a name for the next call; false if it is too long for the system, or contains a NUL. */
  function put(name: Bytes): boolean {
    if (name.length >= PATH_SIZE || name.includes('\0')) return false;
    given[given.write(name, 'latin1')] = 0;
    return true;
  }

  function outcome(returned: number): number {
    return returned < 0 ? -koffi.errno() : returned;
  }

  /** Makes a call, again if a signal interrupts it. */
  function repeated(call: () => number): number {
    for (;;) {
      const returned = outcome(call());
      if (returned !== -EINTR) return returned;
    }
  }

  function openAt(parent: number, name: Buffer, flags: number): number {
    return repeated(() => openat(parent, name, flags));
  }

  function open(parent: number, name: Bytes, flags: number): number {
    return put(name) ? openAt(parent, given, flags) : -ENAMETOOLONG;
  }

  /** Fills `words`; '' is the descriptor itself. A link is not followed. */
  function ask(parent: number, name: Bytes): number {
    if (!put(name)) return -ENAMETOOLONG;
    const flags = name === '' ? STATX.emptyPath : STATX.noFollow;
    return repeated(() => statx(parent, given, flags, STATX.basicStats, result));
  }

  /** Returns the identity of the entry at a path, and the times of its last changes. */
  function stampAt(descriptor: number, path: Bytes): WordStamp | number {
    const returned = ask(descriptor, path);
    return returned < 0 ? returned : new WordStamp(words);
  }

  return {
    /** Opens the directory `name` for reading. No link is followed. */
    openDirectory: (parent: number, name: Bytes): number => open(parent, name, DIRECTORY),
    /** Opens the directory `name` to pass through it, which needs no permission to read it. */
    openToPass: (parent: number, name: Bytes): number => open(parent, name, DIRECTORY | O_PATH),
    /** Does the same for the directory at a path. No link is followed anywhere on it. */
    openToPassBeneath(parent: number, path: Bytes): number {
      if (!hasBeneath || !put(path)) return -ENOSYS;
      const returned = outcome(syscall(SYS_OPENAT2, parent, given, TO_PASS_BENEATH, TO_PASS_BENEATH.length));
      hasBeneath = returned !== -ENOSYS;
      return returned;
    },
    openFile: (parent: number, name: Bytes): number => open(parent, name, FILE),
    /** Opens an open directory once more, through its link in `/proc`, the only link that is followed. */
    openHeld: (descriptor: number): number =>
      open(AT_FDCWD, `/proc/self/fd/${descriptor}` as Bytes, constants.O_DIRECTORY | O_CLOEXEC),
    openRoot: (): number => open(AT_FDCWD, '/' as Bytes, DIRECTORY | O_PATH),
    /** Does the same as `openDirectory`, for a name in a buffer, followed by a 0. */
    openNamed: (parent: number, name: Buffer): number => openAt(parent, name, DIRECTORY),
    /** The descriptor is closed even if the call reports an error. */
    close: (descriptor: number): void => void closeIt(descriptor),
    /** Reads entries as `struct linux_dirent64` records; returns the number of bytes read, 0 if there are no more. */
    readEntries: (descriptor: number, buffer: Buffer): number =>
      repeated(() => getdents(descriptor, buffer, buffer.length)),
    /** Does the same on another thread; gives -1 if it failed for whatever reason. */
    readEntriesBeside: (descriptor: number, buffer: Buffer): Promise<number> =>
      new Promise((resolve) => {
        const use = (error: unknown, length: number) => resolve(error === null ? length : -1);
        getdents.async(descriptor, buffer, buffer.length, use);
      }),
    readFile: (descriptor: number, buffer: Buffer): number => repeated(() => read(descriptor, buffer, buffer.length)),
    /** Returns the metadata of the entry `name`; '' is the descriptor itself. A link is not followed, nor its target read. */
    describe(parent: number, name: Bytes) {
      const returned = ask(parent, name);
      if (returned < 0) return returned;
      const mode = (words[7] as number) & 0xffff;
      return {
        type: typeOfMode(mode),
        size: (words[10] as number) + 2 ** 32 * (words[11] as number),
        modified: 1000 * secondsAt(words, STATX.modified) + (words[30] as number) / 1e6,
        mode,
        user: words[5] as number,
        group: words[6] as number,
        target: null as Bytes | null,
        inode: (words[8] as number) + 2 ** 32 * (words[9] as number),
        links: words[4] as number,
        changed: 1000 * secondsAt(words, STATX.changed) + (words[26] as number) / 1e6,
      };
    },
    stampAt,
    stamp: (descriptor: number): WordStamp | number => stampAt(descriptor, '' as Bytes),
    /** Returns the number of hard links; 0 if it was removed. */
    links(descriptor: number): number {
      const returned = ask(descriptor, '' as Bytes);
      return returned < 0 ? returned : (words[4] as number);
    },
    readLink(parent: number, name: Bytes): Bytes | number {
      if (!put(name)) return -ENAMETOOLONG;
      const length = outcome(readlinkat(parent, given, result, result.length));
      return length < 0 ? length : (result.toString('latin1', 0, length) as Bytes);
    },
    fileSystem(descriptor: number): number {
      const returned = outcome(fstatfs(descriptor, result));
      return returned < 0 ? returned : (words[0] as number);
    },
  };
}

/** Keeps words. Perf: making a bigint costs several times as much as comparing the words that it consists of. */
class WordStamp implements Stamp {
  /** Device, inode, and the times of the last change and modification, in seconds and nanoseconds. */
  readonly #words: readonly [number, number, number, number, number, number, number, number];

  constructor(words: Uint32Array) {
    const at = (word: number) => words[word] as number;
    const [changed, modified] = [secondsAt(words, STATX.changed), secondsAt(words, STATX.modified)];
    this.#words = [at(34), at(35), at(8), at(9), changed, at(26), modified, at(30)];
  }

  /** Encoded as `stat` does, so that the two can be compared. */
  get dev(): bigint {
    const [major, minor] = [BigInt(this.#words[0]), BigInt(this.#words[1])];
    return ((major & 0xfffn) << 8n) | (minor & 0xffn) | ((major >> 12n) << 44n) | ((minor >> 8n) << 20n);
  }

  /** The device as a plain number, which is enough to compare it. */
  get device(): number {
    return 2 ** 20 * this.#words[0] + this.#words[1];
  }

  get ino(): bigint {
    return BigInt(this.#words[2]) + (BigInt(this.#words[3]) << 32n);
  }

  get mtimeNs(): bigint {
    return BigInt(this.#words[6]) * 1_000_000_000n + BigInt(this.#words[7]);
  }

  get ctimeNs(): bigint {
    return BigInt(this.#words[4]) * 1_000_000_000n + BigInt(this.#words[5]);
  }

  equals(other: Stamp): boolean {
    return other instanceof WordStamp && this.#words.every((word, i) => word === other.#words[i]);
  }
}

function secondsAt(words: Uint32Array, word: number): number {
  return (words[word] as number) + 2 ** 32 * ((words[word + 1] as number) | 0);
}

const CODES = new Map(Object.entries(system.errno).map(([code, number]) => [number, code]));

/** Returns the code of a failed call: `ENOENT`. */
export function codeOf(result: number): string {
  return CODES.get(-result) ?? `E${-result}`;
}

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
  const isOff = () => !TESTED.has(`${process.platform} ${process.arch}`) || (process.env[SWITCH] ?? '') !== '';
  if (known === undefined) known = isOff() ? null : load();
  return known;
}

function load(): SystemCalls | null {
  try {
    const calls = callsThrough(createRequire(import.meta.url)('koffi') as Koffi);
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
