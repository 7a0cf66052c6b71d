/**
 * What minimatch really does, counted: how often the blocks of its code run. Time would tell less, and differ each time.
 * It is counted in a worker, because a test run may be counting its own coverage in this thread.
 */
import { Worker } from 'node:worker_threads';

const COUNT = `
const { parentPort, workerData } = require('node:worker_threads');
const { Session } = require('node:inspector');

const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Blocks run in the packages of minimatch since the last call. */
function blocks() {
  let sum = 0;
  session.post('Profiler.takePreciseCoverage', (error, { result }) => {
    if (error) throw error;
    for (const { url, functions } of result) {
      if (!/node_modules.(minimatch|@isaacs|brace-expansion|balanced-match)/.test(url)) continue;
      for (const { ranges } of functions) for (const { count } of ranges) sum += count;
    }
  });
  return sum;
}

import('minimatch').then(({ Minimatch }) => {
  parentPort.postMessage(workerData.map(({ pattern, text }) => {
    const glob = new Minimatch(pattern);
    blocks();
    glob.match(text);
    return blocks();
  }));
});
`;

/** How many blocks minimatch runs to match each pattern with its text, once it is compiled. */
export function minimatchWork(cases: readonly { pattern: string; text: string }[]): Promise<number[]> {
  const worker = new Worker(COUNT, { eval: true, workerData: cases });
  return new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
  }).finally(() => worker.terminate());
}
