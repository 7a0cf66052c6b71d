/** Writes the names of similar directories as a shell would: `{api,web}`, `pkg-{a,b}`, `day-{01..25}`. */

/** Only plain names are written with braces. */
export const BRACEABLE = /^[\w.-]+$/;

/** A larger range is not expanded: no map contains one. */
const MAX_NAMES = 100_000;

export function braced(names: readonly string[]): string {
  const first = names[0] as string;
  let shared = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, shared))) shared--;
  // A number is never split.
  while (shared > 0 && /\d/.test(first[shared - 1] as string)) shared--;
  // What remains of a name must not be empty.
  if (names.some((name) => name.length === shared)) shared = 0;
  const start = first.slice(0, shared);
  const rests = names.map((name) => name.slice(shared));
  return `${start}{${rangeOf(rests) ?? rests.join(',')}}`;
}

/** The inverse of `braced`; null for any other text. */
export function unbraced(text: string): string[] | null {
  const [, start, inner] = /^([^{]*)\{([^{}]*)\}$/.exec(text) ?? [];
  if (start === undefined || inner === undefined) return null;
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(inner) ?? [];
  if (from === undefined || to === undefined) return inner.split(',').map((rest) => start + rest);
  const count = Number(to) - Number(from) + 1;
  if (!(count > 0 && count <= MAX_NAMES)) return null;
  return numbersFrom(from, count).map((number) => start + number);
}

/** Returns `01..25` if the texts are exactly these numbers in this order. */
function rangeOf(texts: readonly string[]): string | null {
  const [first, last] = [texts[0] as string, texts.at(-1) as string];
  if (!/^\d{1,9}$/.test(first)) return null;
  const isRow = numbersFrom(first, texts.length).every((number, i) => number === texts[i]);
  return isRow && texts.length > 2 ? `${first}..${last}` : null;
}

/** Pads each number to the width of the first. */
function numbersFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(Number(first) + i).padStart(first.length, '0'));
}
