/**
 * Writes the paths of everything below a directory, one per line, for `SubtreeWriter`.
 *
 * This is AssemblyScript, which scripts/assembly.js compiles to WebAssembly. It is fast from the first directory on. V8
 * takes as long to optimise a walk in JavaScript as the optimised walk takes for ten thousand directories.
 */
import { add, allocate, append, appendByte, chooseItems, copy, countItem, line, readAll, reset, ruleFilesIn } from './entries';
import { DESCEND, DONE, DOT_GIT, ENTRIES, JUDGE, LINES, LINES_END, LONGEST_PATH, NOTES, OBSTACLE, PATH } from './entries';
import { PAUSED, SLACK, SLASH, setLine, setTop, TABLE_SIZE, top, UNOPENED } from './entries';
import { DESCEND_ONLY, DIRECTORY, HAS_RULES, Item, itemAt, LEADS_TO_DIRECTORY, TYPE } from './items';

export { ANY_NAME, COUNTERS, FOLLOW, HIDE_DOTFILES, JUDGE, line, LINES, LONGEST_PATH, PATH } from './entries';

/** Opens the directory whose name is at an address, ended by a 0. Follows no link. Negative on failure. */
@external('calls', 'open')
declare function openDirectory(parent: i32, name: usize): i32;
/** True if the call should yield before the next directory is read. */
@external('calls', 'isDue')
declare function isDue(): bool;
@external('calls', 'close')
declare function closeDirectory(descriptor: i32): void;
/**
 * Finds the rules in an open directory with a path of `path` bytes, and writes their table to an address. `hasFiles`
 * is true if it contains rule files. Returns 1 if the table also applies in directories below that it cannot match, 0
 * if not, and a negative number for an obstacle.
 */
@external('rules', 'enter')
declare function enterRules(descriptor: i32, path: i32, hasFiles: bool, table: usize): i32;

/** The name of the directory to begin with. */
export const NAME: usize = 2048;
/** The open directories, from the first down. */
export const FRAMES: usize = NOTES;
/** The most open directories. A walk may use only 64 descriptors, and has others open. */
const MAX_FRAMES: i32 = 32;
/** The most entries of one directory, including `.` and `..`. More would block the event loop. */
const MAX_ENTRIES: i32 = 10000 + 2;

@unmanaged
class Frame {
  descriptor: i32;
  /** The length of its path in bytes. */
  path: i32;
  items: usize;
  /** The number of its items, and the next one to write. */
  count: i32;
  next: i32;
  records: usize;
  /** The table of its rules; and 1 if that also applies in directories below that it cannot match. */
  rules: usize;
  holdsBelow: i32;
}

/**
 * The index of names, one word each: where the name ends, and in the upper bits its type, or that it is the path of the
 * next names. It is small because the consumer has work to do for each name before the call can yield.
 */
export const INDEX: usize = ENTRIES - 4 * 1024;
/** The last address with room for a path and a name. */
const LAST_INDEX: usize = ENTRIES - 8;
const TYPE_BIT: u32 = 18;
const IS_PATH: u32 = 8;

/** The number of open directories. */
export let depth: i32 = 0;

/** The byte after each line; negative for names with an index. */
let lineEnd: i32 = 0;
/** The address for the next word of the index. */
export let index: usize = INDEX;
/** Set when a directory has been entered since `proceed` was called. */
let hasEntered: bool = false;
let mostLevels: i32 = 0;
let choice: u32 = 0;

/** Begins with the directory whose name is at `NAME`, in an open one. Its path, of `path` bytes, is at `PATH`. */
export function begin(parent: i32, path: i32, end: i32, levels: i32, chosen: u32): i32 {
  lineEnd = end;
  mostLevels = levels;
  choice = chosen;
  reset();
  depth = 0;
  return enter(parent, NAME, path, true);
}

/** Writes until nothing is left, there is no more room, a yield is due, or the next directory is an obstacle. */
export function proceed(): i32 {
  setLine(LINES);
  index = INDEX;
  hasEntered = false;
  while (depth > 0) {
    const state = writeFrame(frameAt(depth - 1));
    if (state != DONE) return state;
  }
  return DONE;
}

/** Writes the items of a directory up to the next one that is entered, or to the end. */
function writeFrame(frame: Frame): i32 {
  const path = frame.path;
  const descends = depth < mostLevels;
  let hasPath = lineEnd >= 0;
  for (; frame.next < frame.count; frame.next++) {
    const item = itemAt(frame.items, frame.next);
    if (line + path + item.length + SLACK > LINES_END || index > LAST_INDEX) return PAUSED;
    const start = line;
    const startOfIndex = index;
    const isDirectory = (item.type & TYPE) == DIRECTORY;
    const isEntered = isDirectory && descends;
    if (isEntered && hasEntered && isDue()) return PAUSED;
    const isShown = (item.type & DESCEND_ONLY) == 0;
    if (isShown && !hasPath) {
      append(PATH, path);
      addToIndex(IS_PATH);
      hasPath = true;
    }
    if (isShown) writeItem(item, path);
    if (isEntered && enterItem(frame, item) != DONE) {
      setLine(start);
      index = startOfIndex;
      return OBSTACLE;
    }
    if (isShown) countItem(item);
    if (isEntered) {
      hasEntered = true;
      frame.next++;
      return DONE;
    }
    if (isDirectory) add(UNOPENED, 1);
  }
  closeDirectory(frame.descriptor);
  setTop(frame.records);
  depth--;
  return DONE;
}

@inline
function writeItem(item: Item, path: i32): void {
  if (lineEnd < 0) {
    append(item.name, item.length);
    addToIndex(item.type & (TYPE | LEADS_TO_DIRECTORY));
    return;
  }
  append(PATH, path);
  append(item.name, item.length);
  if ((item.type & TYPE) == DIRECTORY) appendByte(SLASH);
  appendByte(<u8>lineEnd);
}

@inline
function addToIndex(type: u32): void {
  store<u32>(index, <u32>(line - LINES) | (type << TYPE_BIT));
  index += 4;
}

@inline
function frameAt(at: i32): Frame {
  return changetype<Frame>(FRAMES + <usize>at * offsetof<Frame>());
}

function enterItem(frame: Frame, item: Item): i32 {
  const path = frame.path + item.length + 1;
  if (path > LONGEST_PATH) return OBSTACLE;
  copy(PATH + frame.path, item.name, item.length);
  store<u8>(PATH + path - 1, SLASH);
  return enter(frame.descriptor, item.name, path, frame.holdsBelow == 0 || (item.type & HAS_RULES) != 0);
}

/** Reads a directory, and makes it the deepest. */
function enter(parent: i32, name: usize, path: i32, hasRules: bool): i32 {
  if (depth == MAX_FRAMES) return OBSTACLE;
  const descriptor = openDirectory(parent, name);
  if (descriptor < 0) return OBSTACLE;
  const records = top;
  const frame = frameAt(depth);
  frame.rules = 0;
  const read = readAll(descriptor, MAX_ENTRIES);
  const end = top;
  const chosen = depth + 1 < mostLevels ? choice | DESCEND : choice;
  const isOrdinary = read >= 0 && ((choice & JUDGE) == 0 || findRules(frame, descriptor, path, records, hasRules));
  const count = isOrdinary ? chooseItems(descriptor, records, end, read, chosen, frame.rules, path) : -1;
  if (count < 0) {
    closeDirectory(descriptor);
    setTop(records);
    return OBSTACLE;
  }
  depth++;
  frame.descriptor = descriptor;
  frame.path = path;
  frame.items = top - <usize>count * offsetof<Item>();
  frame.count = count;
  frame.next = 0;
  frame.records = records;
  return DONE;
}

/** Uses the rules of the directory above, unless others may apply. Returns false for an obstacle. */
function findRules(frame: Frame, descriptor: i32, path: i32, records: usize, hasRules: bool): bool {
  const files = ruleFilesIn(records, top);
  // A nested repository.
  if ((files & DOT_GIT) != 0) return false;
  if (files == 0 && !hasRules) {
    frame.rules = frameAt(depth - 1).rules;
    frame.holdsBelow = 1;
    return true;
  }
  frame.rules = allocate(TABLE_SIZE);
  if (frame.rules == 0) return false;
  const found = enterRules(descriptor, path, files != 0, frame.rules);
  frame.holdsBelow = found;
  return found >= 0;
}
