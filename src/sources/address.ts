/**
 * One table says how a root that is not a directory of this machine is named, and which module opens it. A module, and
 * the package it needs, is loaded when the first root of its kind is opened.
 *
 *     git:REPO@REV[:PATH]     s3://BUCKET/PREFIX     ssh://[USER@]HOST[:PORT]/PATH     an archive, by its path
 *
 * Anything else is the path of a directory. A directory that looks like an address is written with a leading `./`.
 */
import { shownAsGiven } from '../names/quote.ts';
import { unlessAborted } from '../workspace/clock.ts';
import { ListingError } from '../workspace/listing-error.ts';
import type { Source } from '../workspace/source.ts';
import type { OpenOptions } from './asking.ts';

/** `isCertain`: no directory has such a name. `connects`: to another machine, with the user's credentials. */
const KINDS = [
  { pattern: /^git:/, isCertain: true, connects: false, load: () => import('./git/open-git.ts') },
  { pattern: /^s3:\/\//, isCertain: true, connects: true, load: () => import('./s3/open-s3.ts') },
  { pattern: /^ssh:\/\//, isCertain: true, connects: true, load: () => import('./ssh/open-ssh.ts') },
  {
    ...{ pattern: /\.(?:zip|tar|tgz|tar\.gz|tar\.zst)$/i, isCertain: false, connects: false },
    load: () => import('./archive/open-archive.ts'),
  },
];

/** True if a root is certainly not a directory of this machine. */
export function isAddress(root: string): boolean {
  return kindOf(root)?.isCertain === true;
}

/** True if a root may not be a directory of this machine, so that `openElsewhere` must be tried first. */
export function mayBeElsewhere(root: string): boolean {
  return kindOf(root) !== undefined;
}

/** True if opening a root connects to another machine. So do Windows' network paths: `\\server\share`. */
export function isOnNetwork(root: string): boolean {
  return kindOf(root)?.connects === true || (process.platform === 'win32' && /^(?:git:)?[\\/]{2}/.test(root));
}

function kindOf(root: string): (typeof KINDS)[number] | undefined {
  return KINDS.find(({ pattern }) => pattern.test(root));
}

/** Milliseconds within which a root elsewhere must answer. */
const TIME_TO_OPEN = 30_000;

/** Opens the root that an address or the path of an archive names; null if it is the path of a directory. */
export async function openElsewhere(root: string, options: Omit<OpenOptions, 'signal'>): Promise<Source | null> {
  const kind = kindOf(root);
  if (kind === undefined) return null;
  const { open } = await kind.load();
  const signal = AbortSignal.timeout(TIME_TO_OPEN);
  return unlessAborted(open(root, { ...options, signal }), signal).catch((error) => {
    throw error === signal.reason ? new ListingError('timeout', `'${shownAsGiven(root)}' does not answer`) : error;
  });
}
