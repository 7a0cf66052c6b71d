/** How a map looks to a person. */
import { lookOf, type Wish } from '../../terminal/look.ts';
import { mapFor } from '../../terminal/map.ts';
import { Palette } from '../../terminal/palette.ts';
import type { Streams } from './streams.ts';

export { progressTo } from './progress.ts';

export function mapForEyes(text: string, color: Wish['color'], streams: Streams): string {
  const look = lookOf({ color, hyperlink: false }, streams);
  return mapFor(look, text, Palette.from(streams.environment.LS_COLORS));
}
