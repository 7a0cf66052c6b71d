// What a reader would see of a tool's result, how long that is, and the part of it that fits within the limits.
import { prettyJson } from './plain.ts';

/**
 * The indented JSON with the line breaks inside its strings opened up; text is its own view.
 *
 * @example viewOf({ text: 'a\nC:\\new' }) // '{⏎  "text": "a⏎C:\\\\new"⏎}', where ⏎ is a line break
 */
export function viewOf(value: unknown): string {
  return typeof value === 'string' ? value : opened(prettyJson(value));
}

/** Taking backslashes in pairs keeps the `\n` of `C:\\new` from being one. */
function opened(json: string): string {
  return json.replace(/\\[\\n]/g, (pair) => (pair === '\\n' ? '\n' : pair));
}

export interface Size {
  lines: number;
  bytes: number;
}

/** A line break at the very end closes the last line and opens no further one. */
export function sizeOf(view: string): Size {
  let lines = view === '' || view.endsWith('\n') ? 0 : 1;
  for (let at = view.indexOf('\n'); at !== -1; at = view.indexOf('\n', at + 1)) lines++;
  return { lines, bytes: Buffer.byteLength(view) };
}

/** The longest beginning or end that stays within both limits and cuts no character in two. */
export function cut(view: string, direction: 'head' | 'tail', most: Size): string {
  return direction === 'head' ? view.slice(0, headEnd(view, most)) : view.slice(tailStart(view, most));
}

function headEnd(view: string, most: Size): number {
  let breaks = 0;
  let bytes = 0;
  let end = 0;
  while (end < view.length) {
    const character = view.codePointAt(end) as number;
    bytes += utf8Length(character);
    // The line break after the last line that fits is left out: a preview does not end in an empty line.
    if (bytes > most.bytes || (character === LINE_BREAK && ++breaks === most.lines)) break;
    end += character > LAST_OF_ONE_UNIT ? 2 : 1;
  }
  return end;
}

function tailStart(view: string, most: Size): number {
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
/** Code points above it take two units of a JavaScript string. */
const LAST_OF_ONE_UNIT = 0xffff;

/** Half of a surrogate pair is written as U+FFFD, which takes three bytes like its neighbours. */
function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  return codePoint > LAST_OF_ONE_UNIT ? 4 : 3;
}
