/** The orders of a listing for people, as the engine knows them. `--sort` and its help are derived from them. */
import type { Query } from '../../listing/query.ts';

export type ListOrder = 'name' | 'size' | 'modified' | 'type';

export const LIST_ORDERS: Readonly<Record<ListOrder, Query['order']>> = {
  name: 'folded',
  size: 'size',
  modified: 'modified',
  type: 'type',
};
