/** A PATH that is not there, and what may have been meant: each hint stands on a line of its own. */
import { ListingError } from '../../workspace/listing-error.ts';

export class MissingPath extends ListingError {
  readonly hints: readonly string[];

  constructor(message: string, hints: readonly string[]) {
    super('missing', message);
    this.hints = hints;
  }
}
