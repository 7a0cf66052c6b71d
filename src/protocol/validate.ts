// Checks whether a value is a Standard Envelope v1.0, and names every rule that it breaks.
import { checkData } from './data-rules.ts';
import { ERROR_CODES, type ErrorCode, STATUSES, type Status } from './envelope.ts';
import type { Fields } from './plain.ts';
import { Reader, type Violation } from './reader.ts';
import { isRelativePath } from './relative-path.ts';

export interface Validation {
  valid: boolean;
  violations: Violation[];
}

const ENVELOPE_KEYS: readonly string[] = ['status', 'data', 'text', 'error', 'stats', 'context'];

/**
 * Never throws. A rule's id is stable, its message is for people.
 *
 * @example validateResponse({ … status: 'done' … }).violations // [{ rule: 'status.value', path: 'status', message: … }]
 */
export function validateResponse(value: unknown): Validation {
  const reader = new Reader();
  checkEnvelope(value, reader);
  return { valid: reader.violations.length === 0, violations: reader.violations };
}

function checkEnvelope(value: unknown, reader: Reader): void {
  const envelope = reader.fields(value, 'envelope.object', '', 'A response must be an object.');
  if (envelope === null) return;
  for (const key of Object.keys(envelope)) {
    reader.expect(
      ENVELOPE_KEYS.includes(key),
      'envelope.unknown-key',
      key,
      `No such key; a response has ${ENVELOPE_KEYS.join(', ')}.`,
    );
  }
  const { status, text } = envelope;
  reader.expect(isStatus(status), 'status.value', 'status', `Must be one of ${STATUSES.join(', ')}.`);
  reader.expect(typeof text === 'string', 'text.string', 'text', 'Must be a string.');
  checkError(envelope, reader);

  const data = reader.fields(envelope.data, 'data.object', 'data', 'Must be an object, {} when there is nothing.');
  if (data !== null) checkData(data, status, reader);
  const stats = reader.fields(envelope.stats, 'stats.object', 'stats', 'Must be an object.');
  if (stats !== null) checkStats(stats, reader);
  const context = reader.fields(envelope.context, 'context.object', 'context', 'Must be an object.');
  if (context !== null) checkContext(context, reader);
}

export function isStatus(value: unknown): value is Status {
  return STATUSES.some((status) => status === value);
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return ERROR_CODES.some((code) => code === value);
}

function checkError(envelope: Fields, reader: Reader): void {
  // 004's own example carries `error: null` on a partial answer: accepted when reading, never written.
  const there = envelope.error !== undefined && envelope.error !== null;
  if (!there) {
    reader.expect(envelope.status !== 'error', 'error.missing', 'error', 'Status "error" needs { code, message }.');
    return;
  }
  reader.expect(envelope.status === 'error', 'error.unexpected', 'error', 'Only status "error" has an error.');
  const error = reader.fields(envelope.error, 'error.object', 'error', 'Must be an object { code, message }.');
  if (error === null) return;
  reader.expect(isErrorCode(error.code), 'error.code', 'error.code', `Must be one of ${ERROR_CODES.join(', ')}.`);
  reader.expect(typeof error.message === 'string', 'error.message', 'error.message', 'Must be a string.');
}

function checkStats(stats: Fields, reader: Reader): void {
  const { time_ms: time, ...others } = stats;
  const sound = typeof time === 'number' && Number.isFinite(time) && time >= 0;
  reader.expect(sound, 'stats.time_ms', 'stats.time_ms', 'Must be a number of milliseconds, 0 or more.');
  for (const [key, value] of Object.entries(others)) {
    const allowed = typeof value === 'string' || Number.isFinite(value);
    reader.expect(allowed, 'stats.value', `stats.${key}`, 'Must be a number or a string.');
  }
}

function checkContext(context: Fields, reader: Reader): void {
  const { cwd, path_resolved: resolved, truncation_skip: skip } = context;
  reader.expect(isRelativePath(cwd), 'context.cwd', 'context.cwd', 'Must be relative to the root; "." is the root.');
  const given = Object.hasOwn(context, 'params_input');
  reader.expect(given, 'context.params_input', 'context.params_input', 'Must hold what was passed.');
  const inside = resolved === undefined || isRelativePath(resolved);
  reader.expect(inside, 'context.path_resolved', 'context.path_resolved', 'Must be relative to the root.');
  const boolean = skip === undefined || typeof skip === 'boolean';
  reader.expect(boolean, 'context.truncation_skip', 'context.truncation_skip', 'Must be a boolean.');
}
