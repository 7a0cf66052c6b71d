/**
 * Decides by a few bytes of a name whether a rule may match it. Nearly every name can be excluded this way; JavaScript
 * judges the others. `tableOf` in src/rules/rule-filter.ts makes the tables.
 */

/** For each byte at an end of a name, eight bits: the kinds of names that have rules; then the same for directories. */
const NAMES: usize = 0;
const TAILS: usize = 512;
const STARTS: usize = 1024;
/** The number of patterns for all entries, and the number including those for directories only. */
const COUNTS: usize = 1536;
/** Each pattern has four words: the first four bytes of a name, a mask for them, and the same for the last four. */
const PATTERNS: usize = 1544;
const MAX_PATTERNS: usize = 64;
export const TABLE_SIZE: usize = PATTERNS + 16 * MAX_PATTERNS;

@inline
export function mayMatch(table: usize, name: usize, length: i32, isDirectory: bool): bool {
  const last = name + length - 1;
  if (has(table + NAMES, load<u8>(name), length, isDirectory)) return true;
  if (has(table + TAILS, load<u8>(last), load<u8>(last - 1), isDirectory)) return true;
  if (has(table + STARTS, load<u8>(name), load<u8>(name, 1), isDirectory)) return true;
  const first = table + PATTERNS;
  const end = first + 16 * load<u32>(table + (isDirectory ? COUNTS + 4 : COUNTS));
  const head = bswap<u32>(load<u32>(name));
  const tail = bswap<u32>(load<u32>(last - 3));
  for (let pattern = first; pattern < end; pattern += 16) {
    if ((head & load<u32>(pattern, 4)) != load<u32>(pattern)) continue;
    if ((tail & load<u32>(pattern, 12)) == load<u32>(pattern, 8)) return true;
  }
  return false;
}

@inline
function has(ends: usize, byte: u8, kind: i32, isDirectory: bool): bool {
  const kinds = load<u8>(ends + byte) | (isDirectory ? load<u8>(ends + byte, 256) : 0);
  return (kinds & (<u8>1 << <u8>(kind & 7))) != 0;
}
