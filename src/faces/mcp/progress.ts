/** Progress of a call, for the clients that ask for it. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { counted } from '../../text/count.ts';
import { now } from '../../workspace/clock.ts';

/** Milliseconds from one notification to the next: a person reads no faster. */
const INTERVAL = 100;

/** What to call with the number of entries that were read; undefined when nobody asked. */
export function progressOf({ mcpReq }: ServerContext): ((entries: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let told = { entries: 0, at: Number.NEGATIVE_INFINITY };
  return (entries) => {
    // "The progress value MUST increase with each notification."
    if (entries <= told.entries || now() - told.at < INTERVAL || mcpReq.signal.aborted) return;
    told = { entries, at: now() };
    const params = { progressToken, progress: entries, message: `${counted(entries, 'entry')} read` };
    // Whoever does not hear it still gets the answer.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
