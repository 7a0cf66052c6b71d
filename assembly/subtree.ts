/**
 * Writes the paths of all that is below a directory, one in a line, for `SubtreeWriter`.
 *
 * This is AssemblyScript, which scripts/assembly.js compiles to WebAssembly. It runs fast from the first directory on,
 * while V8 takes as long to make a walk in JavaScript fast as that then takes for ten thousand directories.
 *
 * Whatever is out of the ordinary is an obstacle, and left to the walk in JavaScript: a directory that cannot be opened, a
 * name that is not printable ASCII, a link that would have to be followed, too many entries.
 */

/** Opens the directory whose name stands at an address, ended by a 0; negative when that fails. No link is followed. */
@external('calls', 'open')
declare function openDirectory(parent: i32, name: usize): i32;
/** Reads entries to an address; how many bytes they take, 0 at the end, a negative number when that fails. */
@external('calls', 'read')
declare function readEntries(directory: i32, to: usize, size: i32): i32;
@external('calls', 'close')
declare function closeDirectory(directory: i32): void;

export const DONE: i32 = 0;
export const PAUSED: i32 = 1;
export const OBSTACLE: i32 = 2;

/** Counters, a word each: entries that were read, and hidden, directories not opened; and what was written, by its type. */
export const COUNTERS: usize = 1024;
const READ: usize = COUNTERS;
const HIDDEN: usize = COUNTERS + 4;
const UNOPENED: usize = COUNTERS + 8;
const WRITTEN: usize = COUNTERS + 12;

/** The name of the directory to begin with. */
export const NAME: usize = 2048;
/** The path of the directory that is written, with a slash behind it. */
export const PATH: usize = 4096;
export const LONGEST_PATH: i32 = 4000;
/** The lines. */
export const LINES: usize = 8192;
const LINES_END: usize = LINES + 128 * 1024;
/** The directories that are open, from the first down. */
export const FRAMES: usize = LINES_END + 1024;
/** So few because a walk must do with 64 descriptors, and has others open. */
const MOST_FRAMES: i32 = 16;
/** Entries of these directories, those of the deepest last: the system's records, and behind them an item for each. */
const ENTRIES: usize = FRAMES + 1024;
const ENTRIES_END: usize = 4 * 1024 * 1024 - 1024;

/** Bytes that are read at a time. */
const BLOCK: i32 = 32 * 1024;
/** More of them in one directory would keep others waiting. */
const MOST_ENTRIES: i32 = 8192;
/** Bytes that a line has beside its path and its name; copies go on to the end of a word. */
const SLACK: usize = 16;

/** `struct linux_dirent64`, and its types. */
const LENGTH_AT: usize = 16;
const TYPE_AT: usize = 18;
const NAME_AT: usize = 19;
const DT_UNKNOWN: u32 = 0;
const DT_DIRECTORY: u32 = 4;
const DT_FILE: u32 = 8;
const DT_LINK: u32 = 10;

const DOT: u8 = 0x2e;
const SLASH: u8 = 0x2f;

/** What an entry is, as an `EntryBuffer` has it. */
const FILE: u16 = 0;
const DIRECTORY: u16 = 1;
const LINK: u16 = 2;
const OTHER: u16 = 3;

@unmanaged
class Frame {
  descriptor: i32;
  /** Bytes of its path. */
  path: i32;
  items: usize;
  /** How many items it has, and which is the next to be written. */
  count: i32;
  next: i32;
  /** Where its records begin. */
  records: usize;
}

/** An entry that is shown. */
@unmanaged
class Item {
  name: u32;
  length: u16;
  type: u16;
  /** The first bytes of its name, in lower case. */
  key: u64;
}

let depth: i32 = 0;
/** Where the next records go, and the next line. */
let top: usize = ENTRIES;
let line: usize = LINES;

let lineEnd: u8 = 0;
let mostLevels: i32 = 0;
let directoriesFirst: bool = false;
let hidesDotfiles: bool = false;

/** Begins with the directory whose name stands at `NAME`, in one that is open; its path, that long, stands at `PATH`. */
export function begin(parent: i32, path: i32, end: i32, levels: i32, isByType: bool, hidesDots: bool): i32 {
  lineEnd = <u8>end;
  mostLevels = levels;
  directoriesFirst = isByType;
  hidesDotfiles = hidesDots;
  top = ENTRIES;
  depth = 0;
  return enter(parent, NAME, path);
}

/** Writes until nothing is left, there is no more room, or the next directory is an obstacle. */
export function proceed(): i32 {
  line = LINES;
  while (depth > 0) {
    const state = writeFrame(frameAt(depth - 1));
    if (state != DONE) return state;
  }
  return DONE;
}

/** Bytes of the lines that were written last. */
export function written(): i32 {
  return <i32>(line - LINES);
}

/** How many directories are open. */
export function frames(): i32 {
  return depth;
}

/** Up to the next directory that is entered, or to the end. */
function writeFrame(frame: Frame): i32 {
  const path = frame.path;
  const descends = depth < mostLevels;
  for (; frame.next < frame.count; frame.next++) {
    const item = itemAt(frame.items, frame.next);
    const start = line;
    if (start + path + item.length + SLACK > LINES_END) return PAUSED;
    const isDirectory = item.type == DIRECTORY;
    write(path, item, isDirectory);
    if (isDirectory && descends) {
      if (enterItem(frame, item) == DONE) {
        countItem(item);
        frame.next++;
        return DONE;
      }
      line = start;
      return OBSTACLE;
    }
    countItem(item);
    if (isDirectory) add(UNOPENED, 1);
  }
  closeDirectory(frame.descriptor);
  top = frame.records;
  depth--;
  return DONE;
}

@inline
function write(path: i32, item: Item, isDirectory: bool): void {
  copy(line, PATH, path);
  copy(line + path, item.name, item.length);
  line += path + item.length;
  if (isDirectory) store<u8>(line++, SLASH);
  store<u8>(line++, lineEnd);
}

@inline
function countItem(item: Item): void {
  add(WRITTEN + 4 * item.type, 1);
}

@inline
function add(counter: usize, count: i32): void {
  store<i32>(counter, load<i32>(counter) + count);
}

@inline
function copy(to: usize, from: usize, length: i32): void {
  for (let i = 0; i < length; i += 8) store<u64>(to + i, load<u64>(from + i));
}

@inline
function frameAt(at: i32): Frame {
  return changetype<Frame>(FRAMES + <usize>at * offsetof<Frame>());
}

@inline
function itemAt(items: usize, at: i32): Item {
  return changetype<Item>(items + <usize>at * offsetof<Item>());
}

function enterItem(frame: Frame, item: Item): i32 {
  const path = frame.path + item.length + 1;
  if (path > LONGEST_PATH) return OBSTACLE;
  copy(PATH + frame.path, item.name, item.length);
  store<u8>(PATH + path - 1, SLASH);
  return enter(frame.descriptor, item.name, path);
}

/** Reads a directory, and makes it the deepest. */
function enter(parent: i32, name: usize, path: i32): i32 {
  if (depth == MOST_FRAMES) return OBSTACLE;
  const descriptor = openDirectory(parent, name);
  if (descriptor < 0) return OBSTACLE;
  const frame = frameAt(depth);
  frame.descriptor = descriptor;
  frame.path = path;
  frame.next = 0;
  frame.records = top;
  if (readAll(frame) && chooseItems(frame)) {
    depth++;
    return DONE;
  }
  closeDirectory(descriptor);
  top = frame.records;
  return OBSTACLE;
}

/** False where it cannot be read to its end. */
function readAll(frame: Frame): bool {
  while (top + BLOCK <= ENTRIES_END) {
    const length = readEntries(frame.descriptor, top, BLOCK);
    if (length <= 0) return length == 0;
    top += length;
  }
  return false;
}

/** Makes items of the entries that are shown, in order; false where one of them is an obstacle. */
function chooseItems(frame: Frame): bool {
  const end = top;
  const items = (end + 7) & ~7;
  // While they are sorted, they take twice the room.
  const most = <i32>((ENTRIES_END - items) / offsetof<Item>() / 2);
  let count = 0;
  let hidden = 0;
  for (let record = frame.records; record < end; record += load<u16>(record, LENGTH_AT)) {
    const name = record + NAME_AT;
    if (load<u8>(name) == DOT) {
      if (isItselfOrAbove(name)) continue;
      if (hidesDotfiles) {
        hidden++;
        continue;
      }
    }
    const type = load<u8>(record, TYPE_AT);
    const length = lengthOf(record);
    if (type == DT_UNKNOWN || (type == DT_LINK && directoriesFirst)) return false;
    if (count == most || count == MOST_ENTRIES || !isPrintable(name, length)) return false;
    const item = itemAt(items, count++);
    item.name = <u32>name;
    item.length = <u16>length;
    item.type = type == DT_FILE ? FILE : type == DT_DIRECTORY ? DIRECTORY : type == DT_LINK ? LINK : OTHER;
    item.key = lowerCased(bytesAt(name, length));
  }
  frame.items = items;
  frame.count = count;
  top = items + <usize>count * offsetof<Item>();
  const directories = directoriesFirst ? putDirectoriesFirst(items, count) : 0;
  sort(items, directories, top);
  sort(items + <usize>directories * offsetof<Item>(), count - directories, top);
  add(READ, count + hidden);
  add(HIDDEN, hidden);
  return true;
}

@inline
function isItselfOrAbove(name: usize): bool {
  return load<u8>(name, 1) == 0 || (load<u8>(name, 1) == DOT && load<u8>(name, 2) == 0);
}

/** The name ends in the last word of its record, or right at its start. */
@inline
function lengthOf(record: usize): i32 {
  const name = record + NAME_AT;
  let end = max(name, record + load<u16>(record, LENGTH_AT) - 8);
  while (load<u8>(end) != 0) end++;
  return <i32>(end - name);
}

const ONES: u64 = 0x0101010101010101;
const SPACES: u64 = 0x20 * ONES;
const HIGHEST_BITS: u64 = 0x80 * ONES;

@inline
function isPrintable(name: usize, length: i32): bool {
  let odd: u64 = 0;
  let at = 0;
  for (; at + 8 <= length; at += 8) odd |= unprintable(load<u64>(name + at));
  if (at < length) {
    const rest = ~(<u64>0) << (8 * (length - at));
    odd |= unprintable((load<u64>(name + at) & ~rest) | (SPACES & rest));
  }
  return odd == 0;
}

/** Eight bytes at once: not 0 if one of them is below a space, beyond ASCII, or the last of ASCII. */
@inline
function unprintable(word: u64): u64 {
  return (word | (word - SPACES) | (word + ONES)) & HIGHEST_BITS;
}

/** Eight bytes, the first of them the highest; zeros behind the end. */
@inline
function bytesAt(name: usize, length: i32): u64 {
  const word = bswap<u64>(load<u64>(name));
  return length >= 8 ? word : length <= 0 ? 0 : word & (~(<u64>0) << (64 - 8 * length));
}

/** Eight bytes of ASCII at once: each capital gets the bit of its lower case. */
@inline
function lowerCased(word: u64): u64 {
  const isCapital = (word + 0x3f * ONES) & ~(word + 0x25 * ONES) & HIGHEST_BITS;
  return word | (isCapital >> 2);
}

/** The order among either of them is not kept. */
function putDirectoriesFirst(items: usize, count: i32): i32 {
  let rest = 0;
  for (let i = 0; i < count; i++) {
    if (itemAt(items, i).type != DIRECTORY) continue;
    if (i != rest) swap(itemAt(items, i), itemAt(items, rest));
    rest++;
  }
  return rest;
}

@inline
function swap(a: Item, b: Item): void {
  const first = load<u64>(changetype<usize>(a));
  const key = a.key;
  move(b, a);
  store<u64>(changetype<usize>(b), first);
  b.key = key;
}

@inline
function move(from: Item, to: Item): void {
  store<u64>(changetype<usize>(to), load<u64>(changetype<usize>(from)));
  to.key = from.key;
}

/** Items that are sorted sooner by insertion. */
const RUN: i32 = 12;

/** By name: in lower case, and names that are equal but for case as they are. There is as much room at `spare`. */
function sort(items: usize, count: i32, spare: usize): void {
  for (let from = 0; from < count; from += RUN) insertAll(items, from, min(from + RUN, count));
  let source = items;
  let target = spare;
  for (let width = RUN; width < count; width *= 2) {
    for (let from = 0; from < count; from += 2 * width) {
      merge(source, target, from, min(from + width, count), min(from + 2 * width, count));
    }
    const other = source;
    source = target;
    target = other;
  }
  if (source != items) memory.copy(items, source, <usize>count * offsetof<Item>());
}

/** In its own place behind the last, an item is out of the way while others are moved. */
function insertAll(items: usize, from: i32, to: i32): void {
  for (let i = from + 1; i < to; i++) {
    for (let at = i; at > from && isBefore(itemAt(items, at), itemAt(items, at - 1)); at--) {
      swap(itemAt(items, at), itemAt(items, at - 1));
    }
  }
}

function merge(source: usize, target: usize, from: i32, middle: i32, to: i32): void {
  let a = from;
  let b = middle;
  for (let at = from; at < to; at++) {
    const isFirst = a < middle && (b == to || !isBefore(itemAt(source, b), itemAt(source, a)));
    move(itemAt(source, isFirst ? a++ : b++), itemAt(target, at));
  }
}

@inline
function isBefore(a: Item, b: Item): bool {
  return a.key != b.key ? a.key < b.key : isBeforeFurtherOn(a, b);
}

/** Of two names that begin alike. */
function isBeforeFurtherOn(a: Item, b: Item): bool {
  const shorter = min<i32>(a.length, b.length);
  for (let at = 8; at < shorter; at += 8) {
    const one = lowerCased(bytesAt(a.name + at, a.length - at));
    const other = lowerCased(bytesAt(b.name + at, b.length - at));
    if (one != other) return one < other;
  }
  if (a.length != b.length) return a.length < b.length;
  for (let at = 0; at < shorter; at += 8) {
    const one = bytesAt(a.name + at, a.length - at);
    const other = bytesAt(b.name + at, b.length - at);
    if (one != other) return one < other;
  }
  return false;
}
