/** A directory that a walk is in, and the ways to it. */
import type { Scope } from '../rules/rule.ts';
import type { Bytes } from '../workspace/bytes.ts';
import { type Identity, same } from '../workspace/source.ts';
import type { Visit } from '../workspace/visit.ts';
import type { Level } from './walk-plan.ts';

export interface OpenLevel extends Level {
  directory: Visit | null;
  /** Found when it is asked for first, where that was not needed to know what the rules let pass. */
  readonly scope: () => Scope | Promise<Scope>;
  /** Tells the rules that hold in it from others; '' where nobody wants to know. */
  readonly rules: string;
  /** The positions of its first entry, and behind its last. */
  readonly from: number;
  readonly to: number;
  /** Bytes that were used before it was read. */
  readonly used: number;
  /** The position of the entry that is emitted next. */
  next: number;
  /** By which it is recognised when it is opened again; null while it is held. */
  identity: Identity | null;
  /** Whether it was not opened, because what it contains is known. It is opened if something has to be asked. */
  readonly isKnown: boolean;
}

/** One that was read, and whose rules are not known yet. */
export type Opened = Pick<OpenLevel, 'directory' | 'path' | 'from' | 'used' | 'identity' | 'isKnown'>;

/** The directory that another was entered from, and its name there; null for the one that the walk begins with. */
export type Entrance = { readonly above: OpenLevel; readonly name: Bytes } | null;

/** From the start down, for a directory from which something was moved away while the walk was in it. */
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
