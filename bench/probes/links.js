// Lists a directory full of links while the event loop is watched. Prints the longest stall that each instrument saw, and
// by how many ms the call overran its time limit.
import { watched } from './watch.js';

const [library, directory, what, limit] = process.argv.slice(2);
const { openWorkspace, call, list } = await import(library);
const workspace = await openWorkspace(directory);
const timeLimit = Number(limit);

const scenarios = {
  page: (options) => list({}, workspace, options),
  walk: (options) => list({ depth: 2 }, workspace, options),
  cached: (options) => call('gemini', { path: directory }, workspace, options),
};

const scenario = scenarios[what];
if (what === 'cached') await scenario({});
const { monitor, chain, took } = await watched(() => scenario({ timeLimit }).catch(refused));
console.log(JSON.stringify({ monitor, chain, took, overrun: Math.max(0, took - timeLimit) }));

/** A call that has not even begun to answer when its time is over says so. */
function refused(error) {
  if (error.kind !== 'timeout') throw error;
}
