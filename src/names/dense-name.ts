/** Names in lines that separate them by spaces and end them with marks: a name that could be mistaken is quoted. */
import type { Bytes } from './bytes.ts';
import { quoted, shown } from './quote.ts';

/** Perf: matches most names. */
const PLAIN_NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*[A-Za-z0-9]$/;

/** White space and `\`; the start of a header; the end of a mark, of a fold with its count, or of a template. */
const MISLEADING_NAME = /[\s\\]|^#|[@*?|=>]$|\*\+\d*$|:$(?<=\*.*)/;

/** A name without any looks like the map's own punctuation. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** Writes a name, or names of directories joined by `/`. */
export function denseName(name: Bytes): string {
  if (PLAIN_NAME.test(name)) return name;
  const plain = shown(name);
  if (plain.startsWith('"')) return plain;
  const misleads = plain
    .split('/')
    .some((part) => MISLEADING_NAME.test(part) || looksBraced(part) || !LETTER_OR_DIGIT.test(part));
  return misleads ? quoted(name) : plain;
}

/** True for a name that looks like alternatives of a map (`{api,web}`). */
function looksBraced(name: string): boolean {
  const start = name.indexOf('{');
  const inner = start < 0 ? '' : name.slice(start + 1, Math.max(start, name.lastIndexOf('}')));
  return inner.includes(',') || inner.includes('..');
}
