/** Parses a message: a line, or the body of a request. */

/** In levels. Parsing a megabyte of nested brackets would block the event loop; fewer are refused after parsing. */
const MAX_NESTING = 10_000;

/** Returns the object or list in a text; null when it is not valid JSON, something else, or nested too deeply. */
export function parsedMessage(text: string): object | null {
  if (isNestedTooDeeply(text)) return null;
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
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

/** Returns the end of the string that begins at `from`, or of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return text.length;
}
