/** Reads one directory, however large, for `SortedLevel`, and writes the lines of its long listing. */
import {
  ALL_TYPES,
  append,
  appendByte,
  chooseItems,
  countItem,
  DONE,
  ENTRIES,
  HIDE_DOTFILES,
  holds,
  LINES,
  LINES_END,
  line,
  NOTES,
  OBSTACLE,
  PATH,
  readAll,
  reset,
  SLASH,
  setLine,
  top,
} from './entries';
import { DIRECTORY, FILE, Item, itemAt, LINK, OTHER, sortItems, TYPE } from './items';

/** Writes the `struct statx` of the entry whose name is at an address to another address. Negative on failure. */
@external('calls', 'describe')
declare function describe(descriptor: i32, name: usize, to: usize): i32;
/** Writes the text of a mode, ten bytes, to an address. */
@external('texts', 'permissions')
declare function permissionText(mode: u32, to: usize): void;
/** Reports a new pair of user and group, whose text the caller puts into `OWNERS` before lines are written. */
@external('texts', 'owner')
declare function measureOwner(user: u32, group: u32): void;
/** Writes the text of a time, in milliseconds, to an address; returns its length. */
@external('texts', 'time')
declare function timeText(modified: f64, to: usize): i32;
/** Writes the text that replaces a link's name to an address; returns its length, negative if there is none. */
@external('texts', 'link')
declare function linkText(name: usize, length: i32, to: usize): i32;

/** The address of a `struct statx`, and offsets in it. */
const STATX: usize = NOTES;
const MODE_AT: usize = 28;
const USER_AT: usize = 20;
const GROUP_AT: usize = 24;
const SIZE_AT: usize = 40;
const MODIFIED_AT: usize = 112;

/** The most modes, and the most owners, that are noted. */
const MOST: i32 = 64;
/** The modes, each followed by its text. */
const MODES: usize = NOTES + 512;
const MODE_SIZE: usize = 16;
/** The owners: user, group, the length of their text, and the text. */
export const OWNERS: usize = MODES + <usize>MOST * MODE_SIZE;
export const OWNER_SIZE: usize = 256;
/** A direct-mapped cache of minutes and their texts, all of one length. */
const TIMES: usize = OWNERS + <usize>MOST * OWNER_SIZE;
const TIME_SIZE: usize = 24;
export const TIME_LENGTH: i32 = 16;
const MINUTES: i64 = 2048;

/** The metadata of each entry of a block. */
const ROWS: usize = TIMES + <usize>MINUTES * TIME_SIZE;
export const MAX_ROWS: i32 = 2048;

@unmanaged
class Row {
  size: u64;
  permissions: u32;
  owner: u32;
  time: u64;
  timeRest: u64;
}

/** Stands for the size of a directory or a link. */
const NO_SIZE: u64 = u64.MAX_VALUE;
/** Room for a line: the text of a link may have two paths, with every byte escaped. */
export const LONGEST_LINE: usize = 64 * 1024;

/** JavaScript cannot represent every size above this exactly. */
const LARGEST: u64 = 1 << 53;
const S_IFMT: u32 = 0o170000;
const S_IFDIR: u32 = 0o040000;
const S_IFREG: u32 = 0o100000;
const S_IFLNK: u32 = 0o120000;

const SPACE: u8 = 0x20;
const NEWLINE: u8 = 0x0a;
const DASH: u8 = 0x2d;
const QUOTE: u8 = 0x22;
/** The head of the arrow before a link's target. */
const ARROW: u64 = 0x3e;

let items: usize = 0;
let count: i32 = 0;
let modes: i32 = 0;
let owners: i32 = 0;
let rows: i32 = 0;
let firstRow: i32 = 0;
let sizeLength: i32 = 0;

/** Reads an open directory. Returns the number of entries that are shown; negative if one of them is an obstacle. */
export function readLevel(descriptor: i32, hidesDotfiles: bool): i32 {
  reset();
  const read = readAll(descriptor, i32.MAX_VALUE, true);
  const choice = hidesDotfiles ? ALL_TYPES | HIDE_DOTFILES : ALL_TYPES;
  count = read < 0 ? -1 : chooseItems(ENTRIES, top, read, choice, 0, 0, true, true);
  if (count < 0) return count;
  items = top - <usize>count * offsetof<Item>();
  for (let i = 0; i < count; i++) countItem(itemAt(items, i));
  modes = 0;
  owners = 0;
  sizeLength = 0;
  for (let i: i64 = 0; i < MINUTES; i++) store<i64>(TIMES + <usize>i * TIME_SIZE, i64.MIN_VALUE);
  return count;
}

export function itemsAt(): usize {
  return items;
}

/** Sorts the items: directories and marked links come first. */
export function sortLevel(): void {
  sortItems(items, count, top);
}

/** Reads the metadata of the entries from position `from` up to `to`. */
export function describeRows(descriptor: i32, from: i32, to: i32): i32 {
  firstRow = from;
  rows = 0;
  for (let at = from; at < to; at++) {
    const item = itemAt(items, at);
    // The name may have to be quoted.
    if (load<u8>(item.name) == QUOTE || holds(item.name, item.length, ARROW)) return OBSTACLE;
    if (describe(descriptor, item.name, STATX) < 0) return OBSTACLE;
    const row = rowAt(rows++);
    const mode: u32 = load<u16>(STATX, MODE_AT);
    if (typeOf(mode) != (item.type & TYPE)) return OBSTACLE;
    const hasSize = item.type != DIRECTORY && (item.type & TYPE) != LINK;
    row.size = hasSize ? load<u64>(STATX, SIZE_AT) : NO_SIZE;
    if (hasSize && row.size >= LARGEST) return OBSTACLE;
    row.permissions = <u32>permissionsOf(mode);
    row.owner = <u32>ownerOf(load<u32>(STATX, USER_AT), load<u32>(STATX, GROUP_AT));
    const time = timeOf(1000 * <f64>load<i64>(STATX, MODIFIED_AT) + <f64>load<u32>(STATX, MODIFIED_AT + 8) / 1e6);
    if (row.permissions == 0 || row.owner == 0 || time == 0) return OBSTACLE;
    row.time = load<u64>(time);
    row.timeRest = load<u64>(time, 8);
    sizeLength = max(sizeLength, lengthOfSize(row.size));
  }
  return DONE;
}

/** Returns the number of columns that the sizes read so far take. */
export function sizeColumns(): i32 {
  return sizeLength;
}

export function ownerCount(): i32 {
  return owners;
}

@inline
function rowAt(at: i32): Row {
  return changetype<Row>(ROWS + <usize>at * offsetof<Row>());
}

@inline
function typeOf(mode: u32): u16 {
  const kind = mode & S_IFMT;
  return kind == S_IFREG ? FILE : kind == S_IFDIR ? DIRECTORY : kind == S_IFLNK ? LINK : OTHER;
}

/** Returns the address of a mode's text; 0 if there are too many modes. */
function permissionsOf(mode: u32): usize {
  let at = MODES;
  for (const end = MODES + <usize>modes * MODE_SIZE; at < end; at += MODE_SIZE) if (load<u32>(at) == mode) return at + 4;
  if (modes == MOST) return 0;
  modes++;
  store<u32>(at, mode);
  permissionText(mode, at + 4);
  return at + 4;
}

/** Returns the address of an owner; 0 if there are too many. */
function ownerOf(user: u32, group: u32): usize {
  let at = OWNERS;
  for (const end = OWNERS + <usize>owners * OWNER_SIZE; at < end; at += OWNER_SIZE) {
    if (load<u32>(at) == user && load<u32>(at, 4) == group) return at;
  }
  if (owners == MOST) return 0;
  owners++;
  store<u32>(at, user);
  store<u32>(at, group, 4);
  measureOwner(user, group);
  return at;
}

/** Returns the address of a time's text, to the minute; 0 if its length differs from that of the others. */
function timeOf(modified: f64): usize {
  const minute = <i64>Math.floor(modified / 60000);
  const slot = TIMES + <usize>(minute & (MINUTES - 1)) * TIME_SIZE;
  if (load<i64>(slot) != minute) {
    store<i64>(slot, i64.MIN_VALUE);
    if (timeText(modified, slot + 8) != TIME_LENGTH) return 0;
    store<i64>(slot, minute);
  }
  return slot + 8;
}

function lengthOfSize(size: u64): i32 {
  if (size == NO_SIZE) return 1;
  let length = 1;
  for (let rest = size / 10; rest > 0; rest /= 10) length++;
  return length;
}

/** Writes the lines of the rows from `from` on. Returns the next row to write; negative if a link has no text. */
export function writeRows(from: i32, path: i32, columns: i32): i32 {
  setLine(LINES);
  for (let at = from; at < rows; at++) {
    const item = itemAt(items, firstRow + at);
    const row = rowAt(at);
    const length = load<i32>(row.owner, 8);
    if (line + path + length + columns + LONGEST_LINE > LINES_END) return at;
    append(row.permissions, 10);
    appendSpaces(2);
    append(row.owner + 12, length);
    appendSpaces(2);
    appendSize(row.size, columns);
    appendSpaces(2);
    store<u64>(line, row.time);
    store<u64>(line, row.timeRest, 8);
    setLine(line + TIME_LENGTH);
    appendSpaces(2);
    if ((item.type & TYPE) == LINK) {
      const written = linkText(item.name, item.length, line);
      if (written < 0) return -1;
      setLine(line + written);
    } else {
      append(PATH, path);
      append(item.name, item.length);
      if (item.type == DIRECTORY) appendByte(SLASH);
    }
    appendByte(NEWLINE);
  }
  return rows;
}

@inline
function appendSpaces(count: i32): void {
  for (let i = 0; i < count; i++) appendByte(SPACE);
}

/** Appends a size, right-aligned in its column. */
function appendSize(size: u64, columns: i32): void {
  const end = line + columns;
  let at = end;
  if (size == NO_SIZE) store<u8>(--at, DASH);
  else {
    let rest = size;
    do {
      store<u8>(--at, <u8>(0x30 + (rest % 10)));
      rest /= 10;
    } while (rest > 0);
  }
  while (at > line) store<u8>(--at, SPACE);
  setLine(end);
}
