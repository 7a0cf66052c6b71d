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
  /** False where a directory of this machine may be called so, too. */
  readonly isCertain: boolean;
  readonly load: () => Promise<{ readonly open: Open }>;
}

const KINDS: readonly AddressKind[] = [
  { pattern: /^git:/, isCertain: true, load: () => import('./git/open-git.ts') },
  { pattern: /^s3:\/\//, isCertain: true, load: () => import('./s3/open-s3.ts') },
  { pattern: /^ssh:\/\//, isCertain: true, load: () => import('./ssh/open-ssh.ts') },
  {
    pattern: /\.(?:zip|tar|tgz|tar\.gz|tar\.zst)$/i,
    isCertain: false,
    load: () => import('./archive/open-archive.ts'),
  },
];

/** Whether a root is surely not a directory of this machine. */
export function isAddress(root: string): boolean {
  return kindOf(root)?.isCertain === true;
}

/** Whether it may turn out not to be one: it has to be opened by `openElsewhere` first. */
export function mayBeElsewhere(root: string): boolean {
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
  return Promise.race([open(root, { ...options, signal }), late]);
}
