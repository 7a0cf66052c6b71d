/** Misuse of the library throws a UsageError at the call, and its message says what would be right. */
import { ParameterError } from '../../dialects/dialect.ts';
import type { CallOptions } from '../../listing/query.ts';
import { checkOptions, UsageError } from '../../protocol/usage-error.ts';
import type { CallObserver } from '../trace/observed.ts';

/** Options to observe calls. */
export interface ObservedOptions {
  /** Called with each call and its answer. If it throws, the call throws the same error. */
  readonly onCall?: CallObserver | undefined;
}

/** Checks the type of options, given by name; undefined means not set. */
export function checkTypes(type: 'boolean' | 'function' | 'string', options: Readonly<Record<string, unknown>>): void {
  // Perf: this runs on every call, and `Object.entries` would allocate arrays.
  for (const name in options) {
    const value = options[name];
    if (value !== undefined && typeof value !== type) throw new UsageError(`${name} must be a ${type}.`);
  }
}

/** `others` are the options that the caller checks itself. */
export function checkCallOptions(what: string, options: CallOptions, others: readonly string[] = []): void {
  checkOptions(what, options, ['signal', 'timeLimit', 'cache', 'onProgress', ...others]);
  const { signal, timeLimit, cache, onProgress } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new UsageError('signal must be an AbortSignal.');
  if (timeLimit !== undefined && !(typeof timeLimit === 'number' && timeLimit >= 0)) {
    throw new UsageError('timeLimit must be a number of milliseconds, 0 or more.');
  }
  checkTypes('boolean', { cache });
  checkTypes('function', { onProgress });
}

export function checkCountTokens(countTokens: unknown): void {
  if (countTokens === undefined || typeof countTokens === 'function') return;
  throw new UsageError('countTokens must be a function that takes a text and returns a number.');
}

/** For parameters that are checked outside a call: an error that a dialect would answer is a UsageError here. */
export function withUsageErrors<T>(ask: () => T): T {
  try {
    return ask();
  } catch (error) {
    throw error instanceof ParameterError ? new UsageError(error.message) : error;
  }
}
