/** Watches every call to `fs`: none may see another server or drive, a device or a stream, whatever was asked. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Under Wine, the package is on another drive than the project. */
const PACKAGE = fileURLToPath(new URL('../../../', import.meta.url));

const seen = new Set();

const watched =
  (call) =>
  (path, ...rest) => {
    if (typeof path === 'string' || Buffer.isBuffer(path)) seen.add(`${path}`);
    return call(path, ...rest);
  };

for (const [name, call] of Object.entries(fs)) {
  if (typeof call !== 'function' || !name.endsWith('Sync')) continue;
  fs[name] = Object.assign(watched(call), call.native && { native: watched(call.native) });
}
syncBuiltinESMExports();

/** Returns what should never have been asked for. A path that begins with `\\\\?\\` and a drive is the test's own. */
export function forbiddenPaths(drive) {
  return [...seen].filter((path) => {
    const rest = path.replace(/^\\\\\?\\(?=[A-Z]:)/i, '');
    const isElsewhere = /^[\\/]{2}/.test(rest) || (/^[A-Za-z]:/.test(rest) && !rest.toUpperCase().startsWith(drive));
    return !rest.startsWith(PACKAGE) && (isElsewhere || rest.includes(':', 2));
  });
}

export function wasAskedFor(path) {
  return seen.has(path);
}
