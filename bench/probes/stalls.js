// Lists a directory while two instruments watch the event loop, and prints the longest stall that each saw, in ms.
import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

const [library, directory, what] = process.argv.slice(2);
const { openWorkspace, call, list } = await import(library);
const workspace = await openWorkspace(directory);
const total = Number(directory.split('-').at(-1));

const scenarios = {
  'first-page': async () => (await call('standard', {}, workspace)).stats.total_entries,
  'middle-page': async () => (await call('standard', { offset: total / 2 }, workspace)).stats.total_entries,
  everything: async () => (await list({}, workspace)).entries.length,
  walk: async () => (await list({ depth: Infinity, types: 'files' }, workspace)).entries.length,
  'walk-by-size': async () => (await list({ depth: Infinity, order: 'size', limit: 10 }, workspace)).totals.file,
  naive: async () => {
    const entries = await readdir(directory, { withFileTypes: true });
    return entries.sort((a, b) => b.isDirectory() - a.isDirectory() || (a.name < b.name ? -1 : 1)).length;
  },
  idle: async () => {
    await sleep(1000);
    return total;
  },
};

const monitor = monitorEventLoopDelay({ resolution: 1 });
let watching = true;
let chain = 0;
let last = performance.now();

monitor.enable();
turn();
// Both instruments are running before the work begins, and see the end of its last stretch.
await sleep(50);
monitor.reset();
chain = 0;
const started = performance.now();
const found = await scenarios[what]();
const took = performance.now() - started;
await sleep(20);
watching = false;
monitor.disable();

if (found !== total) throw new Error(`${what} found ${found} of ${total} entries in ${directory}.`);
console.log(JSON.stringify({ monitor: monitor.max / 1e6, chain, took }));

/** Notes the longest time between two turns of the event loop. */
function turn() {
  const now = performance.now();
  chain = Math.max(chain, now - last);
  last = now;
  if (watching) setImmediate(turn);
}
