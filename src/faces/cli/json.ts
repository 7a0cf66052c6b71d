/** JSON as the command prints it: no name in it can control a terminal or hide there, and it says the same. */
import { escaped } from '../../workspace/quote.ts';

export function jsonText(value: unknown, indent = 0): string {
  // The only line breaks are those between the lines; one in a name is an escape already.
  return JSON.stringify(value, null, indent).split('\n').map(escaped).join('\n');
}
