// Turns whatever a tool returned or threw into a valid Standard Envelope, without losing a message.
import { type ErrorCode, failure, type ToolResponse } from './envelope.ts';
import { requireText } from './limits.ts';
import { inSentence, isFields, messageOf, parseFields, throughJson, toPlain } from './plain.ts';
import { isRelativePath } from './relative-path.ts';
import { type CallInfo, repair } from './repair.ts';
import { checkOptions } from './usage-error.ts';
import { validateResponse } from './validate.ts';

/**
 * Returns a valid envelope unchanged; repairs anything else, or makes an error of it, with its words as the message.
 * Never throws, whatever `raw` is.
 *
 * @example normalizeResponse('{"error": "Error: disk full"}', { tool: 'Write' }).error // INTERNAL_ERROR, 'Error: disk full'
 */
export function normalizeResponse(raw: unknown, about: { tool: string; params?: unknown; cwd?: string }): ToolResponse {
  checkOptions('normalizeResponse', about, ['tool', 'params', 'cwd']);
  return toEnvelope(raw, callInfo(requireText('tool', about.tool), about.params, about.cwd, 0));
}

/** Completes what an envelope needs beyond the tool's own answer, in values that JSON can hold. */
export function callInfo(tool: string, params: unknown, cwd: unknown, timeMs: number): CallInfo {
  return {
    tool: inSentence(tool),
    params: throughJson(params) === undefined ? toPlain(params) : params,
    cwd: isRelativePath(cwd) ? cwd : '.',
    timeMs,
  };
}

/** `normalizeResponse` for a caller with complete information about the call. */
export function toEnvelope(raw: unknown, about: CallInfo): ToolResponse {
  const value = typeof raw === 'string' ? (parseFields(raw) ?? raw) : raw;
  if (isSound(value)) return withoutNullError(value);
  if (saysNothing(value)) return failedCall('INTERNAL_ERROR', `The tool '${about.tool}' returned nothing.`, about);
  const plain = toPlain(value);
  return isFields(plain) ? repair(plain, about) : failedCall('INTERNAL_ERROR', messageOf(plain), about);
}

/** Answers a call that failed with at most a message. */
export function failedCall(code: ErrorCode, said: string, about: CallInfo): ToolResponse {
  const message = said === '' ? `The tool '${about.tool}' failed without a message.` : said;
  const context = { cwd: about.cwd, params_input: about.params };
  return failure({ code, message, stats: { time_ms: about.timeMs }, context });
}

/** Valid as it is, and still valid after JSON, which drops a `params_input: undefined`. */
function isSound(value: unknown): value is ToolResponse {
  return validateResponse(value).valid && validateResponse(throughJson(value)).valid;
}

function withoutNullError(response: ToolResponse): ToolResponse {
  if (response.status === 'error' || !Object.hasOwn(response, 'error')) return response;
  const { error: _null, ...rest } = response;
  return rest;
}

/** A tool that prints JSON prints `null` for nothing. */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || value.trim() === 'null';
  return value === undefined || value === null;
}
