/** A directory that a walk is in, and how to get back to it. */

import type { Bytes } from '../names/bytes.ts';
import type { Scope } from '../rules/rule.ts';
import { concernsOneEntry, fromSystem } from '../workspace/listing-error.ts';
import { type Identity, same } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Level } from './walk-plan.ts';

export interface OpenLevel extends Level {
  directory: Visit | null;
  /** The rules that apply in it. */
  readonly scope: Scope;
  /** The position of its first entry, and the position after its last. */
  readonly from: number;
  readonly to: number;
  /** The number of bytes of the buffer that were used before it was read. */
  readonly used: number;
  /** The position of the next entry to emit. */
  next: number;
  /** Identifies it when it is reopened; null while it is held open. */
  identity: Identity | null;
}

/** A directory that was read, but whose rules are not known yet. */
export type Opened = Pick<OpenLevel, 'path' | 'from' | 'used'> & { readonly directory: Visit };

/** The parent that a directory was entered from, its name there and its mark; null for the start of the walk. */
export type Entrance = { readonly above: OpenLevel; readonly name: Bytes; readonly isIgnored: boolean } | null;

/** Reopens a directory from the start down, as is needed if the walk was in a subdirectory that was moved away. */
export function reopenFromStart(start: Visit, names: readonly Bytes[], identity: Identity | null): Visit | null {
  const close = (directory: Visit) => directory !== start && directory.leave();
  let here = start;
  for (const name of names) {
    const above = here;
    try {
      const inner = above.descend(name);
      if (inner === null) return null;
      here = inner;
    } finally {
      close(above);
    }
  }
  if (identity !== null && same(here.identity, identity)) return here;
  close(here);
  return null;
}

/** True if the walk notes the failure and goes on without what failed. */
export function isSkippable(error: unknown): boolean {
  const { kind, code } = fromSystem(error, null);
  return kind === 'denied' || concernsOneEntry(code);
}

/** Returns null if a directory cannot be opened and the walk goes on without it. */
export function orNull(open: () => Visit | null | undefined): Visit | null {
  try {
    return open() ?? null;
  } catch (error) {
    if (isSkippable(error)) return null;
    throw error;
  }
}
