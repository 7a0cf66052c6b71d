// Lists a directory while the event loop is watched, and prints the longest stall that each instrument saw, in ms.
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { watched } from './watch.js';

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

const { value: found, ...seen } = await watched(scenarios[what]);
if (found !== total) throw new Error(`${what} found ${found} of ${total} entries in ${directory}.`);
console.log(JSON.stringify(seen));
