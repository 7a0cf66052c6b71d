// A mistake of the programmer or of the configuration, as opposed to a failed call: thrown, never put into an answer.

/**
 * Says which option or setting makes no sense, what it was, and what would be right.
 *
 * @example new UsageError('maxLines must be a whole number of at least 1, not -3.')
 */
export class UsageError extends TypeError {
  override readonly name = 'UsageError';
  readonly code = 'AGENT_LS_USAGE';
}
