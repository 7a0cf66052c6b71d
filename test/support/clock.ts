import { vi } from 'vitest';

/** A clock that a test moves: milliseconds, from now on, because no clock that the code reads goes back. */
export function movedClock(milliseconds: () => number) {
  const [start] = process.hrtime();
  return vi.spyOn(process, 'hrtime').mockImplementation(() => {
    const time = milliseconds();
    return [start + 1 + Math.floor(time / 1000), Math.round((time % 1000) * 1e6)];
  });
}
