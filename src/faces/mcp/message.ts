/** Parses a message (a line or the body of a request) before the SDK sees it. Refuses one that is too large. */
import { orUndefined } from '../../protocol/plain.ts';
import { tooManyValues } from '../../protocol/size.ts';
import { MessageScanner } from './message-scanner.ts';

/** In bytes. A megabyte of patterns is more than any model sends. */
export const LARGEST_MESSAGE = 1024 * 1024;

export const TOO_LONG = `A message has at most ${LARGEST_MESSAGE} bytes. Send fewer or shorter parameters, or the calls of a batch one by one.`;

/** The error for a message that `parsedMessage` rejects. */
export const NOT_PARSED = 'The message is not valid JSON, or is nested too deeply. Send one JSON-RPC message.';

/** In levels. Parsing a megabyte of nested brackets would block the event loop; fewer are refused after parsing. */
const MAX_NESTING = 10_000;

/**
 * Returns the object or array in a message: null if it is not valid JSON, another type, or nested too deeply. `id` is
 * that of a request, if it is sure: its sender waits for an answer even if the rest cannot be parsed.
 */
export function parsedMessage(bytes: Buffer): { readonly value: object | null; readonly id: string | number | null } {
  const scanner = new MessageScanner();
  scanner.add(bytes);
  const isTooDeep = scanner.depth > MAX_NESTING;
  // Some programs start their output with a byte order mark.
  const parse = () => JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  const value = isTooDeep ? null : orUndefined<unknown>(parse);
  return { value: typeof value === 'object' ? value : null, id: scanner.takeId() ?? null };
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
