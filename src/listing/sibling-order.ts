/** Sorts the entries of one directory by key, and those of one key by name. */
import { type Bytes, compareBytes } from '../names/bytes.ts';
import { type Budget, COST } from '../workspace/budget.ts';
import type { EntryBuffer } from '../workspace/reader.ts';
import { type Comparison, FOLD } from './name-keys.ts';
import { appendKey, NameOrder } from './name-order.ts';

/** Steps of work to sort a name. */
const COST_OF_SORTING = 30;

/** The most bytes of names that are sorted at once. */
const FEW = 2 ** 16;

/** Sorts a range of entries in place. Returns a promise only if there are very many. */
export function sortSiblings(
  entries: EntryBuffer,
  from: number,
  to: number,
  comparison: Comparison,
  budget: Budget,
): void | Promise<void> {
  const count = to - from;
  if (count < 2) return;
  let bytes = 0;
  for (let i = from; i < to; i++) bytes += (entries.ends[i] as number) - (entries.starts[i] as number);
  if (bytes > FEW) return sortMany(entries, from, to, comparison, budget);
  const positions = orderOf(entries.namesOf(from, to), comparison.keyFor, budget);
  for (const column of columnsOf(entries)) arrange(column, from, column.slice(from, to), positions);
}

/** Returns the positions of a few names in their order. */
export function orderOf(names: readonly Bytes[], keyOf: (name: Bytes) => Bytes, budget: Budget): Uint32Array {
  const keys = names.map(keyOf);
  for (const name of names) budget.steps += COST_OF_SORTING + COST.nameByte * name.length;
  return Uint32Array.from(names, (_, i) => i).sort((a, b) => {
    const [one, other] = [keys[a] as Bytes, keys[b] as Bytes];
    return compareBytes(one, other) || compareBytes(names[a] as Bytes, names[b] as Bytes) || a - b;
  });
}

/** Sorts any number of names, in slices. */
async function sortMany(entries: EntryBuffer, from: number, to: number, comparison: Comparison, budget: Budget) {
  const count = to - from;
  const starts = new Uint32Array(count);
  for (let found = 0; found < count; ) {
    found = findKeys(starts, found, entries, from, comparison, budget);
    // After the deadline, the order of the rest does not matter.
    if (found < count && !(await budget.proceed())) return;
  }
  const positions = await new NameOrder(entries, from, starts, FOLD).arranged(0, count, budget);
  const columns = columnsOf(entries).map((column) => [column, column.slice(from, to)] as const);
  for (let at = 0; at < count; at += BLOCK) {
    for (const [column, old] of columns) arrange(column, from + at, old, positions.subarray(at, at + BLOCK));
    await budget.yieldIfDue();
  }
}

/** Entries that are handled between two checks of the clock. */
const BLOCK = 2 ** 15;

/** Finds where keys begin, until a yield is due. Perf: V8 does not optimise a loop while an async function runs it. */
function findKeys(
  starts: Uint32Array,
  found: number,
  entries: EntryBuffer,
  from: number,
  { longest, keyFor }: Comparison,
  budget: Budget,
): number {
  for (let i = found; i < starts.length; i++) {
    const at = from + i;
    const length = (entries.ends[at] as number) - (entries.starts[at] as number);
    const isKey = length <= longest && entries.arePrintable(at, at + 1);
    starts[i] = isKey ? (entries.starts[at] as number) : appendKey(entries, keyFor(entries.nameAt(at)));
    budget.steps += COST.entry + COST.nameByte * length;
    if (budget.isDue) return i + 1;
  }
  return starts.length;
}

type Column = Uint32Array | Uint8Array;

function columnsOf({ starts, ends, types }: EntryBuffer): Column[] {
  return [starts, ends, types];
}

/** Puts values of a column in order, from position `start` on. `positions` has the old position of each. */
function arrange(column: Column, start: number, old: Column, positions: Uint32Array): void {
  for (let i = 0; i < positions.length; i++) column[start + i] = old[positions[i] as number] as number;
}
