/** The positions of a slider for budgets, on a logarithmic scale: as many for 100 to 200 as for 10,000 to 20,000. */

const LEAST = 100;
const MOST = 20_000;

/** The last position; the first is 0. */
export const STEPS = 200;

export function budgetAt(step: number): number {
  const exact = LEAST * (MOST / LEAST) ** (step / STEPS);
  const grain = exact < 1000 ? 10 : exact < 5000 ? 50 : 100;
  return Math.max(LEAST, Math.min(MOST, Math.round(exact / grain) * grain));
}

export function stepOf(budget: number): number {
  return Math.round((STEPS * Math.log(budget / LEAST)) / Math.log(MOST / LEAST));
}
