/**
 * How often random tests repeat what they try. `TEST_FACTOR=30` makes that thirty times as often, `npm test` takes a tenth
 * (vitest.config.ts). A file that imports this is run again, with all its rounds, by `npm run test:deep`.
 */
export const FACTOR = Number(process.env.TEST_FACTOR ?? 1);

/** Returns the number of rounds for a test that usually has so many. */
export function rounds(usual: number): number {
  return Math.max(1, Math.round(usual * FACTOR));
}

/** Returns one row of so many, from this one on; all of them with a large factor. */
export function oneInEvery<T>(step: number, rows: readonly T[], offset = 0): T[] {
  const every = Math.max(1, Math.ceil(step / FACTOR));
  return rows.filter((_, i) => i % every === offset % every);
}
