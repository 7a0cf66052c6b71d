/**
 * How a root that is not a directory of this machine is named, and what opens it: one table. Each kind is loaded when a
 * root of it is opened, and its package with it.
 *
 *     git:REPO@REV[:PATH]     s3://BUCKET/PREFIX     ssh://[USER@]HOST[:PORT]/PATH     an archive, by its path
 *
 * Everything else is the path of a directory. One that looks like an address is written with `./` before it.
 */
import { ListingError } from '../workspace/listing-error.ts';
import { shownAsGiven } from '../workspace/quote.ts';
import type { Source } from '../workspace/source.ts';
import type { Open, OpenOptions } from './open.ts';

interface AddressKind {
  readonly pattern: RegExp;
  readonly load: () => Promise<{ readonly open: Open }>;
}

const KINDS: readonly AddressKind[] = [
  { pattern: /^git:/, load: () => import('./git/open-git.ts') },
  { pattern: /^s3:\/\//, load: () => import('./s3/open-s3.ts') },
  { pattern: /^ssh:\/\//, load: () => import('./ssh/open-ssh.ts') },
];

/** Whether a root is named by an address, whatever is there. */
export function isAddress(root: string): boolean {
  return kindOf(root) !== undefined;
}

function kindOf(root: string): AddressKind | undefined {
  return KINDS.find(({ pattern }) => pattern.test(root));
}

/** Milliseconds in which a root elsewhere has to answer. */
const TIME_TO_OPEN = 30_000;

/** Opens the root that an address or the path of an archive names; null for the path of a directory. */
export async function openElsewhere(root: string, options: Omit<OpenOptions, 'signal'>): Promise<Source | null> {
  const kind = kindOf(root);
  if (kind === undefined) return null;
  const { open } = await kind.load();
  const signal = AbortSignal.timeout(TIME_TO_OPEN);
  const late = new Promise<never>((_, reject) => {
    const fail = () => reject(new ListingError('timeout', `'${shownAsGiven(root)}' does not answer`));
    signal.addEventListener('abort', fail);
  });
  late.catch(() => {});
  return Promise.race([open(root, { ...options, signal }), late]);
}
