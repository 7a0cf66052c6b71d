/** Helpers for the text of git's ignore files and configuration files. */
import type { Bytes } from '../names/bytes.ts';

const BYTE_ORDER_MARK = '\xef\xbb\xbf';

export function withoutByteOrderMark(content: Bytes): Bytes {
  return content.startsWith(BYTE_ORDER_MARK) ? (content.slice(BYTE_ORDER_MARK.length) as Bytes) : content;
}

/** Returns the end of the line at a position, without its line break. */
export function lineEnd(content: string, at: number): number {
  const end = content.indexOf('\n', at);
  return end < 0 ? content.length : end;
}
