/** Parses a message (a line or the body of a request) before the SDK sees it. Refuses one that is too large. */
import { tooManyValues } from '../../protocol/size.ts';

/** In bytes. A megabyte of patterns is more than any model sends. */
export const LARGEST_MESSAGE = 1024 * 1024;

export const TOO_LONG = `A message has at most ${LARGEST_MESSAGE} bytes. Send fewer or shorter parameters, or the calls of a batch one by one.`;

/** The error for a message that `parsedMessage` rejects. */
export const NOT_PARSED = 'The message is not valid JSON, or is nested too deeply. Send one JSON-RPC message.';

/** In levels. Parsing a megabyte of nested brackets would block the event loop; fewer are refused after parsing. */
const MAX_NESTING = 10_000;

/** Returns the object or array in a text, or null if it is not valid JSON, another type, or nested too deeply. */
export function parsedMessage(text: string): object | null {
  if (isNestedTooDeeply(text)) return null;
  try {
    // Some programs start their output with a byte order mark.
    const value = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/**
 * Returns why the SDK must not see a message, or null if it may. The SDK would visit a hundred thousand values before
 * we could refuse them.
 */
export function refusalOfSize(message: unknown): string | null {
  const { params, result } = fieldsOf(message);
  return tooManyValues([params, result], 'The message holds');
}

/** Removes null `params` and `arguments`: null means unset, but the SDK would refuse it. */
export function unsetNulls(message: unknown): void {
  const request = fieldsOf(message);
  const params = fieldsOf(request.params);
  if (request.params === null) request.params = undefined;
  if (params.arguments === null) params.arguments = undefined;
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** A subscription stays open until it is cancelled or its client disconnects. The SDK limits their number. */
export function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | undefined)?.method === 'subscriptions/listen';
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** `[` and `{`, `]` and `}`. */
const OPENING = [0x5b, 0x7b];
const CLOSING = [0x5d, 0x7d];

function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (OPENING.includes(code) && ++depth > MAX_NESTING) return true;
    else if (CLOSING.includes(code)) depth--;
  }
  return false;
}

/** Returns the end of the string that starts at `from`, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}
