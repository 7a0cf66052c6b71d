/** Decides how paths are written, for people or for programs. */

import type { Bytes } from '../../names/bytes.ts';
import { asGiven } from '../../names/paths.ts';
import { parsePath } from '../../workspace/argument.ts';
import { type CommandLine, colorIn } from './options.ts';
import type { Streams } from './streams.ts';

/** True for a view with columns, colours or a tree. Paths that end with NUL are always for programs. */
export function isForEyes(line: CommandLine, streams: Streams): boolean {
  return !line.switch('null') && (streams.isTerminal || colorIn(line) === 'always');
}

/** Returns the path from the current directory to the entries of a path: '' for `.`, `src/` for `src`. */
export function pathPrefix(path: string): Bytes {
  const written = writtenPath(path);
  return (written === '' || written.endsWith('/') ? written : `${written}/`) as Bytes;
}

/** Removes `.` and needless slashes; '' is the current directory. Adds `./` to a name that looks like an option. */
export function writtenPath(path: string): Bytes {
  const { absolute, names, volume } = parsePath(asGiven(path));
  const start = absolute ? `${volume}/` : names[0]?.startsWith('-') ? './' : '';
  return `${start}${names.join('/')}` as Bytes;
}
