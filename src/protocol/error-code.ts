// The code of an error that was thrown: its own if the protocol knows it, or the one that the system's code stands for.
import { ERROR_CODES, type ErrorCode } from './envelope.ts';

const SYSTEM_CODES: ReadonlyMap<unknown, ErrorCode> = new Map([
  ['ENOENT', 'NOT_FOUND'],
  ['EACCES', 'PERMISSION_DENIED'],
  ['EPERM', 'PERMISSION_DENIED'],
  ['ETIMEDOUT', 'TIMEOUT'],
]);

/** A DOMException has a number as its code, so the name says what happened. */
const TIMEOUT_NAMES: readonly unknown[] = ['AbortError', 'TimeoutError'];

export function isErrorCode(code: unknown): code is ErrorCode {
  return ERROR_CODES.some((known) => known === code);
}

/** Everything else is an INTERNAL_ERROR. Never throws, whatever was thrown. */
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
