// Paths relative to the root, whichever system the tool that wrote them ran on.
import { isAbsolute, relative, sep } from 'node:path';

/** Absolute on any system: `/x`, `C:\x`, `C:/x`, `C:`, `\\server\share`. */
const ABSOLUTE = /^(?:\/|\\\\|[a-z]:(?:[\\/]|$))/i;

/** True for a path that is not empty and not absolute; the root itself is `.`. */
function isRelativePath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !ABSOLUTE.test(value);
}

/** True for a relative path that at no point leads out of the root. */
export function isInsideRoot(value: unknown): value is string {
  if (!isRelativePath(value)) return false;
  let depth = 0;
  for (const name of value.split('/')) {
    depth += name === '..' ? -1 : name === '' || name === '.' ? 0 : 1;
    if (depth < 0) return false;
  }
  return true;
}

/** Prefixes a path that looks absolute with `./`: where there are no drives, a directory can be called `C:`. */
export function asRelativePath(path: string): string {
  return isRelativePath(path) ? path : `./${path}`;
}

/** Returns the names that lead from one absolute path to another, or null if the second is not below the first. */
export function namesBelow(from: string, to: string): string[] | null {
  const way = relative(from, to);
  const names = way.split(sep).filter(Boolean);
  return names[0] === '..' || isAbsolute(way) ? null : names;
}
