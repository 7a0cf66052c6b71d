// Turns whatever a tool returned or threw into a valid Standard Envelope, without losing a message.
import { type ErrorCode, failure, type ToolResponse } from './envelope.ts';
import { requireText } from './limits.ts';
import { inSentence, isFields, messageOf, parseFields, throughJson, toPlain } from './plain.ts';
import { isRelativePath } from './relative-path.ts';
import { type About, repair } from './repair.ts';
import { checkOptions } from './usage-error.ts';
import { validateResponse } from './validate.ts';

/**
 * A valid envelope comes back as it came; anything else is repaired, or becomes an error with what there was as its
 * message. Whatever `raw` is, it never throws.
 *
 * @example normalizeResponse('{"error": "Error: disk full"}', { tool: 'Write' }).error // INTERNAL_ERROR, 'Error: disk full'
 */
export function normalizeResponse(raw: unknown, about: { tool: string; params?: unknown; cwd?: string }): ToolResponse {
  checkOptions('normalizeResponse', about, ['tool', 'params', 'cwd']);
  return toEnvelope(raw, completeAbout(requireText('tool', about.tool), about.params, about.cwd, 0));
}

/** Fills what an envelope needs beyond the tool's own words, in values that JSON can hold. */
export function completeAbout(tool: string, params: unknown, cwd: unknown, timeMs: number): About {
  const unspeakable = throughJson(params) === undefined;
  return {
    tool: inSentence(tool),
    params: unspeakable ? toPlain(params) : params,
    cwd: isRelativePath(cwd) ? cwd : '.',
    timeMs,
  };
}

/** `normalizeResponse` for a caller who knows everything about the call. */
export function toEnvelope(raw: unknown, about: About): ToolResponse {
  const value = typeof raw === 'string' ? (parseFields(raw) ?? raw) : raw;
  if (isSound(value)) return withoutNullError(value);
  if (saysNothing(value)) return failed('INTERNAL_ERROR', `The tool '${about.tool}' returned nothing.`, about);
  const plain = toPlain(value);
  return isFields(plain) ? repair(plain, about) : failed('INTERNAL_ERROR', messageOf(plain), about);
}

/** A failed call about which nothing but a message is known, if that. */
export function failed(code: ErrorCode, said: string, about: About): ToolResponse {
  const message = said === '' ? `The tool '${about.tool}' failed without a message.` : said;
  const context = { cwd: about.cwd, params_input: about.params };
  return failure({ code, message, stats: { time_ms: about.timeMs }, context });
}

/** Valid as it is, and still valid for whoever reads its JSON, where a `params_input: undefined` would be gone. */
function isSound(value: unknown): value is ToolResponse {
  return validateResponse(value).valid && validateResponse(throughJson(value)).valid;
}

function withoutNullError(response: ToolResponse): ToolResponse {
  if (response.status === 'error' || !Object.hasOwn(response, 'error')) return response;
  const { error: _null, ...rest } = response;
  return rest;
}

/** The text `null` is what a tool that prints JSON prints for nothing. */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || value.trim() === 'null';
  return value === undefined || value === null;
}
