/** How paths are written, and for whom. */
import { parsePath } from '../../workspace/argument.ts';
import type { Bytes } from '../../workspace/bytes.ts';
import { asGiven } from '../../workspace/paths.ts';
import { type CommandLine, colorIn } from './options.ts';
import type { Streams } from './streams.ts';

/** True for a view with columns, colours or a tree; paths that end with NUL are never for eyes. */
export function isForEyes(line: CommandLine, streams: Streams): boolean {
  return !line.switch('null') && (streams.isTerminal || colorIn(line) === 'always');
}

/** The way from the current directory to the entries of a path: '' for `.`, `src/` for `src`. */
export function pathPrefix(path: string): Bytes {
  const written = writtenPath(path);
  return (written === '' || written.endsWith('/') ? written : `${written}/`) as Bytes;
}

/** A path without `.` and needless slashes; '' is the current directory. A name like an option cannot be taken for one. */
export function writtenPath(path: string): Bytes {
  const { absolute, names, volume } = parsePath(asGiven(path));
  const start = absolute ? `${volume}/` : names[0]?.startsWith('-') ? './' : '';
  return `${start}${names.join('/')}` as Bytes;
}
