// A tool's result as a reader sees it, its size, and the part of it that fits within the limits.
import { prettyJson } from './plain.ts';

/**
 * Returns indented JSON with real line breaks inside its strings; text is returned as it is.
 *
 * @example readableText({ text: 'a\nC:\\new' }) // '{⏎  "text": "a⏎C:\\\\new"⏎}', where ⏎ is a line break
 */
export function readableText(value: unknown): string {
  if (typeof value === 'string') return value;
  // Backslashes are matched in pairs, so that `C:\\new` contains no `\n`.
  return prettyJson(value).replace(/\\[\\n]/g, (pair) => (pair === '\\n' ? '\n' : pair));
}

export interface TextSize {
  lines: number;
  bytes: number;
}

/** Counts lines and bytes. A final line break ends the last line and does not start another. */
export function measure(view: string): TextSize {
  let lines = view === '' || view.endsWith('\n') ? 0 : 1;
  for (let at = view.indexOf('\n'); at !== -1; at = view.indexOf('\n', at + 1)) lines++;
  return { lines, bytes: Buffer.byteLength(view) };
}

/** Returns the longest beginning or end that stays within both limits and splits no character. */
export function cut(view: string, direction: 'head' | 'tail', most: TextSize): string {
  return direction === 'head' ? view.slice(0, headEnd(view, most)) : view.slice(tailStart(view, most));
}

function headEnd(view: string, most: TextSize): number {
  let breaks = 0;
  let bytes = 0;
  let end = 0;
  while (end < view.length) {
    const character = view.codePointAt(end) as number;
    bytes += utf8Length(character);
    // Excludes the line break after the last line that fits, so that a preview does not end in an empty line.
    if (bytes > most.bytes || (character === LINE_BREAK && ++breaks === most.lines)) break;
    end += character > LAST_OF_ONE_UNIT ? 2 : 1;
  }
  return end;
}

function tailStart(view: string, most: TextSize): number {
  let breaks = 0;
  let bytes = 0;
  let start = view.length;
  while (start > 0) {
    const pair = (view.codePointAt(start - 2) ?? 0) > LAST_OF_ONE_UNIT;
    const before = start - (pair ? 2 : 1);
    const character = view.codePointAt(before) as number;
    bytes += utf8Length(character);
    const endsEarlierLine = character === LINE_BREAK && start < view.length;
    if (bytes > most.bytes || (endsEarlierLine && ++breaks === most.lines)) break;
    start = before;
  }
  return start;
}

const LINE_BREAK = 0x0a;
/** Greater code points take two UTF-16 units. */
const LAST_OF_ONE_UNIT = 0xffff;

/** A lone surrogate is encoded as U+FFFD, which takes three bytes like its neighbours. */
function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint > LAST_OF_ONE_UNIT ? 4 : 3;
}
