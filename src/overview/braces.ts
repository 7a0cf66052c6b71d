/**
 * Names of directories that are alike, as a shell would write them: `{api,web}`, `pkg-{a,b}`, `day-{01..25}`. Read back,
 * they are the same names in the same order.
 */

/** A name that looks like this has to be quoted. */
export const BRACES = /\{.*(?:,|\.\.).*\}/s;

/** Only plain names are written so. */
export const BRACEABLE = /^[\w.-]+$/;

/** More names than this are not read from a range: nobody writes such a map. */
const MOST_NAMES = 100_000;

/** Writes at least two names. */
export function braced(names: readonly string[]): string {
  const first = names[0] as string;
  let shared = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, shared))) shared--;
  // A number is not divided.
  while (shared > 0 && /\d/.test(first[shared - 1] as string)) shared--;
  // A name must not be empty without what it shares.
  if (names.some((name) => name.length === shared)) shared = 0;
  const start = first.slice(0, shared);
  const rests = names.map((name) => name.slice(shared));
  return `${start}{${rangeOf(rests) ?? rests.join(',')}}`;
}

/** Returns what `braced` was given; null for anything else. */
export function unbraced(text: string): string[] | null {
  const [, start, inner] = /^([^{]*)\{([^{}]*)\}$/.exec(text) ?? [];
  if (start === undefined || inner === undefined) return null;
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(inner) ?? [];
  if (from === undefined || to === undefined) return inner.split(',').map((rest) => start + rest);
  const count = Number(to) - Number(from) + 1;
  if (!(count > 0 && count <= MOST_NAMES)) return null;
  return numbersFrom(from, count).map((number) => start + number);
}

/** `01..25` if the texts are these numbers, each once, in this order. */
function rangeOf(texts: readonly string[]): string | null {
  const [first, last] = [texts[0] as string, texts.at(-1) as string];
  if (!/^\d{1,9}$/.test(first)) return null;
  const isRow = numbersFrom(first, texts.length).every((number, i) => number === texts[i]);
  return isRow && texts.length > 2 ? `${first}..${last}` : null;
}

/** As many digits as the first has, at least. */
function numbersFrom(first: string, count: number): string[] {
  return Array.from({ length: count }, (_, i) => String(Number(first) + i).padStart(first.length, '0'));
}
