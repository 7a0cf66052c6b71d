/** The interface of the modules that open a root which is not a directory of this machine. */
import { ListingError } from '../workspace/listing-error.ts';
import type { Source } from '../workspace/source.ts';

export interface OpenOptions {
  /** Milliseconds for which later calls may reuse what was loaded; undefined for the default of the kind. */
  readonly maxAge: number | undefined;
  /** True if git may be started. */
  readonly git: boolean;
  /** Aborted when the root is no longer needed. */
  readonly signal: AbortSignal;
}

/** Opens the root that an address names; null if it is not an address after all. Rejects if there is no such root. */
export type Open = (address: string, options: OpenOptions) => Promise<Source | null>;

/** Loads a package that is not installed with agent-ls; the error says how to install it. */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const { code } = error as { readonly code?: string };
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error;
    throw new ListingError('failed', `this needs a package that is not installed: npm install ${name}`);
  }
}
