/** Shows a map to a person. */
import { type DisplayOptions, displayFor } from '../../terminal/display.ts';
import { mapFor } from '../../terminal/map.ts';
import { Palette } from '../../terminal/palette.ts';
import type { Streams } from './streams.ts';

export { progressTo } from './progress.ts';

export function mapForEyes(text: string, color: DisplayOptions['color'], streams: Streams): string {
  const display = displayFor({ color, hyperlink: false }, streams);
  return mapFor(display, text, new Palette(streams.environment.LS_COLORS));
}
