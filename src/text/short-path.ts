/** Shortens a path to its first directory and as many of its last names as fit. */

const DEFAULT_LENGTH = 35;
const ELLIPSIS = '...';

export function shortPath(path: string, longest = DEFAULT_LENGTH): string {
  if (lengthOf(path) <= longest) return path;
  const [first = '', ...rest] = path.split('/');
  const start = `${first}/${ELLIPSIS}`;
  let end = '';
  while (rest.length > 0 && lengthOf(`${start}/${rest.at(-1)}${end}`) <= longest) end = `/${rest.pop()}${end}`;
  return end === '' ? middleCut(path, longest) : start + end;
}

/** Keeps characters of both ends, for a path whose first and last name are already too long. */
function middleCut(path: string, longest: number): string {
  const characters = Array.from(path);
  const kept = longest - ELLIPSIS.length;
  return (
    characters.slice(0, Math.floor(kept / 2)).join('') + ELLIPSIS + characters.slice(-Math.ceil(kept / 2)).join('')
  );
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
