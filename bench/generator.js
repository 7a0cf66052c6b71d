// Numbers that look random, and are the same on every machine.

/** Mulberry32. */
export function generator(seed) {
  let state = seed;
  const below = (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return { below, of: (values) => values[below(values.length)] };
}
