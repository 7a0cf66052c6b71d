/** Shares out the descriptors that the process may open between connections and calls. */
import { readThroughLinks } from '../../workspace/plain-file.ts';

/** Where the system does not say. Node raises the limit as far as it may when it starts. */
const ASSUMED = 1024;

/** Connections to the HTTP server, where there is room for so many. */
export const MOST_CONNECTIONS = 2048;

/** Kept for Node itself, the roots of the command line, and the pipes of git. */
const RESERVED = 64;

interface Shares {
  readonly connections: number;
  /** Descriptors that all calls under way may hold together. */
  readonly calls: number;
}

/** Grants the wishes where there is room; otherwise connections and calls get half of it each. */
export function shareDescriptors(wished: Shares, limit: number = descriptorLimit()): Shares {
  const room = Math.max(limit - RESERVED, 0);
  const connections = Math.min(wished.connections, Math.max(Math.floor(room / 2), 8));
  return { connections, calls: Math.min(wished.calls, Math.max(room - connections, 1)) };
}

function descriptorLimit(): number {
  const limits = readThroughLinks('/proc/self/limits') ?? '';
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? ASSUMED);
}
