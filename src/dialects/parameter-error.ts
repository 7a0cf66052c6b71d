/** A parameter that cannot be accepted; the message is the dialect's own. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
  /** Advice on what to do, if the dialect's general advice would not help. */
  readonly next: string | null;

  constructor(message: string, next: string | null = null) {
    super(message);
    this.next = next;
  }
}
