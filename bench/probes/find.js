// Searches a tree twice while the event loop is watched, and prints the longest stalls, in ms, and the peak memory, in MB.
import { watched } from './watch.js';

const [library, directory] = process.argv.slice(2);
const { openWorkspace, find } = await import(library);
const workspace = await openWorkspace(directory);
const total = Number(directory.split('-').at(-1));

/** Words that many names have, a misspelt one, and one that is nowhere. */
const QUERIES = ['session tokn qqqq', 'invoice report'];

const seen = [];
for (const query of QUERIES) {
  const { value, ...stalls } = await watched(() => find({ query }, workspace, { timeLimit: Number.POSITIVE_INFINITY }));
  if (value.status === 'error' || value.stats.matched < total / 100) throw new Error(value.text);
  seen.push(stalls);
}
const { user, system } = process.cpuUsage();
const memory = (process.resourceUsage().maxRSS * 1024) / 1e6;
console.log(JSON.stringify({ first: seen[0], later: seen[1], memory, cpu: (user + system) / 1e6 }));
