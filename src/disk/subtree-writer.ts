/** Writes everything below a directory, with `assembly/subtree.ts`. No link is entered. */
import type { Bytes } from '../names/bytes.ts';
import { ENTRY_TYPES, type EntryBuffer } from '../workspace/reader.ts';
import type { SourceDirectory } from '../workspace/source.ts';
import { leadsToDirectory, type Subtree, type SubtreeForm } from '../workspace/subtree.ts';
import { Assembly, LONGEST_NAME, type RulesAt, STATES } from './assembly.ts';
import type { SystemCalls } from './system-calls.ts';

/** The words of a frame. Used here: its descriptor, the length of its path, its items, their count, and the next. */
const FRAME = 8;
/** The number of counters: entries read, not selected, not opened; shown, by type; and hidden, by rule. */
const COUNTERS = 15;
/** The words of an item: the address of its name; the name's length, with the type in the upper bits; and its key. */
const ITEM = 4;
/** The bits of a type, with the marks of an `EntryBuffer`. */
const MARKS = 0xf;
/** Passed instead of the byte that ends each line, to write names with an index. */
const NAMES = -1;
/** More levels than can exist. */
const ALL_LEVELS = 0x7fffffff;
/** Returned to the code instead of a result, which is never negative. */
const OBSTACLE = -1;

type Form = SubtreeForm<SourceDirectory>;
/** Makes a directory from a descriptor and its path from the top of the subtree. */
type Make = (descriptor: number, path: Bytes) => SourceDirectory;

/** Returns null if the directory `name` takes a walk. */
export function writeBelow(
  calls: SystemCalls,
  parent: number,
  name: Bytes,
  form: Form,
  adopt: Make,
  lend: Make,
): Subtree<SourceDirectory> | null {
  const assembly = Assembly.for(calls);
  if (assembly === null) return null;
  const { code, bytes } = assembly;
  const { prefix, end, levels, hidesDotfiles, types, rules, followLink, orderOf } = form;
  const isShort = prefix.length <= code.LONGEST_PATH.value && name.length <= LONGEST_NAME;
  if (isShort) {
    bytes.write(`${name}\0`, code.NAME.value, 'latin1');
    bytes.write(prefix, code.PATH.value, 'latin1');
    const most = Math.min(levels, ALL_LEVELS);
    assembly.rules = rules === null ? null : rulesAt(assembly, rules, lend, prefix.length);
    if (followLink !== null) assembly.followLink = linksAt(assembly, calls, followLink, prefix.length);
    if (orderOf !== null) assembly.sortByKey = sorterAt(assembly, orderOf);
    const rulesOrLinks = (rules ? code.JUDGE.value : 0) | (followLink ? code.FOLLOW.value : 0);
    const names = (hidesDotfiles ? code.HIDE_DOTFILES.value : 0) | (orderOf ? code.ANY_NAME.value : 0);
    const choice = types | rulesOrLinks | names;
    const state = code.begin(parent, prefix.length, end ?? NAMES, most, choice);
    if (STATES[state] === 'done') return subtreeOf(assembly, calls, prefix.length, adopt);
  }
  assembly.release();
  return null;
}

function linksAt(
  assembly: Assembly,
  calls: SystemCalls,
  follow: NonNullable<Form['followLink']>,
  prefix: number,
): Assembly['followLink'] {
  return orObstacle((descriptor, path, name, length) => {
    const target = calls.readLink(descriptor, assembly.textAt(name, length));
    if (typeof target === 'number') return OBSTACLE;
    const leads = follow(pathIn(assembly, path, prefix), target);
    return leads === null ? OBSTACLE : Number(leads);
  });
}

/** The most names that are sorted at once. */
const MOST_SORTED = 512;

function sorterAt(assembly: Assembly, orderOf: NonNullable<Form['orderOf']>): Assembly['sortByKey'] {
  return orObstacle((address, count) => {
    if (count > MOST_SORTED) return OBSTACLE;
    const items = assembly.words.subarray(address / 4, address / 4 + ITEM * count);
    const old = items.slice();
    const isFirst = (at: number) => leadsToDirectory((old[at + 1] as number) >>> 16);
    const all = Array.from({ length: count }, (_, i) => ITEM * i);
    let to = 0;
    for (const group of [all.filter(isFirst), all.filter((at) => !isFirst(at))]) {
      const names = group.map((at) => assembly.textAt(old[at] as number, (old[at + 1] as number) & 0xffff));
      for (const i of orderOf(names)) {
        const from = group[i] as number;
        for (let word = 0; word < ITEM; word++) items[to++] = old[from + word] as number;
      }
    }
    return 0;
  });
}

/** Returns the path of a directory from the top of the subtree. Both lengths include a slash at the end. */
function pathIn(assembly: Assembly, length: number, prefix: number): Bytes {
  return assembly.textAt(assembly.code.PATH.value + prefix, Math.max(0, length - 1 - prefix));
}

function rulesAt(assembly: Assembly, rules: NonNullable<Form['rules']>, lend: Make, prefix: number): RulesAt {
  const { bytes, entry } = assembly;
  const pathOf = (length: number) => pathIn(assembly, length, prefix);
  return {
    enter: orObstacle((descriptor, length, hasFiles, to) => {
      const path = pathOf(length);
      const found = rules.enter(path, hasFiles ? lend(descriptor, path) : null);
      if (found === null) return OBSTACLE;
      bytes.set(found.table, to);
      return found.holdsBelow ? 1 : 0;
    }),
    setDirectory: orObstacle((length) => {
      rules.setDirectory(pathOf(length));
      return 0;
    }),
    judge: orObstacle((name, length, type) => {
      entry.truncate(0, 0);
      entry.addPart(bytes, name, name + length, type);
      return rules.judge(entry);
    }),
  };
}

/** Turns errors into obstacles, which the walk meets and reports. If one unwound the code, nothing would be closed. */
function orObstacle<Numbers extends number[]>(ask: (...numbers: Numbers) => number): (...numbers: Numbers) => number {
  return (...numbers) => {
    try {
      return ask(...numbers);
    } catch {
      return OBSTACLE;
    }
  };
}

function subtreeOf(assembly: Assembly, calls: SystemCalls, prefix: number, adopt: Make): Subtree<SourceDirectory> {
  let isOpen = true;
  /** True once the caller owns the descriptors. */
  let isTakenOver = false;

  function held(): Assembly {
    // Its memory may already be in use by another.
    if (!isOpen) throw new Error('a subtree was used after it was closed');
    return assembly;
  }

  function wordsAt(address: number, count: number): Uint32Array {
    return held().words.subarray(address / 4, address / 4 + count);
  }

  function frames(): Uint32Array[] {
    const { FRAMES, depth } = held().code;
    return Array.from({ length: depth.value }, (_, i) => wordsAt(FRAMES.value + 4 * FRAME * i, FRAME).slice());
  }

  return {
    proceed(isDue) {
      held().isDue = isDue;
      return STATES[assembly.code.proceed()] as (typeof STATES)[number];
    },
    get lines() {
      const { LINES, line } = held().code;
      return assembly.bytesAt(LINES.value, line.value - LINES.value);
    },
    get index() {
      const { INDEX, index } = assembly.code;
      return wordsAt(INDEX.value, (index.value - INDEX.value) / 4);
    },
    counted() {
      const counters = wordsAt(assembly.code.COUNTERS.value, COUNTERS);
      const [read = 0, unselected = 0, unopened = 0, ...rest] = counters;
      counters.fill(0);
      const types = ENTRY_TYPES.length;
      const hiddenOnly = assembly.hiddenOnly.splice(0).map((path) => path.slice(prefix, -1) as Bytes);
      return { read, unselected, unopened, shown: rest.slice(0, types), hidden: rest.slice(types), hiddenOnly };
    },
    takeOver() {
      isTakenOver = true;
      return frames().map(([descriptor = 0, length = 0, items = 0, count = 0, next = 0]) => {
        const name = pathIn(held(), length, prefix);
        const appendTo = (entries: EntryBuffer) => {
          for (let i = next; i < count; i++) {
            const start = assembly.words[items / 4 + ITEM * i] as number;
            const lengthAndType = assembly.words[items / 4 + ITEM * i + 1] as number;
            entries.addPart(assembly.bytes, start, start + (lengthAndType & 0xffff), (lengthAndType >>> 16) & MARKS);
          }
        };
        return { directory: adopt(descriptor, name), path: name, appendTo };
      });
    },
    close() {
      if (!isOpen) return;
      if (!isTakenOver) for (const [descriptor = 0] of frames()) calls.close(descriptor);
      isOpen = false;
      assembly.release();
    },
  };
}
