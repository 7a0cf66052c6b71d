import { expect } from 'vitest';
import { ListingError } from '../../src/workspace/listing-error.ts';

/** The error that it has to end with. */
export function failureOf(run: () => unknown): ListingError {
  try {
    run();
  } catch (error) {
    if (error instanceof ListingError) return error;
    throw error;
  }
  return expect.unreachable();
}
