/**
 * Names as the disk stores them: bytes. Node replaces what is not valid UTF-8 with U+FFFD, and then opens the wrong
 * file. So names and paths are strings in which each character is one byte (Latin-1). ASCII stays as it is, at no cost,
 * and comparing two such strings compares bytes, which for UTF-8 is the order of the code points.
 */
import { isUtf8 } from 'node:buffer';

declare const brand: unique symbol;

/** A string in which every character stands for one byte. */
export type Bytes = string & { readonly [brand]: 'bytes' };

export const NEWLINE = 0x0a;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const DOT = 0x2e;
export const SLASH = 0x2f;
const NON_ASCII = /[^\x00-\x7f]/;
/** The offset of code points that stand for bytes that are not valid UTF-8: U+DC80 to U+DCFF, as in Python. */
const STRAY = 0xdc00;

export function isAscii(text: string): boolean {
  return !NON_ASCII.test(text);
}

/** Encodes a text. A lone surrogate has no bytes and becomes U+FFFD, so check `isWellFormed()` if that matters. */
export function bytesOf(text: string): Bytes {
  return (isAscii(text) ? text : Buffer.from(text, 'utf8').toString('latin1')) as Bytes;
}

/** Returns the bytes of a buffer, or the first `most` of them. */
export function bytesIn({ buffer, byteOffset, byteLength }: Uint8Array, most = byteLength): Bytes {
  return Buffer.from(buffer, byteOffset, Math.min(byteLength, most)).toString('latin1') as Bytes;
}

/** Decodes bytes; null if they are not valid UTF-8. */
export function textOf(bytes: Bytes): string | null {
  if (isAscii(bytes)) return bytes;
  const buffer = Buffer.from(bytes, 'latin1');
  return isUtf8(buffer) ? buffer.toString('utf8') : null;
}

/** Decodes bytes. A stray byte becomes the lone surrogate that stands for it. */
export function textWithStrays(bytes: Bytes): string {
  return textOf(bytes) ?? codePointsOf(bytes).reduce((text, point) => text + String.fromCodePoint(point), '');
}

/** Returns the code points of bytes. A stray byte `b` becomes `0xdc00 + b`, which valid UTF-8 never contains. */
export function codePointsOf(bytes: Bytes): number[] {
  const points: number[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) points.push(STRAY + bytes.charCodeAt(at));
    else points.push(decodeSequence(bytes, at, length));
    at += Math.max(length, 1);
  }
  return points;
}

export function isStray(point: number): boolean {
  return point >= STRAY + 0x80 && point <= STRAY + 0xff;
}

export function strayByte(point: number): number {
  return point - STRAY;
}

/** Returns the length of the well-formed UTF-8 sequence at `at`; 0 if there is none. */
function sequenceLength(bytes: Bytes, at: number): number {
  const lead = bytes.charCodeAt(at);
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The narrower range of the second byte excludes overlong forms, surrogates and code points beyond U+10FFFF.
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes.charCodeAt(at + 1);
  if (!(second >= lowest && second <= highest)) return 0;
  for (let i = at + 2; i < at + length; i++) {
    const next = bytes.charCodeAt(i);
    if (!(next >= 0x80 && next <= 0xbf)) return 0;
  }
  return length;
}

function decodeSequence(bytes: Bytes, at: number, length: number): number {
  let point = length === 1 ? bytes.charCodeAt(at) : bytes.charCodeAt(at) & (0x7f >> length);
  for (let i = at + 1; i < at + length; i++) point = (point << 6) | (bytes.charCodeAt(i) & 0x3f);
  return point;
}

/** For `sort`. */
export function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Joins `parent` and `name`; `parent` is '' for the root. */
export function below<Path extends Bytes>(parent: Path, name: Bytes): Path {
  return (parent === '' ? name : `${parent}/${name}`) as Path;
}

export function parentOf<Path extends Bytes>(path: Path): Path {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0)) as Path;
}

export function lastNameOf(path: Bytes): Bytes {
  return path.slice(path.lastIndexOf('/') + 1) as Bytes;
}

/** Returns true if a path lies in a directory. All paths lie in '', the directory that they are relative to. */
export function isBelow(directory: Bytes, path: Bytes): boolean {
  return directory === '' || (path.charCodeAt(directory.length) === SLASH && path.startsWith(directory));
}

/** Converts ASCII letters to lower case. Other letters keep their case, as in git. */
export function lowerCaseAscii(text: string): string {
  // Perf: most names are in lower case, and testing costs less than replacing.
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase()) : text;
}

/** Escapes every byte, except those that are safe in a URL. */
export function percentEncoded(bytes: Bytes): string {
  return bytes.replace(/[^\w.~-]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
