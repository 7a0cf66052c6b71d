/**
 * Ends this process when it stops working for too long. A loop that never ends lets no timer fire, the test runner's own
 * included; so a second thread watches.
 */
import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

const WATCH = `
const { workerData: beats } = require('node:worker_threads');
for (let last = -1; ; ) {
  if (Atomics.load(beats, 1) === 1) break;
  const now = Atomics.load(beats, 0);
  if (now === last) {
    require('node:fs').writeSync(2, 'Nothing happened for five minutes after case ' + now + ': this process hangs.\\n');
    process.kill(process.pid, 'SIGKILL');
  }
  last = now;
  Atomics.wait(beats, 1, 0, 300_000);
}`;

/** What it returns has to be called at each case. */
export function watchdog(): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(WATCH, { eval: true, workerData: beats });
  onTestFinished(async () => {
    Atomics.store(beats, 1, 1);
    Atomics.notify(beats, 1);
    await worker.terminate();
  });
  return () => Atomics.add(beats, 0, 1);
}
