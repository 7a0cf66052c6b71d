// Draws a map in this process; prints the milliseconds of each run, and the seconds of CPU time that all took.
import { warmTimes } from './warm.js';

const [library, directory, warmUps, runs] = process.argv.slice(2);
const { openWorkspace, tree } = await import(library);
const workspace = await openWorkspace(directory);
const { times, result } = await warmTimes(() => tree({}, workspace, { cache: false }), {
  warmUps: Number(warmUps),
  runs: Number(runs),
});
if (result.status === 'error') throw new Error(result.text);
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ times, cpu: (user + system) / 1e6 }));
