// A mistake in the program or the configuration, as opposed to a failed call: thrown, never part of an answer.
import { didYouMean, didYouMeanOrKnown } from './nearest.ts';

/**
 * Thrown for an invalid option or setting. The message names it, and says what it was and what would be valid.
 *
 * @example new UsageError('maxLines must be a whole number of at least 1, not -3.')
 */
export class UsageError extends TypeError {
  override readonly name = 'UsageError';
  readonly code = 'AGENT_LS_USAGE';
}

/** Returns the known word that was given. Throws a UsageError for any other: `Unknown shell 'bsh'. Did you mean 'bash'?` */
export function knownWord<Word extends string>(what: string, given: string, known: readonly Word[]): Word {
  const word = known.find((one) => one === given);
  if (word === undefined) throw new UsageError(`Unknown ${what} '${given}'.${didYouMeanOrKnown(given, known)}`);
  return word;
}

/** Refuses unknown options, because a misspelt one would be ignored silently. */
export function checkOptions(what: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== 'object' || options === null) throw new UsageError(`${what} takes an object of options.`);
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`${what} has no option '${unknown}'.${didYouMean(unknown, known)}`);
}
