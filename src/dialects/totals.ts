import type { Listing } from '../listing/query.ts';

/** How many entries there are, whatever their type. */
export function totalOf({ file, dir, link, other }: Listing['totals']): number {
  return file + dir + link + other;
}
