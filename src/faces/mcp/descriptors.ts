/** Divides the file descriptors of the process between connections and calls. */
import { readThroughLinks } from '../../disk/plain-file.ts';

/** The number of connections to the HTTP server, if there are enough descriptors. */
export const MAX_CONNECTIONS = 2048;

/** Reserved for Node itself, the roots of the command line, and the pipes of git. */
const RESERVED_DESCRIPTORS = 64;

/** The assumed descriptor limit of the process if the system does not report it. */
const ASSUMED_LIMIT = 1024;

interface Shares {
  readonly connections: number;
  /** The number of descriptors that all running calls may hold together. */
  readonly calls: number;
}

/** Grants the requested shares if there are enough descriptors; otherwise connections and calls get half each. */
export function shareDescriptors(wished: Shares, limit: number = descriptorLimit()): Shares {
  const room = Math.max(limit - RESERVED_DESCRIPTORS, 0);
  const connections = Math.min(wished.connections, Math.max(Math.floor(room / 2), 8));
  return { connections, calls: Math.min(wished.calls, Math.max(room - connections, 1)) };
}

/** Returns how many descriptors the process may open. Node raises that limit as far as allowed when it starts. */
function descriptorLimit(): number {
  const limits = readThroughLinks('/proc/self/limits') ?? '';
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? ASSUMED_LIMIT);
}
