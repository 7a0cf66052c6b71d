import { textOf } from '../../names/bytes.ts';
import { shownAsGiven, unquoted } from '../../names/quote.ts';
import { UsageError } from '../../protocol/usage-error.ts';

/** A path as the functions of `node:fs` take it. Its type includes Buffer only if Node's types are installed. */
export type OpenablePath =
  | string
  | (typeof globalThis extends { Buffer: { from(text: string): infer B } } ? B : Uint8Array);

/**
 * Converts a path or name from an answer into one for the functions of `node:fs`. Plain text stays as it is. A quoted
 * form is decoded, to bytes if it is not valid UTF-8. Throws a UsageError for a malformed quoted form.
 *
 * @example for await (const { path } of scan({ absolute: true }, root)) await readFile(openablePath(path))
 */
export function openablePath(path: string): OpenablePath {
  if (!path.startsWith('"')) return path;
  const bytes = unquoted(path);
  if (bytes === null) throw new UsageError(`The quoted form ${shownAsGiven(path)} is malformed.`);
  return textOf(bytes) ?? Buffer.from(bytes, 'latin1');
}
