/** Divides the descriptors that the process may open between connections and calls. */
import { readThroughLinks } from '../../workspace/disk/plain-file.ts';

/** Connections to the HTTP server, if there is room for so many. */
export const MOST_CONNECTIONS = 2048;

/** For Node itself, the roots of the command line, and the pipes of git. */
const RESERVED_DESCRIPTORS = 64;

/** Descriptors that the process may have open, if the system does not say. */
const ASSUMED_LIMIT = 1024;

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

/** How many descriptors the process may have open. Node raises that as far as allowed when it starts. */
function descriptorLimit(): number {
  const limits = readThroughLinks('/proc/self/limits') ?? '';
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? ASSUMED_LIMIT);
}
