// Watches the event loop with two instruments while something is done: how long it stood still at most, in ms.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** `monitor` and `chain` are what each instrument saw, `took` is what the work took, and `value` is its result. */
export async function watched(work) {
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  let watching = true;
  let chain = 0;
  let last = performance.now();

  /** Notes the longest time between two turns of the event loop. */
  const turn = () => {
    const now = performance.now();
    chain = Math.max(chain, now - last);
    last = now;
    if (watching) setImmediate(turn);
  };

  monitor.enable();
  turn();
  // Both instruments are running before the work begins, and see the end of its last stretch.
  await sleep(50);
  monitor.reset();
  chain = 0;
  const started = performance.now();
  const value = await work();
  const took = performance.now() - started;
  await sleep(20);
  watching = false;
  monitor.disable();
  return { monitor: monitor.max / 1e6, chain, took, value };
}
