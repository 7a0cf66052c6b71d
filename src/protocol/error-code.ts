// Finds the code of a thrown error: its own if the protocol knows it, or the one that the system's code maps to.
import { ERROR_CODES, type ErrorCode } from './envelope.ts';

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

export function isErrorCode(code: unknown): code is ErrorCode {
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
