import type { Stop } from '../workspace/budget.ts';

/** Formats a number with its noun: `1 file`, `5 files`, `0 directories`. */
export function counted(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return /[^aeiou]y$/.test(noun) ? `${count} ${noun.slice(0, -1)}ies` : `${count} ${noun}s`;
}

/** Why a search or a map is incomplete. */
export const STOPPED: Readonly<Record<Stop, string>> = {
  timeout: 'out of time',
  aborted: 'cancelled',
  interrupted: 'reading failed',
};
