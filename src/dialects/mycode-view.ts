/** How a call of mycode's `LS` wants its listing to be shown. */
import type { Query } from '../listing/query.ts';

export const SORTS = ['name', 'size', 'modified', 'type'] as const;

/** How the listing is shown. */
export interface View {
  readonly long: boolean;
  readonly recursive: boolean;
  readonly pattern: string | null;
  readonly sort: (typeof SORTS)[number];
  readonly reverse: boolean;
  readonly types: Query['select']['types'];
  /** The depth at which a walk ends whose caller gave none; null where one did, and for one level. */
  readonly defaultDepth: number | null;
}
