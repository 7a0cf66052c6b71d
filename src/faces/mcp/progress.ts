/** Progress of a call, for the clients that ask for it. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { counted } from '../../text/count.ts';
import { now } from '../../workspace/clock.ts';

/** Milliseconds from one notification to the next: a person reads no faster. */
const PROGRESS_INTERVAL = 100;

/** Takes the number of entries that were read; undefined when nobody asked for progress. */
export function progressOf({ mcpReq }: ServerContext): ((entries: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let sent = { entries: 0, at: Number.NEGATIVE_INFINITY };
  return (entries) => {
    // "The progress value MUST increase with each notification."
    if (entries <= sent.entries || now() - sent.at < PROGRESS_INTERVAL || mcpReq.signal.aborted) return;
    sent = { entries, at: now() };
    const params = { progressToken, progress: entries, message: `${counted(entries, 'entry')} read` };
    // Whoever does not hear it still gets the answer.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
