/**
 * Reads the entries of directories by system call, and chooses those to show. Names stay where the system put them.
 *
 * Anything unusual is an obstacle, and is left to JavaScript: a name that is too long, an entry of unknown type, or too
 * many entries; and a name that is not printable ASCII, unless such names are chosen, too.
 */

import { DESCEND_ONLY, DIRECTORY, FILE, HAS_RULES, HIGHEST_BITS, Item, itemAt, keyOf, LEADS_TO_DIRECTORY, LINK, ONES } from './items';
import { OTHER, SPACES, sortItems, TYPE } from './items';

/** Reads entries to an address. Returns the number of bytes read; 0 at the end, negative on failure. */
@external('calls', 'read')
declare function readEntries(descriptor: i32, to: usize, size: i32): i32;
/** Notes that everything in the directory with a path of `path` bytes is hidden. */
@external('calls', 'noteHiddenOnly')
declare function noteHiddenOnly(path: i32): void;
/** Announces that entries of the directory with a path of `path` bytes are judged next. Negative for an obstacle. */
@external('rules', 'setDirectory')
declare function setDirectory(path: i32): i32;
/**
 * Returns 1 if the link at an address, in the directory with a path of `path` bytes, leads to a directory, 0 if it does
 * not, and a negative number for an obstacle.
 */
@external('calls', 'followLink')
declare function followLink(descriptor: i32, path: i32, name: usize, length: i32): i32;
/** Returns the number of the rule that hides an entry; 0 if none does, negative for an obstacle. */
@external('rules', 'judge')
declare function judge(name: usize, length: i32, type: u32): i32;
/** Sorts items whose names may have any bytes. Negative for an obstacle. */
@external('calls', 'sortByKey')
declare function sortByKey(items: usize, count: i32): i32;

export const DONE: i32 = 0;
export const PAUSED: i32 = 1;
export const OBSTACLE: i32 = 2;

/**
 * Counters, one word each: entries that were read, not selected, and not opened; entries shown, by type; and entries
 * hidden, by the number of the rule. Dotfiles come first.
 */
export const COUNTERS: usize = 1024;
const READ: usize = COUNTERS;
const UNSELECTED: usize = COUNTERS + 4;
export const UNOPENED: usize = COUNTERS + 8;
const SHOWN: usize = COUNTERS + 12;
const HIDDEN: usize = COUNTERS + 28;
const RULES: usize = 8;
/** Entries hidden in the current directory, which may still turn out to be an obstacle. */
const HIDDEN_HERE: usize = COUNTERS + 64;

/** The text before each name: the path of its directory, followed by a slash. */
export const PATH: usize = 4096;
export const LONGEST_PATH: i32 = 4000;
/** The lines that were written. */
export const LINES: usize = 8192;
export const LINES_END: usize = LINES + 192 * 1024;
/** Working memory of a subtree. */
export const NOTES: usize = LINES_END + 1024;
/** Entries: the system's records of a directory, followed by an item for each entry that is shown. */
export const ENTRIES: usize = NOTES + 160 * 1024;

/** The longest name, in bytes, on Linux file systems. */
const LONGEST_NAME: i32 = 255;
/** Bytes to reserve for a line in addition to its path and its name, because copies run to the end of a word. */
export const SLACK: usize = 16;
/** Bytes that are read at a time. */
const BLOCK: i32 = 32 * 1024;
/** Offsets in `struct linux_dirent64`, and its types. */
const LENGTH_AT: usize = 16;
const TYPE_AT: usize = 18;
const NAME_AT: usize = 19;
const DT_UNKNOWN: u32 = 0;
const DT_DIRECTORY: u32 = 4;
const DT_FILE: u32 = 8;
const DT_LINK: u32 = 10;
const UNKNOWN: u16 = 0xff;
const DOT: u8 = 0x2e;
export const SLASH: u8 = 0x2f;

/** The addresses for the next records and for the next line. */
export let top: usize = ENTRIES;
export let line: usize = LINES;

/** Discards everything that was read, and clears the counters. */
export function reset(): void {
  top = ENTRIES;
  memory.fill(COUNTERS, 0, 64);
}

export function setTop(to: usize): void {
  top = to;
}

export function setLine(to: usize): void {
  line = to;
}

/** True if there is room for `bytes` more bytes. */
function hasRoom(bytes: usize): bool {
  return top + bytes + SLACK <= <usize>memory.size() << 16;
}

/** Appends the records of a directory. Returns their number; negative if not all can be read, or there are too many. */
export function readAll(descriptor: i32, most: i32): i32 {
  let count = 0;
  while (count <= most && hasRoom(BLOCK)) {
    const length = readEntries(descriptor, top, BLOCK);
    if (length <= 0) return length == 0 ? count : -1;
    const end = top + length;
    for (; top < end; top += load<u16>(top, LENGTH_AT)) count++;
  }
  return -1;
}

/** Allocates bytes after everything else, and returns their address; 0 if there is no room. */
export function allocate(bytes: usize): usize {
  const start = (top + 7) & ~7;
  if (!hasRoom(bytes + 8)) return 0;
  top = start + bytes;
  return start;
}

/** Flags for files in a directory: a `.gitignore`; or a `.git`, which needs a walk. */
const GITIGNORE: i32 = 1;
export const DOT_GIT: i32 = 2;
/** `.git`, and `ignore` after it, as words. */
const GIT_WORD: u32 = 0x7469672e;
const IGNORE_WORD: u32 = 0x6f6e6769;
const RE_WORD: u32 = 0x6572;

export function ruleFilesIn(records: usize, end: usize): i32 {
  let found = 0;
  for (let record = records; record < end; record += load<u16>(record, LENGTH_AT)) {
    const name = record + NAME_AT;
    if (load<u32>(name) != GIT_WORD) continue;
    if (load<u8>(name, 4) == 0) found |= DOT_GIT;
    if (load<u32>(name, 4) == IGNORE_WORD && (load<u32>(name, 8) & 0xffffff) == RE_WORD) found |= GITIGNORE;
  }
  return found;
}

/** A choice of entries: one bit for each type that is selected, and further flags. */
const ALL_TYPES: u32 = 0xf;
export const HIDE_DOTFILES: u32 = 0x10;
/** Directories are entered, even those that are not selected. */
export const DESCEND: u32 = 0x20;
/** There are rules to judge by. */
export const JUDGE: u32 = 0x40;
/** Links to directories are sorted among the directories. */
export const FOLLOW: u32 = 0x80;
/** Names may have any bytes. */
export const ANY_NAME: u32 = 0x100;
/** The most links of a directory that are followed. More would block the event loop. */
const MAX_LINKS: i32 = 64;

/**
 * Appends an item for each chosen entry, in order, and returns their number; negative if an entry is an obstacle. Names
 * that the table `rules` may match are judged, unless the table is 0. The path of the directory has `path` bytes.
 */
export function chooseItems(descriptor: i32, records: usize, end: usize, entries: i32, choice: u32, rules: usize, path: i32): i32 {
  const items = (top + 7) & ~7;
  // Items take twice the room while they are sorted.
  if (!hasRoom(2 * <usize>entries * offsetof<Item>() + 8)) return -1;
  let count = 0;
  let read = 0;
  let unselected = 0;
  let unopened = 0;
  let links = 0;
  const hidesDotfiles = (choice & HIDE_DOTFILES) != 0;
  let isJudging = false;
  let isPlain = true;
  memory.fill(HIDDEN_HERE, 0, 4 * RULES);
  for (let record = records; record < end; record += load<u16>(record, LENGTH_AT)) {
    const name = record + NAME_AT;
    if (load<u8>(name) == DOT) {
      if (isItselfOrAbove(name)) continue;
      if (hidesDotfiles) {
        read++;
        add(HIDDEN_HERE, 1);
        continue;
      }
    }
    read++;
    const type = typeOf(load<u8>(record, TYPE_AT));
    if (type == UNKNOWN) return -1;
    const length = lengthOf(record);
    let marks: u16 = 0;
    if (rules != 0 && mayMatch(rules, name, length, type == DIRECTORY)) {
      if (length > LONGEST_NAME) return -1;
      if (!isJudging && setDirectory(path) < 0) return -1;
      isJudging = true;
      const rule = judge(name, length, type);
      if (rule < 0) return -1;
      if (rule > 0) {
        add(HIDDEN_HERE + 4 * (rule - 1), 1);
        continue;
      }
      if (type == DIRECTORY) marks = HAS_RULES;
    }
    const isSelected = (choice & (1 << type)) != 0;
    if (!isSelected) {
      unselected++;
      if (type != DIRECTORY) continue;
      if ((choice & DESCEND) == 0) {
        unopened++;
        continue;
      }
    }
    isPlain = isPlain && isPrintable(name, length);
    if (length > LONGEST_NAME || (!isPlain && (choice & ANY_NAME) == 0)) return -1;
    if (type == LINK && (choice & FOLLOW) != 0) {
      const leads = ++links > MAX_LINKS ? -1 : followLink(descriptor, path, name, length);
      if (leads < 0) return -1;
      if (leads > 0) marks = LEADS_TO_DIRECTORY;
    }
    const item = itemAt(items, count++);
    item.name = <u32>name;
    item.length = <u16>length;
    item.type = type | marks | (isSelected ? 0 : DESCEND_ONLY);
    item.key = keyOf(name, length, type == DIRECTORY || marks == LEADS_TO_DIRECTORY);
  }
  if (isPlain) sortItems(items, count, items + <usize>count * offsetof<Item>());
  else if (sortByKey(items, count) < 0) return -1;
  if (count == 0 && read > 0 && (choice & ALL_TYPES) == ALL_TYPES) noteHiddenOnly(path);
  top = items + <usize>count * offsetof<Item>();
  add(READ, read);
  add(UNSELECTED, unselected);
  add(UNOPENED, unopened);
  for (let rule: usize = 0; rule < 4 * RULES; rule += 4) add(HIDDEN + rule, load<i32>(HIDDEN_HERE + rule));
  return count;
}

@inline
function typeOf(type: u32): u16 {
  if (type == DT_FILE) return FILE;
  if (type == DT_DIRECTORY) return DIRECTORY;
  if (type == DT_LINK) return LINK;
  return type == DT_UNKNOWN ? UNKNOWN : OTHER;
}

@inline
export function add(counter: usize, count: i32): void {
  store<i32>(counter, load<i32>(counter) + count);
}

@inline
export function countItem(item: Item): void {
  add(SHOWN + 4 * (item.type & TYPE), 1);
}

/** Appends bytes to the lines. Copies whole words, and so may write beyond the last byte. */
@inline
export function append(from: usize, length: i32): void {
  copy(line, from, length);
  line += length;
}

@inline
export function appendByte(byte: u8): void {
  store<u8>(line++, byte);
}

@inline
export function copy(to: usize, from: usize, length: i32): void {
  for (let i = 0; i < length; i += 8) store<u64>(to + i, load<u64>(from + i));
}

@inline
function isItselfOrAbove(name: usize): bool {
  return load<u8>(name, 1) == 0 || (load<u8>(name, 1) == DOT && load<u8>(name, 2) == 0);
}

/** Returns the length of a name. It ends in the last word of its record, in which it may also begin. */
@inline
function lengthOf(record: usize): i32 {
  const name = record + NAME_AT;
  let end = max(name, record + load<u16>(record, LENGTH_AT) - 8);
  while (load<u8>(end) != 0) end++;
  return <i32>(end - name);
}

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

/** Tests eight bytes at once. Returns non-zero if one of them is below a space, beyond ASCII, or DEL. */
@inline
function unprintable(word: u64): u64 {
  return (word | (word - SPACES) | (word + ONES)) & HIGHEST_BITS;
}

/** For each byte at an end of a name, eight bits: the kinds of names that have rules; then the same for directories. */
const NAMES: usize = 0;
const TAILS: usize = 512;
const STARTS: usize = 1024;
/** The number of patterns for all entries, and the number including those for directories only. */
const COUNTS: usize = 1536;
/**
 * Each pattern has six words: the first four bytes of a name, a mask for them, and the same for the last four, and for four
 * anywhere.
 */
const PATTERNS: usize = 1544;
const MAX_PATTERNS: usize = 64;
const PATTERN: usize = 24;
export const TABLE_SIZE: usize = PATTERNS + PATTERN * MAX_PATTERNS;

/**
 * Returns true if a rule may match a name, by a few of its bytes. Nearly every name is excluded this way; JavaScript judges
 * the others. `tableOf` in src/rules/rule-filter.ts makes the tables.
 */
@inline
function mayMatch(table: usize, name: usize, length: i32, isDirectory: bool): bool {
  const last = name + length - 1;
  if (has(table + NAMES, load<u8>(name), length, isDirectory)) return true;
  if (has(table + TAILS, load<u8>(last), load<u8>(last - 1), isDirectory)) return true;
  if (has(table + STARTS, load<u8>(name), load<u8>(name, 1), isDirectory)) return true;
  const first = table + PATTERNS;
  const end = first + PATTERN * load<u32>(table + (isDirectory ? COUNTS + 4 : COUNTS));
  const head = bswap<u32>(load<u32>(name));
  const tail = bswap<u32>(load<u32>(last - 3));
  for (let pattern = first; pattern < end; pattern += PATTERN) {
    if ((head & load<u32>(pattern, 4)) != load<u32>(pattern)) continue;
    if ((tail & load<u32>(pattern, 12)) != load<u32>(pattern, 8)) continue;
    const mask = load<u32>(pattern, 20);
    if (mask == 0) return true;
    const inside = load<u32>(pattern, 16);
    for (let at = name + 3 - (clz<u32>(mask) >> 3); at <= last; at++) {
      if ((bswap<u32>(load<u32>(at - 3)) & mask) == inside) return true;
    }
  }
  return false;
}

@inline
function has(ends: usize, byte: u8, kind: i32, isDirectory: bool): bool {
  const kinds = load<u8>(ends + byte) | (isDirectory ? load<u8>(ends + byte, 256) : 0);
  return (kinds & (<u8>1 << <u8>(kind & 7))) != 0;
}
