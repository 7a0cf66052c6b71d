/** An error for a PATH that does not exist, with suggestions. Each hint is printed on a separate line. */
import { ListingError } from '../../workspace/listing-error.ts';

export class MissingPath extends ListingError {
  readonly hints: readonly string[];

  constructor(message: string, hints: readonly string[]) {
    super('missing', message);
    this.hints = hints;
  }
}
