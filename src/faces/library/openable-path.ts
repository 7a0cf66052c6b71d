import { UsageError } from '../../protocol/usage-error.ts';
import { textOf } from '../../workspace/bytes.ts';
import { shownAsGiven, unquoted } from '../../workspace/quote.ts';

/** A path as the functions of `node:fs` take it. It holds a Buffer only where Node's types are known. */
export type OpenablePath =
  | string
  | (typeof globalThis extends { Buffer: { from(text: string): infer B } } ? B : Uint8Array);

/**
 * A path or name that an answer shows, for the functions of `node:fs`: the text itself; of a quoted form what it stands
 * for, and bytes where that is not valid UTF-8. Throws a UsageError for a quoted form that is malformed.
 *
 * @example for await (const { path } of scan({ absolute: true }, root)) await readFile(openablePath(path))
 */
export function openablePath(path: string): OpenablePath {
  if (!path.startsWith('"')) return path;
  const bytes = unquoted(path);
  if (bytes === null) throw new UsageError(`The quoted form ${shownAsGiven(path)} is malformed.`);
  return textOf(bytes) ?? Buffer.from(bytes, 'latin1');
}
