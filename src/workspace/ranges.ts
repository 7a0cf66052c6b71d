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
  let low = 0;
  let high = ranges.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (point > (ranges[2 * middle + 1] as number)) low = middle + 1;
    else high = middle;
  }
  return low < ranges.length >> 1 && point >= (ranges[2 * low] as number);
}
