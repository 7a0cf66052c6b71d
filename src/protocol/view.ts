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

export type TextSize = { lines: number; bytes: number };

/** Counts lines and bytes. A final line break ends the last line and does not start another. */
export function measure(view: string): TextSize {
  let lines = view === '' || view.endsWith('\n') ? 0 : 1;
  for (let at = view.indexOf('\n'); at !== -1; at = view.indexOf('\n', at + 1)) lines++;
  return { lines, bytes: Buffer.byteLength(view) };
}

/** Returns the longest beginning or end that stays within both limits and splits no character. */
export function cut(view: string, direction: 'head' | 'tail', most: TextSize): string {
  return direction === 'head' ? head(view, most) : tail(view, most);
}

function head(view: string, { lines, bytes }: TextSize): string {
  let end = view.indexOf('\n');
  for (let line = 1; line < lines && end >= 0; line++) end = view.indexOf('\n', end + 1);
  // Without the line break after the last line that fits, so that a preview does not end in an empty line.
  const kept = end < 0 ? view : view.slice(0, end);
  return kept.slice(0, unitsWithin(kept, bytes).read);
}

function tail(view: string, { lines, bytes }: TextSize): string {
  // The break before the part that is kept. One at the end of the text belongs to the last line.
  let before = view.length - 1;
  for (let line = 0; line < lines && before >= 0; line++)
    before = before === 0 ? -1 : view.lastIndexOf('\n', before - 1);
  // Every unit takes a byte or more.
  const kept = view.slice(Math.max(before + 1, view.length - bytes));
  const excess = Buffer.byteLength(kept) - bytes;
  if (excess <= 0) return kept;
  const { read, written } = unitsWithin(kept, excess);
  return kept.slice(written === excess ? read : read + String.fromCodePoint(kept.codePointAt(read) as number).length);
}

/** A lone surrogate is encoded as U+FFFD, which takes three bytes like its neighbours. */
function unitsWithin(text: string, bytes: number): { read: number; written: number } {
  return new TextEncoder().encodeInto(text, new Uint8Array(Math.min(bytes, 3 * text.length)));
}
