/** Folds as a map writes them (`test_*+34`), and closed directories with their counts (`docs/+120`). */
import { type Bytes, below, bytesOf } from '../names/bytes.ts';
import { inJson, quoted, shown, unquoted } from '../names/quote.ts';
import { asRelativePath } from '../protocol/relative-path.ts';

/** Begins a line that continues the one above. */
export const CONTINUED = './';

/** Writes a path in data. One that ends like a fold is quoted, so that it can be sent in a call. */
export function pathInData(path: Bytes): string {
  return path.endsWith('*') ? quoted(path) : asRelativePath(inJson(path));
}

/** The directories, or all other entries, whose names begin with `prefix`, and go on with a byte of the range. */
export interface FoldName {
  readonly prefix: Bytes;
  readonly range: { readonly from: number; readonly to: number } | null;
  readonly ofFolders: boolean;
}

/** A fold with the number of files in it, including those below its directories. */
export interface Fold extends FoldName {
  readonly files: number;
}

/** Writes `test_*`, `[a-f]*`, `"my "*`; for directories with a final `/`. With a directory's path it can be sent in a call. */
export function denseFold({ prefix, range, ofFolders }: FoldName, directory = '' as Bytes): string {
  const path = below(directory, prefix);
  const mark = ofFolders ? '*/' : '*';
  const bounds = range === null ? '' : `[${byteIn(range.from)}-${byteIn(range.to)}]`;
  const plain = shown(path);
  if (!plain.startsWith('"') && !UNFIT.test(plain) && !bounds.includes('\\') && (range !== null || !RANGE.test(path))) {
    return `${plain}${bounds}${mark}`;
  }
  return `${quoted(path).slice(0, -1).replaceAll('[', '\\u005b')}${bounds}"${mark}`;
}

const UNFIT = /[\s\\]|^#/;

/** A quoted form escapes literal brackets, so this is always a range. */
const RANGE = /\[(\\x[0-9a-f]{2}|[\w.@])-(\\x[0-9a-f]{2}|[\w.@])\]$/;

function byteIn(byte: number): string {
  return isPlainBound(byte) ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`;
}

/** Any other byte at the end of a range is written as a number. */
export function isPlainBound(byte: number): boolean {
  return /[\w.@]/.test(String.fromCharCode(byte));
}

/** Parses a path argument as a fold, with its directory as a path argument; null when it does not look like one. */
export function foldAt(argument: string): (FoldName & { readonly directory: string }) | null {
  const [, body, mark] = /^(.*)(\*\/?)$/s.exec(argument) ?? [];
  if (body === undefined) return null;
  const isQuoted = body.startsWith('"');
  if (isQuoted && !/^".*"$/s.test(body)) return null;
  const inner = isQuoted ? body.slice(0, -1) : body;
  const [bounds = '', from, to] = RANGE.exec(inner) ?? [];
  const text = inner.slice(0, inner.length - bounds.length);
  const bytes = isQuoted ? unquoted(`${text}"`) : bytesOf(text);
  if (bytes === null) return null;
  const slash = bytes.lastIndexOf('/');
  const directory = bytes.slice(0, slash === 0 ? 1 : Math.max(slash, 0)) as Bytes;
  return {
    directory: isQuoted ? inJson(directory) || '.' : text.slice(0, text.lastIndexOf('/') + 1) || '.',
    prefix: bytes.slice(slash + 1) as Bytes,
    range: from === undefined || to === undefined ? null : { from: byteOf(from), to: byteOf(to) },
    ofFolders: mark === '*/',
  };
}

/** Marks a directory in which everything is hidden. */
export const HIDDEN_MARK = '-';

/** Returns the path of a directory or a fold that is written with its mark (`docs/+90`, `test_*+30`, `out/-`); else null. */
export function withoutCount(argument: string): string | null {
  return /^(.*(?:[*/](?=\+)|\/(?=[-?]$)))(?:\+\d*|[-?])$/s.exec(argument)?.[1] ?? null;
}

function byteOf(form: string): number {
  return form.startsWith('\\x') ? Number.parseInt(form.slice(2), 16) : form.charCodeAt(0);
}

export function isInFold({ prefix, range }: FoldName, name: Bytes): boolean {
  if (!name.startsWith(prefix)) return false;
  if (range === null) return true;
  const next = name.charCodeAt(prefix.length);
  return next >= range.from && next <= range.to;
}
