// Turns whatever a tool returned or threw into a valid Standard Envelope, without losing a message.
import type { Data, ErrorCode, ErrorDetail, ToolResponse } from './envelope.ts';
import { discounts, ERROR_CODES, errorText, failure, STATUSES, success } from './envelope.ts';
import { requireText } from './limits.ts';
import { PARTIAL_CASES } from './partial-cases.ts';
import type { Fields } from './plain.ts';
import { inSentence, isError, isFields, messageOf, orUndefined, parseFields, throughJson, toPlain } from './plain.ts';
import { isInsideRoot } from './relative-path.ts';
import { checkOptions } from './usage-error.ts';
import { isStatus, validateResponse } from './validate.ts';

type CallInfo = ReturnType<typeof callInfo>;

/**
 * Returns a valid envelope unchanged. Repairs anything else, or turns it into an error with its words as the message.
 * Never throws, whatever `raw` is.
 *
 * @example normalizeResponse('{"error": "Error: disk full"}', { tool: 'Write' }).error // INTERNAL_ERROR, 'Error: disk full'
 */
export function normalizeResponse(raw: unknown, about: { tool: string; params?: unknown; cwd?: string }): ToolResponse {
  checkOptions('normalizeResponse', about, ['tool', 'params', 'cwd']);
  return toEnvelope(raw, callInfo(requireText('tool', about.tool), about.params, about.cwd, 0));
}

/** Completes the information that an envelope needs besides the tool's answer, in values that JSON can represent. */
export function callInfo(tool: string, params: unknown, cwd: unknown, timeMs: number) {
  return {
    tool: inSentence(tool),
    params: throughJson(params) === undefined ? toPlain(params) : params,
    cwd: isInsideRoot(cwd) ? cwd : '.',
    timeMs,
  };
}

/** `normalizeResponse` for a caller with complete information about the call. */
export function toEnvelope(raw: unknown, about: CallInfo): ToolResponse {
  const value = typeof raw === 'string' ? (parseFields(raw) ?? raw) : raw;
  // Still valid after JSON, which drops a `params_input: undefined`.
  if (validateResponse(value).valid && validateResponse(throughJson(value)).valid)
    return withoutNullError(value as ToolResponse);
  if (saysNothing(value)) return failedCall('INTERNAL_ERROR', `The tool '${about.tool}' returned nothing.`, about);
  // An error carries a code beside its message; a plain copy would lose it.
  if (isError(value)) return failedCall(codeOfThrown(value), messageOf(value), about);
  const plain = toPlain(value);
  return isFields(plain)
    ? repair(withErrorCode(plain, value), about)
    : failedCall('INTERNAL_ERROR', messageOf(plain), about);
}

/** A tool may return an error that it caught. In the plain copy, `{ error }` is only a message; this adds the code. */
function withErrorCode(plain: Fields, value: unknown): Fields {
  const error = orUndefined(() => (value as Fields).error);
  return isError(error) ? { ...plain, error: { code: codeOfThrown(error), message: plain.error } } : plain;
}

/** Matches the beginning of a cut envelope, or of another cut answer that may report a failure. */
const CUT_ANSWER = /^\s*\{\s*"(?:status|error|isError|is_error|success|ok)"\s*:/;

/** The same for the return value of a tool in a toolbox, where a plain text is the tool's answer. */
export function returnedByTool(raw: unknown, about: CallInfo): ToolResponse {
  const isPlainText = typeof raw === 'string' && parseFields(raw) === null && raw.trim() !== 'null';
  if (!isPlainText || CUT_ANSWER.test(raw)) return toEnvelope(raw, about);
  const text = raw.trim() === '' ? `${about.tool} answered with an empty text.` : raw;
  return success({ data: {}, text, ...framed(about) });
}

/** Returns the answer of a call that failed with a message, which may be empty. */
export function failedCall(code: ErrorCode, said: string, about: CallInfo): ToolResponse {
  const message = said === '' ? `The tool '${about.tool}' failed without a message.` : said;
  return failure({ code, message, ...framed(about) });
}

function framed({ cwd, params, timeMs }: CallInfo): Pick<ToolResponse, 'stats' | 'context'> {
  return { stats: { time_ms: timeMs }, context: { cwd, params_input: params } };
}

function withoutNullError(response: ToolResponse): ToolResponse {
  if (response.status === 'error' || !Object.hasOwn(response, 'error')) return response;
  const { error: _null, ...rest } = response;
  return rest;
}

/** A tool that prints JSON prints `null` if it has no result. */
function saysNothing(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '' || value.trim() === 'null';
  return value === undefined || value === null;
}

type Parts = { status: unknown; text: string; error: unknown } & Record<'data' | 'stats' | 'context', Fields>;

/** Defaults for the parts of an answer, each of the right type; null means that the tool gave none. */
const NO_PARTS: Parts = { status: null, data: {}, text: '', error: null, stats: {}, context: {} };

/** Top-level key → the test for its value. */
const PLACES = new Map<string, (value: unknown) => boolean>([
  ['status', isStatus],
  ['data', isFields],
  ['text', (value) => typeof value === 'string'],
  ['error', Boolean],
  ['stats', isFields],
  ['context', isFields],
]);

/** Makes a valid envelope of plain data: fields that fit stay in place, everything else moves into `data`. */
function repair(fields: Fields, about: CallInfo): ToolResponse {
  const parts = isAlmostEnvelope(fields) ? sortOut(fields) : { ...NO_PARTS, data: fields };
  const failed = parts.error !== null || parts.status === 'error' || saysFailed(fields);
  const { status, ...said } = failed ? asError(parts, about) : asResult(parts, fields.status, about);
  const stats = soundStats(parts.stats, about);
  return settle({ status, data: parts.data, ...said, stats, context: parts.context }, about);
}

/** Recognises a failure as MCP, Anthropic's API, codex, mycode and `fetch` mark it. */
function saysFailed({ isError: mcp, is_error: anthropic, success, ok }: Fields): boolean {
  return mcp === true || anthropic === true || success === false || ok === false;
}

/** False for a tool's bare data: `{ file, line, text }` is a match, not an envelope with a text. */
function isAlmostEnvelope(fields: Fields): boolean {
  if (isStatus(fields.status) || fields.error || saysFailed(fields)) return true;
  return isFields(fields.data) && Object.keys(fields).every((key) => PLACES.has(key));
}

/** Leaves each part that fits in its place and moves the others into `data`. */
function sortOut(fields: Fields): Parts {
  const fits = (key: string) => PLACES.get(key)?.(fields[key]) === true;
  const isNull = (key: string) => PLACES.has(key) && fields[key] === null;
  const keys = Object.keys(fields);
  const fitting = Object.fromEntries(keys.filter(fits).map((key) => [key, fields[key]]));
  const parts: Parts = { ...NO_PARTS, ...fitting };
  const homeless = keys.filter((key) => !fits(key) && !isNull(key));
  const moved = homeless.map((key): Field => [key, fields[key]]);
  return { ...parts, data: withFields(parts.data, moved) };
}

type Field = [name: string, value: unknown];

/** Adds fields without overwriting: if a name is taken, it gets a number. */
function withFields(fields: Fields, added: readonly Field[]): Fields {
  const all = new Map(Object.entries(fields));
  for (const [name, value] of added) {
    let free = name;
    for (let count = 2; all.has(free); count++) free = `${name}_${count}`;
    all.set(free, value);
  }
  return Object.fromEntries(all);
}

type Outcome = { status: string; text: string; error?: ErrorDetail };

/** The text is the message and the tool's own text, without repeating either. */
function asError(parts: Parts, about: CallInfo): Outcome {
  const error = errorDetail(parts, about);
  const [message, text] = [error.message, parts.text];
  const said = message.includes(text) ? message : text.includes(message) ? text : `${message}\n${text}`;
  return { status: 'error', text: errorText(error.code, said), error };
}

/** Returns the tool's error with a code of the protocol; an unknown code is kept in the message. */
function errorDetail(parts: Parts, about: CallInfo): ErrorDetail {
  const { error } = parts;
  const detail = isFields(error) ? error : {};
  const hasNoMessage = error === null || error === true || detail.message === '';
  const message = hasNoMessage ? missingMessage(parts, about) : messageOf(error);
  if (isErrorCode(detail.code)) return { ...detail, code: detail.code, message };
  const noCode = detail.code === undefined || detail.code === null;
  return { ...detail, code: 'INTERNAL_ERROR', message: noCode ? message : `${messageOf(detail.code)}: ${message}` };
}

/** Looks in the other places where tools put their message. */
function missingMessage({ text, data }: Parts, { tool }: CallInfo): string {
  const places = [text, data.message, data.error, data.content, data.llmContent, data.reason, data.statusText];
  return places.map(wordsIn).find(Boolean) ?? `The tool '${tool}' reported an error without a message.`;
}

/** Returns a text, or the texts in a list of message parts as in MCP and model APIs: `[{ type: 'text', text }]`. */
function wordsIn(content: unknown): string {
  if (typeof content === 'string') return content.trim() === '' ? '' : content;
  if (!Array.isArray(content)) return '';
  const texts = content.flatMap((part) => (isFields(part) && typeof part.text === 'string' ? [part.text] : []));
  return wordsIn(texts.join('\n'));
}

function asResult(parts: Parts, statusSaid: unknown, about: CallInfo): Outcome {
  const data = parts.data as Data;
  const cases = discounts(data);
  // An unknown status may mean anything, so the result does not count as a success.
  const isUnknown = !isStatus(statusSaid) && statusSaid !== undefined && statusSaid !== null;
  const spoken = wordsIn(parts.text) || partsOfMessage(data.content) || partsOfMessage(data.llmContent);
  const lines = [spoken || `${about.tool} answered without a summary; its result is in data.`];
  // A tool that calls its own result partial has already said why.
  if (parts.status !== 'partial') lines.push(...cases.map((name) => PARTIAL_CASES[name].sentence(data)));
  if (isUnknown) {
    const [said, known] = [inSentence(messageOf(statusSaid)), STATUSES.join(', ')];
    lines.push(`(The tool's status is ${said}, none of ${known}. Check data before you rely on it.)`);
  }
  const isPartial = parts.status === 'partial' || cases.length > 0 || isUnknown;
  return { status: isPartial ? 'partial' : 'success', text: lines.join('\n') };
}

/** Ignores a single string: it is data (in 004 §2, `content` is what was read), not a summary. */
function partsOfMessage(content: unknown): string {
  return Array.isArray(content) ? wordsIn(content) : '';
}

function soundStats({ time_ms: time, ...others }: Fields, { timeMs }: CallInfo): Fields {
  const inWords = (value: unknown) => (typeof value === 'number' ? value : messageOf(value));
  const sound = Object.entries(others).map(([key, value]) => [key, inWords(value)]);
  return { time_ms: typeof time === 'number' && time >= 0 ? time : timeMs, ...Object.fromEntries(sound) };
}

type Draft = { data: Fields; context: Fields } & Fields;

/** Renames each field that breaks a rule (`entries` → `raw_entries`) until none does, so that nothing is lost. */
function settle(draft: Draft, about: CallInfo): ToolResponse {
  const context = { cwd: about.cwd, params_input: about.params, ...draft.context };
  const response: Draft = { ...draft, context };
  const { violations } = validateResponse(response);
  // The validator has just checked that every key is there and of the right type.
  if (violations.length === 0) return response as unknown as ToolResponse;
  const places = violations.map(({ rule }) => rule.split('.'));
  const inContext = places.filter(([group]) => group === 'context').map(([, field]) => field);
  const others = places.filter(([group]) => group !== 'context');
  const inData = others.map(([group, field]) => (group === 'status' ? field : group));
  return settle({ ...draft, data: setAside(draft.data, inData), context: setAside(context, inContext) }, about);
}

function setAside(fields: Fields, names: readonly (string | undefined)[]): Fields {
  const misfits = Object.entries(fields).filter(([name]) => names.includes(name));
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
  const renamed = misfits.map(([name, value]): Field => [`raw_${name}`, value]);
  return withFields(rest, renamed);
}

const SYSTEM_CODES: ReadonlyMap<unknown, ErrorCode> = new Map([
  ['ENOENT', 'NOT_FOUND'],
  ['EACCES', 'PERMISSION_DENIED'],
  ['EPERM', 'PERMISSION_DENIED'],
  // Node's permission model.
  ['ERR_ACCESS_DENIED', 'PERMISSION_DENIED'],
  ['ETIMEDOUT', 'TIMEOUT'],
]);

/** The code of a DOMException is a number, so its name is used instead. */
const TIMEOUT_NAMES: readonly unknown[] = ['AbortError', 'TimeoutError'];

function isErrorCode(code: unknown): code is ErrorCode {
  return ERROR_CODES.some((known) => known === code);
}

/** Returns INTERNAL_ERROR for anything unknown. Never throws, whatever was thrown. */
export function codeOfThrown(thrown: unknown): ErrorCode {
  try {
    if (typeof thrown !== 'object' || thrown === null) return 'INTERNAL_ERROR';
    const { code, name } = thrown as { code?: unknown; name?: unknown };
    if (isErrorCode(code)) return code;
    return SYSTEM_CODES.get(code) ?? (TIMEOUT_NAMES.includes(name) ? 'TIMEOUT' : 'INTERNAL_ERROR');
  } catch {
    return 'INTERNAL_ERROR';
  }
}
