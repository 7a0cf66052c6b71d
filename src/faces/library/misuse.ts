/** Misuse of the library throws a UsageError at the call, and its message says what would be right. */
import { type DialectTool, ParameterError } from '../../dialects/dialect.ts';
import { DIALECT_NAMES, type DialectName, isDialectName, loadDialect, loadListingTool } from '../../dialects/table.ts';
import type { CallOptions } from '../../listing/query.ts';
import { didYouMeanOrKnown } from '../../protocol/nearest.ts';
import { tooLongForATool } from '../../protocol/size.ts';
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
  if (timeLimit !== undefined && !(typeof timeLimit === 'number' && timeLimit >= 0))
    throw new UsageError('timeLimit must be a number of milliseconds, 0 or more.');
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

/** Returns the name if it is a dialect's; otherwise throws a UsageError that lists the known ones. */
export function checkedDialect(name: unknown): DialectName {
  if (isDialectName(name)) return name;
  throw new UsageError(`Unknown dialect ${JSON.stringify(name)}.${didYouMeanOrKnown(String(name), DIALECT_NAMES)}`);
}

/** Loads a tool of the dialect, by default its listing tool, or throws a UsageError that lists the known ones. */
export async function loadTool(dialect: DialectName, name: unknown): Promise<DialectTool<unknown>> {
  if (name === undefined || name === null) return loadListingTool(dialect);
  const { tools } = await loadDialect(dialect);
  const found = tools.find(({ tool }) => tool.name === name);
  if (found !== undefined) return found;
  const reason = tooLongForATool(name);
  if (reason !== null) throw new UsageError(reason);
  const known = tools.map(({ tool }) => tool.name);
  throw new UsageError(`Unknown tool ${JSON.stringify(name)}. Known: ${known.join(', ')}.`);
}
