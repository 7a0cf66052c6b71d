// One call on a root elsewhere, in a process of its own: how long it took, how many requests of HTTP, and the most memory.
//
//     node elsewhere.js LIBRARY ADDRESS tree|ls PATH
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';
const [library, address, what, path] = process.argv.slice(2);
const { call, openWorkspace, tree } = await import(library);
let requests = 0;
subscribe('http.client.request.start', () => requests++);
const workspace = await openWorkspace(address);
const [before, started, used] = [requests, performance.now(), process.cpuUsage()];
const options = { timeLimit: 3_600_000 };
const answer = await (what === 'tree'
  ? tree({ path }, workspace, options)
  : call('standard', { path }, workspace, options));
const took = performance.now() - started;
const { user, system } = process.cpuUsage(used);
workspace.close();
if (answer.status === 'error') throw new Error(answer.text);
const peak = Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
console.log(
  JSON.stringify({ took, cpu: (user + system) / 1e6, peak, requests: requests - before, files: answer.stats.files }),
);
