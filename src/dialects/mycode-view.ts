/** The presentation of a listing that a call of mycode's `LS` asks for. */
import type { Query } from '../listing/query.ts';

export const SORTS = ['name', 'size', 'modified', 'type'] as const;

export interface View {
  readonly long: boolean;
  readonly recursive: boolean;
  readonly pattern: string | null;
  readonly sort: (typeof SORTS)[number];
  readonly reverse: boolean;
  readonly types: Query['select']['types'];
  /** The depth limit of a recursive call that sends no `depth`; null for any other call. */
  readonly defaultDepth: number | null;
}
