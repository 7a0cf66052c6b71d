/** A server's messages beside the protocol, for stderr. */
import { shownAsGiven } from '../../workspace/quote.ts';
import type { Streams } from '../cli/streams.ts';

/** Characters. A client's own words may be part of a message. */
const LONGEST = 500;

export function complaintsTo(streams: Streams): (message: string) => void {
  return (message) => streams.complain(`agent-ls mcp: ${shownAsGiven(message.slice(0, LONGEST))}`);
}
