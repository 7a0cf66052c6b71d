/** How many descriptors the process may have open. Node raises that as far as allowed when it starts. */
import { readThroughLinks } from './plain-file.ts';

/** Used if the system does not say. */
const ASSUMED_LIMIT = 1024;

export function descriptorLimit(): number {
  const limits = readThroughLinks('/proc/self/limits') ?? '';
  return Number(/^Max open files +(\d+)/m.exec(limits)?.[1] ?? ASSUMED_LIMIT);
}
