/** Divides the descriptors that the process may open between connections and calls. */
import { descriptorLimit } from '../../workspace/disk/descriptor-limit.ts';

/** Connections to the HTTP server, if there is room for so many. */
export const MOST_CONNECTIONS = 2048;

/** For Node itself, the roots of the command line, and the pipes of git. */
const RESERVED_DESCRIPTORS = 64;

interface Shares {
  readonly connections: number;
  /** Descriptors that all calls under way may hold together. */
  readonly calls: number;
}

/** Grants the wished shares if there is room; otherwise connections and calls get half of it each. */
export function shareDescriptors(wished: Shares, limit: number = descriptorLimit()): Shares {
  const room = Math.max(limit - RESERVED_DESCRIPTORS, 0);
  const connections = Math.min(wished.connections, Math.max(Math.floor(room / 2), 8));
  return { connections, calls: Math.min(wished.calls, Math.max(room - connections, 1)) };
}
