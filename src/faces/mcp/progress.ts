/** Reports the progress of a call to clients that ask for it. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { counted } from '../../text/count.ts';
import { now } from '../../workspace/clock.ts';

/** Milliseconds between notifications: a person reads no faster. */
const NOTIFICATION_INTERVAL = 100;

/** Returns a function to call with the number of entries read; undefined when the client did not ask. */
export function progressOf({ mcpReq }: ServerContext): ((entries: number) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = { entries: 0, at: Number.NEGATIVE_INFINITY };
  return (entries) => {
    // "The progress value MUST increase with each notification."
    if (entries <= last.entries || now() - last.at < NOTIFICATION_INTERVAL || mcpReq.signal.aborted) return;
    last = { entries, at: now() };
    const params = { progressToken, progress: entries, message: `${counted(entries, 'entry')} read` };
    // A client that misses it still gets the answer.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}
