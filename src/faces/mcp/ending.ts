/** A server ends within ten seconds, whatever is under way. */

/** In milliseconds. */
export const ENDING = {
  /** Time for the answers that are due. Calls that are not done by then are aborted. */
  grace: 7_000,
  /** Time for connections to close after that. */
  closing: 1_000,
};

/** Resolves when the work is done, or after so many milliseconds. Says whether it is done. */
export async function within(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends the process if anything keeps it alive a moment longer, like an answer that nobody reads. */
export function endProcessSoon(status: number): void {
  setTimeout(() => process.exit(status), 500).unref();
}
