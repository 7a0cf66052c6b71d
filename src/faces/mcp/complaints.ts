/** Writes a server's complaints to stderr. */
import { shownAsGiven } from '../../names/quote.ts';
import type { Streams } from '../cli/streams.ts';

/** In characters. A complaint may quote a client. */
const LONGEST_COMPLAINT = 500;

export function complaintsTo(streams: Streams): (message: string) => void {
  return (message) => streams.complain(`agent-ls mcp: ${shownAsGiven(message.slice(0, LONGEST_COMPLAINT))}`);
}
