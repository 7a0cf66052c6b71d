/** The files of the suite that run on Windows: all of these rooms, but for those that need more than Node. */
import { readdirSync } from 'node:fs';

const ROOMS = ['workspace', 'rules', 'listing', 'overview', 'protocol', 'text', 'terminal', 'contract'];

/** The list only shrinks. */
export const NOT_ON_WINDOWS = {};

export function filesForWindows() {
  return ROOMS.flatMap((room) => readdirSync(`test/${room}`).map((name) => `${room}/${name}`))
    .filter((path) => path.endsWith('.test.ts') && !(path in NOT_ON_WINDOWS))
    .map((path) => `test/${path}`);
}
