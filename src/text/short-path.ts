/** Shortens a path to its first directory and as many of its last names as fit. */

const MAX_CHARACTERS = 35;
const ELLIPSIS = '...';

export function shortPath(path: string): string {
  if (fits(path)) return path;
  const [first = '', ...rest] = path.split('/');
  const start = `${first}/${ELLIPSIS}`;
  let end = '';
  while (rest.length > 0 && fits(`${start}/${rest.at(-1)}${end}`)) end = `/${rest.pop()}${end}`;
  return end === '' ? middleCut(Array.from(path)) : start + end;
}

/** Keeps characters of both ends, for a path whose first and last name are already too long. */
function middleCut(characters: readonly string[]): string {
  const half = (MAX_CHARACTERS - ELLIPSIS.length) / 2;
  return [...characters.slice(0, half), ELLIPSIS, ...characters.slice(-half)].join('');
}

function fits(text: string): boolean {
  return Array.from(text).length <= MAX_CHARACTERS;
}
