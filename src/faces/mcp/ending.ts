/** Ending a server: within ten seconds, whatever is under way. */

/** In milliseconds. */
export const ENDING = {
  /** Time for pending answers. Calls that are not done by then are aborted. */
  grace: 7_000,
  /** Time for connections to close after that. */
  closing: 1_000,
};

/** Resolves to true when the work is done, or to false after so many milliseconds. */
export async function settlesWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
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

/** Ends the process if anything still keeps it alive after a moment, such as an answer that nobody reads. */
export function endProcessSoon(): void {
  setTimeout(() => process.exit(0), 500).unref();
}
