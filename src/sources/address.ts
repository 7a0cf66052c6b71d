/**
 * How a root that is not a directory of this machine is named, and what opens it: one table. Each kind is loaded when a
 * root of it is opened, and its package with it.
 *
 *     git:REPO@REV[:PATH]     s3://BUCKET/PREFIX     ssh://[USER@]HOST[:PORT]/PATH     an archive, by its path
 *
 * Everything else is the path of a directory. One that looks like an address is written with `./` before it.
 */
import type { Open } from './open.ts';

interface AddressKind {
  readonly pattern: RegExp;
  readonly load: () => Promise<{ readonly open: Open }>;
}

const KINDS: readonly AddressKind[] = [
  { pattern: /^s3:\/\//, load: () => import('./s3/open-s3.ts') },
  { pattern: /^ssh:\/\//, load: () => import('./ssh/open-ssh.ts') },
];

/** What opens a root, if that is an address; null for the path of a directory. */
export function openerOf(root: string): AddressKind['load'] | null {
  return KINDS.find(({ pattern }) => pattern.test(root))?.load ?? null;
}
