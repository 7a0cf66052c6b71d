// What counts as a path relative to the root, on whichever system the tool that wrote it ran.

/** Absolute on any system: `/x`, `C:\x`, `C:/x`, `C:`, `\\server\share`. */
const ABSOLUTE = /^(?:\/|\\\\|[a-z]:(?:[\\/]|$))/i;

/** A path that is there and does not start at the top of a file system; the root itself is `.`. */
export function isRelativePath(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !ABSOLUTE.test(value);
}

/** The same place, spelt so that nobody takes it for absolute: a directory can be called `C:` where that is no drive. */
export function asRelativePath(path: string): string {
  return isRelativePath(path) ? path : `./${path}`;
}
