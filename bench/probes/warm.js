// Times something in this process once it has run often enough to be fast.

/** Milliseconds of each of the runs, and what the last one returned. */
export async function warmTimes(run, { warmUps, runs }) {
  const times = [];
  let result;
  for (let i = -warmUps; i < runs; i++) {
    // Out of reach before the next one begins: two at a time would be more for the garbage collector.
    result = null;
    const started = performance.now();
    result = await run();
    if (i >= 0) times.push(performance.now() - started);
  }
  return { times, result };
}
