/**
 * Limits the number of a client's roots. Each one is a directory that is held open. The SDK also checks every root in a
 * message, which takes a tenth of a second for 20,000, so the list is cut before the SDK sees it.
 */

/** No editor has so many folders open. */
export const MOST_ROOTS = 64;

export function tooManyRoots(count: number): string {
  return `the client names ${count} roots; only the first ${MOST_ROOTS} are used`;
}

/** Shortens the lists of roots in a parsed message of any kind, and reports how long they were. */
export function cutRoots(message: unknown, complain: (message: string) => void): void {
  const { result, params } = fieldsOf(message);
  // A client of 2025 answers with them, one of 2026 sends them with a call.
  for (const holder of [result, ...Object.values(fieldsOf(fieldsOf(params).inputResponses))]) {
    const { roots } = fieldsOf(holder);
    if (!Array.isArray(roots) || roots.length <= MOST_ROOTS) continue;
    complain(tooManyRoots(roots.length));
    roots.length = MOST_ROOTS;
  }
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
