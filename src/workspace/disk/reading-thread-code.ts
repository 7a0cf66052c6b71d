/**
 * What the reading thread runs: it opens directories from the descriptor of the one above, as the walk itself would, and
 * reads them into slots of shared memory. Where the walk will read everything, it goes on with what it finds there.
 *
 * Its code runs by itself, from its text, so that there is no file to be found beside whatever this one is bundled into:
 * the function below uses nothing of this module but types.
 */
import type { DIRENT, STATX } from './kernel.ts';

const SLOTS = 128;
const NUMBERS = 32;

/** Where the numbers are that both sides look at, what they mean, and how large a slot is. */
export const LAYOUT = {
  slots: SLOTS,
  /** What the thread is doing, how often it was asked, and how many descriptors it was given to close, and has closed. */
  thread: 0,
  asked: 1,
  toClose: 2,
  closed: 3,
  /** 1 while it reads or closes something. */
  doing: 4,
  /** Set to 1 to ask it to end. */
  isOver: 5,
  /** The descriptors, each at its number's remainder; a power of two. */
  closing: 8,
  mostToClose: 32,
  /** Of all slots the state, and how urgent each is. Perf: one behind the other, for they are looked through often. */
  states: 64,
  urgencies: 64 + SLOTS,
  /** Where the other numbers of the first slot begin, and how many each has. Up to `levels` they are asked. */
  first: 64 + 2 * SLOTS,
  numbers: NUMBERS,
  parent: 0,
  isStamped: 1,
  /** How many levels below it everything will be read. */
  levels: 2,
  descriptor: 3,
  length: 4,
  isWhole: 5,
  /** How many of its directories the thread has gone on with, and in which slots. */
  children: 6,
  firstChild: 7,
  mostChildren: 16,
  /** When it was read, in seconds. */
  readAt: 24,
  /** Bytes of all numbers, and in each slot of the name, of what `statx` says, and of the entries. */
  header: 4 * (64 + 2 * SLOTS + SLOTS * NUMBERS),
  nameSize: 256,
  stampSize: 256,
  entriesSize: 32 * 1024,
  /** Slots are in these states. */
  FREE: 0,
  CLAIMED: 1,
  REQUESTED: 2,
  READING: 3,
  READY: 4,
  /** It is being read, and nobody wants it any more. */
  ABANDONED: 5,
  /** And the thread in these. */
  STARTING: 0,
  AWAKE: 1,
  ASLEEP: 2,
  OVER: 3,
} as const;

export interface ThreadData {
  readonly memory: SharedArrayBuffer;
  readonly layout: typeof LAYOUT;
  /** Where koffi is, and the flags by which a directory is opened. */
  readonly koffi: string;
  readonly flags: number;
  readonly kernel: { readonly dirent: typeof DIRENT; readonly statx: typeof STATX };
}

type Call = (...args: (number | Uint8Array)[]) => number;

interface Koffi {
  load(library: null): { func(name: string, result: string, parameters: string[]): Call };
}

/** Returns when the thread is over. */
export function readDirectories(data: ThreadData, load: (path: string) => unknown): void {
  const { memory, layout, koffi, flags, kernel } = data;
  const { slots, states, urgencies, first, numbers, header, nameSize, stampSize, entriesSize } = layout;
  const { FREE, CLAIMED, REQUESTED, READING, READY } = layout;
  const libc = (load(koffi) as Koffi).load(null);
  const openat = libc.func('openat', 'int', ['int', 'void *', 'int']);
  const close = libc.func('close', 'int', ['int']);
  const getdents = libc.func('getdents64', 'long', ['int', 'void *', 'size_t']);
  const statx = libc.func('statx', 'int', ['int', 'void *', 'int', 'uint', 'void *']);
  const { emptyPath, basicStats } = kernel.statx;
  const { lengthAt, typeAt, nameAt, directory } = kernel.dirent;
  const dot = 0x2e;
  /** Less room than the longest entry takes is none. */
  const least = 300;
  const nothing = new Uint8Array(1);
  const shared = new Int32Array(memory, 0, header / 4);
  const places = Array.from({ length: slots }, (_, slot) => {
    const start = header + slot * (nameSize + stampSize + entriesSize);
    const part = (from: number, size: number) => new Uint8Array(memory, start + from, size);
    const entriesAt = nameSize + stampSize;
    return {
      slot,
      at: first + slot * numbers,
      name: part(0, nameSize),
      stamp: part(nameSize, stampSize),
      entries: part(entriesAt, entriesSize),
    };
  });
  type Place = (typeof places)[number];

  /** What fails the walk does once more by itself, and then it knows what to say. */
  const read = (place: Place): void => {
    const { at, name, stamp, entries } = place;
    const descriptor = openat(shared[at + layout.parent] as number, name, flags);
    let length = 0;
    let result = descriptor;
    shared[at + layout.readAt] = Math.floor(Date.now() / 1000);
    if (result >= 0 && shared[at + layout.isStamped] === 1) {
      result = statx(descriptor, nothing, emptyPath, basicStats, stamp);
    }
    while (result >= 0 && entriesSize - length >= least) {
      result = getdents(descriptor, length === 0 ? entries : entries.subarray(length), entriesSize - length);
      if (result <= 0) break;
      length += result;
    }
    if (result < 0 && descriptor >= 0) close(descriptor);
    shared[at + layout.descriptor] = result < 0 ? -1 : descriptor;
    shared[at + layout.length] = length;
    shared[at + layout.isWhole] = result === 0 ? 1 : 0;
    shared[at + layout.children] = 0;
    if (result === 0 && (shared[at + layout.levels] as number) > 0) goOn(place, descriptor, length);
  };

  const names = new Uint32Array(layout.mostChildren);

  /**
   * Asks for the directories in one that was read, unless they are many: then the walk must say which come first. Those
   * with a dot are left to the walk, too.
   */
  const goOn = ({ slot: above, at, entries }: Place, descriptor: number, length: number): void => {
    let found = 0;
    for (let record = 0; record < length; ) {
      const start = record + nameAt;
      const isDirectory = entries[record + typeAt] === directory;
      record += (entries[record + lengthAt] as number) | ((entries[record + lengthAt + 1] as number) << 8);
      if (!isDirectory || entries[start] === dot) continue;
      if (found === names.length) return;
      names[found++] = start;
    }
    for (let i = 0; i < found; i++) {
      const slot = free-- > reserved ? claimed() : -1;
      if (slot < 0) return;
      const child = first + slot * numbers;
      const own = (places[slot] as Place).name;
      for (let from = names[i] as number, to = 0; ; from++, to++) {
        own[to] = entries[from] as number;
        if (entries[from] === 0) break;
      }
      // The walk gets there before it gets to anything that is less urgent than the one above.
      shared[urgencies + slot] = (shared[urgencies + above] as number) - 1;
      shared[child + layout.parent] = descriptor;
      shared[child + layout.isStamped] = shared[at + layout.isStamped] as number;
      shared[child + layout.levels] = (shared[at + layout.levels] as number) - 1;
      shared[at + layout.firstChild + i] = slot;
      shared[at + layout.children] = i + 1;
      Atomics.store(shared, states + slot, REQUESTED);
    }
  };

  /** Slots that were free just now, and how many are left for what the walk itself asks for. */
  let free = 0;
  const reserved = slots / 4;
  let cursor = 0;

  /** A slot that was free; -1 when there is none. */
  const claimed = (): number => {
    for (let i = 0; i < slots; i++) {
      cursor = (cursor + 1) % slots;
      if (shared[states + cursor] !== FREE) continue;
      if (Atomics.compareExchange(shared, states + cursor, FREE, CLAIMED) === FREE) return cursor;
    }
    return -1;
  };

  /** The one that is asked for most urgently; null when there is none. */
  const next = (): Place | null => {
    let found: Place | null = null;
    let most = 0;
    free = 0;
    for (let slot = 0; slot < slots; slot++) {
      const state = shared[states + slot];
      if (state === FREE) free++;
      if (state !== REQUESTED) continue;
      const urgency = shared[urgencies + slot] as number;
      if (found !== null && urgency <= most) continue;
      most = urgency;
      found = places[slot] as Place;
    }
    return found;
  };

  /** Nobody wants it any more, nor what is in it, which nobody has begun to read. */
  const dispose = ({ slot, at }: Place): void => {
    const descriptor = shared[at + layout.descriptor] as number;
    for (let i = 0; i < (shared[at + layout.children] as number); i++) {
      Atomics.store(shared, states + (shared[at + layout.firstChild + i] as number), FREE);
    }
    if (descriptor >= 0) close(descriptor);
    Atomics.store(shared, states + slot, FREE);
  };

  /** A descriptor is closed by whoever has counted it: the walk may do it, too. */
  const closeAll = (): void => {
    for (;;) {
      const done = Atomics.load(shared, layout.closed);
      if (done === Atomics.load(shared, layout.toClose)) return;
      const descriptor = shared[layout.closing + (done & (layout.mostToClose - 1))] as number;
      Atomics.store(shared, layout.doing, 1);
      if (Atomics.compareExchange(shared, layout.closed, done, (done + 1) | 0) === done) close(descriptor);
      Atomics.store(shared, layout.doing, 0);
    }
  };

  /** Perf: to be woken takes longer than to read some directories. */
  const patience = 100;

  const isOver = (): boolean => Atomics.load(shared, layout.isOver) === 1;

  const wait = (): void => {
    for (let i = 0; i < patience; i++) {
      closeAll();
      if (next() !== null) return;
    }
    const asked = Atomics.load(shared, layout.asked);
    Atomics.store(shared, layout.thread, layout.ASLEEP);
    closeAll();
    if (next() === null && !isOver()) Atomics.wait(shared, layout.asked, asked);
    Atomics.store(shared, layout.thread, layout.AWAKE);
  };

  Atomics.store(shared, layout.thread, layout.AWAKE);
  while (!isOver()) {
    for (let place = next(); place !== null && !isOver(); place = next()) {
      const state = states + place.slot;
      Atomics.store(shared, layout.doing, 1);
      if (Atomics.compareExchange(shared, state, REQUESTED, READING) === REQUESTED) {
        read(place);
        if (Atomics.compareExchange(shared, state, READING, READY) !== READING) dispose(place);
      }
      Atomics.store(shared, layout.doing, 0);
      closeAll();
    }
    wait();
  }
}
