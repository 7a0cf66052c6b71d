/** A path in a few characters: its first directory and as many of its last names as there is room for. */

const LONGEST = 35;
const GAP = '...';

export function shortPath(path: string, longest = LONGEST): string {
  if (lengthOf(path) <= longest) return path;
  const [first = '', ...rest] = path.split('/');
  const start = `${first}/${GAP}`;
  let end = '';
  while (rest.length > 0 && lengthOf(`${start}/${rest.at(-1)}${end}`) <= longest) end = `/${rest.pop()}${end}`;
  return end === '' ? middleCut(path, longest) : start + end;
}

/** Where even the first and the last name are too much: characters of both ends. */
function middleCut(path: string, longest: number): string {
  const characters = Array.from(path);
  const kept = longest - GAP.length;
  return characters.slice(0, Math.floor(kept / 2)).join('') + GAP + characters.slice(-Math.ceil(kept / 2)).join('');
}

function lengthOf(text: string): number {
  return Array.from(text).length;
}
