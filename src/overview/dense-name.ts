/**
 * How a name stands in a map, where names are separated by spaces and marks end them: `README.md`, `link@`, `src/`,
 * `docs/+120`, `test_*+34`. What could be taken for one of these is quoted.
 */
import { asRelativePath } from '../protocol/relative-path.ts';
import { type Bytes, below, bytesOf } from '../workspace/bytes.ts';
import { inJson, quoted, shown, unquoted } from '../workspace/quote.ts';

/** Perf: most names. */
const PLAIN = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*[A-Za-z0-9]$/;

/** White space and `\`; what starts like a header; what ends like a mark, or like a fold with its count. */
const MISLEADING = /[\s\\]|^#|[@*?|=>]$|\*\+\d*$/;

/** What has none of these looks like the map's own punctuation. */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** A name, or the names of directories that are joined by `/`. */
export function denseName(name: Bytes): string {
  if (PLAIN.test(name)) return name;
  const plain = shown(name);
  if (plain.startsWith('"')) return plain;
  const misleads = plain.split('/').some((part) => MISLEADING.test(part) || !LETTER_OR_DIGIT.test(part));
  return misleads ? quoted(name) : plain;
}

/** A path in data: as everywhere, but one that ends like a fold is quoted, so that it can be sent back. */
export function pathInData(path: Bytes): string {
  return path.endsWith('*') ? quoted(path) : asRelativePath(inJson(path));
}

/**
 * Entries of a directory that are not shown one by one: those whose names begin with `prefix`, and behind it with a
 * byte of the range, if there is one; directories, or everything else. A range stands where a fold for each byte would
 * cost more than the budget.
 */
export interface FoldName {
  readonly prefix: Bytes;
  readonly range: ByteRange | null;
  readonly ofFolders: boolean;
}

export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** `test_*`, `[a-f]*`, `"my "*`; of directories with a `/` at the end. Below a directory's path it can be sent back. */
export function denseFold({ prefix, range, ofFolders }: FoldName, directory = '' as Bytes): string {
  const path = directory === '' ? prefix : below(directory, prefix);
  const mark = ofFolders ? '*/' : '*';
  const bounds = range === null ? '' : `[${byteIn(range.from)}-${byteIn(range.to)}]`;
  const plain = shown(path);
  if (!plain.startsWith('"') && !UNFIT.test(plain) && !bounds.includes('\\') && (range !== null || !RANGE.test(path))) {
    return `${plain}${bounds}${mark}`;
  }
  return `${quoted(path).slice(0, -1).replaceAll('[', '\\u005b')}${bounds}"${mark}`;
}

const UNFIT = /[\s\\]|^#/;

/** In a quoted form a literal bracket is escaped, so this is always a range. */
const RANGE = /\[(\\x[0-9a-f]{2}|[\w.@])-(\\x[0-9a-f]{2}|[\w.@])\]$/;

function byteIn(byte: number): string {
  const character = String.fromCharCode(byte);
  return /[\w.@]/.test(character) ? character : `\\x${byte.toString(16).padStart(2, '0')}`;
}

interface FoldPath extends FoldName {
  /** The directory that it is in, as a path argument. */
  readonly directory: string;
}

/** What a path argument means if it is a fold that a map has shown; null when it does not look like one. */
export function foldAt(argument: string): FoldPath | null {
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

/** A closed directory or a fold as it stands in a map, with its count (`docs/+90`, `test_*+30`): its path; else null. */
export function withoutCount(argument: string): string | null {
  return /^(.*[*/])\+\d*$/s.exec(argument)?.[1] ?? null;
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
