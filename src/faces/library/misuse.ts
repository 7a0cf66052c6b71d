/** Library misuse is told at the call, by a UsageError that says what would be right. */
import type { CallOptions } from '../../listing/query.ts';
import { didYouMean } from '../../protocol/nearest.ts';
import { UsageError } from '../../protocol/usage-error.ts';
import { Workspace } from '../../workspace/workspace.ts';

export function checkCall(what: string, workspace: unknown, options: CallOptions): void {
  if (!(workspace instanceof Workspace)) throw new UsageError(`${what} needs a workspace: await openWorkspace(root).`);
  refuseUnknownOptions(what, options, ['signal', 'timeLimit']);
  const { signal, timeLimit } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) throw new UsageError('signal must be an AbortSignal.');
  if (timeLimit !== undefined && !(typeof timeLimit === 'number' && timeLimit >= 0)) {
    throw new UsageError('timeLimit must be a number of milliseconds, 0 or more.');
  }
}

export function refuseUnknownOptions(what: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new UsageError(`${what} takes an object of options.`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UsageError(`${what} has no option '${unknown}'.${didYouMean(unknown, known)}`);
}
