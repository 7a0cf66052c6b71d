/** What opens a root that is not a directory of this machine. */
import { ListingError } from '../workspace/listing-error.ts';
import type { Source } from '../workspace/source.ts';

export interface OpenOptions {
  /** Milliseconds for which what was loaded may be used again; undefined for what suits the kind. */
  readonly maxAge: number | undefined;
  /** Whether git may be started. */
  readonly git: boolean;
  /** Aborted when nobody waits for it any more. */
  readonly signal: AbortSignal;
}

/** Opens the root that an address names; null where it turns out to be no address. Rejects where there is no such root. */
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
