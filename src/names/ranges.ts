/** Returns the first index for which `holds`, which must also hold for all after it; `length` if there is none. */
export function firstIndex(length: number, holds: (index: number) => boolean, from = 0): number {
  let [low, high] = [from, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Searches sorted ranges that do not overlap: low, high, low, high, … */
export function isInRanges(ranges: readonly number[], point: number): boolean {
  const count = ranges.length / 2;
  const at = firstIndex(count, (i) => point <= (ranges[2 * i + 1] as number));
  return at < count && point >= (ranges[2 * at] as number);
}
