/** JSON as the command prints it: escaped so that no name in it can control a terminal, or hide there. */
import { escaped } from '../../workspace/quote.ts';

export function jsonText(value: unknown, indent = 0): string {
  // A line break inside a name is an escape already.
  return JSON.stringify(value, null, indent).split('\n').map(escaped).join('\n');
}
